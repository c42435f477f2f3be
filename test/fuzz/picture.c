/*
 * picture.c - JPEG and PNG files through the application's readers, which take
 * at most 4 MiB of pixels here.
 *
 *   input   a byte: 1 = read as a JPEG, else as a PNG, whose checks need not be
 *           right; + 2 = colors are wanted; + 4 * n = 1/(n + 1) of its size;
 *           + 16 * n = in that pose; then the file
 *   holds   false with a reason, or pixels of the size that was asked for and
 *           that fits; a plan is asked for at most once, colors come only if
 *           they are wanted
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/fuzz/png.h"
#include "test/fuzz/run.h"
#include "printer-app/picture/picture.h"

struct picture_wish {
    bool color;
    uint32_t part;
    unsigned pose, asked;
    struct picture_plan plan;
};

static bool plan(void *context, const struct picture_head *head,
                 struct picture_plan *plan)
{
    struct picture_wish *wish = context;

    wish->asked++;
    if (head->pose > 7 || head->ppi[0] < 0 || head->ppi[1] < 0 ||
        (uint64_t)head->width * head->height > PICTURE_MOST_PIXELS)
        run_fail("%u by %u pixels in pose %u, %d by %d an inch", head->width,
                 head->height, head->pose, head->ppi[0], head->ppi[1]);
    plan->width = (head->width + wish->part - 1) / wish->part;
    plan->height = (head->height + wish->part - 1) / wish->part;
    plan->pose = pose_then(head->pose, wish->pose);
    plan->color = wish->color;
    wish->plan = *plan;
    return true;
}

static bool is_canceled(void *context)
{
    (void)context;
    return false;
}

static void check(const struct picture *picture,
                  const struct picture_wish *wish)
{
    const struct picture_plan *p = &wish->plan;
    const bool across = (p->pose & POSE_ACROSS) != 0;
    const size_t size =
        (size_t)picture->width * picture->height * picture->depth;
    volatile uint8_t sum = 0;

    if (wish->asked != 1)
        run_fail("asked for a plan %u times", wish->asked);
    if (picture->width < 1 || picture->height < 1 ||
        (picture->depth != 1 && picture->depth != 3) ||
        (picture->depth == 3 && !wish->color) || size > PICTURE_MOST_BYTES)
        run_fail("%u by %u pixels of %u bytes", picture->width, picture->height,
                 picture->depth);
    if ((size_t)p->width * p->height * picture->depth <= PICTURE_MOST_BYTES &&
        (picture->width != (across ? p->height : p->width) ||
         picture->height != (across ? p->width : p->height)))
        run_fail("%u by %u pixels instead of %u by %u in pose %u",
                 picture->width, picture->height, p->width, p->height, p->pose);
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + picture->pixels[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct picture_wish wish = {.color = false};
    const struct picture_reader reader = {
        .plan = plan, .is_canceled = is_canceled, .context = &wish};
    struct picture picture;
    char why[PICTURE_WHY];

    if (size < 2)
        return 0;
    const bool jpeg = data[0] & 1;
    wish.color = data[0] & 2;
    wish.part = (data[0] >> 2 & 3u) + 1;
    wish.pose = data[0] >> 4 & 7u;

    uint8_t *file = malloc(size - 1);
    if (file == NULL)
        return 0;
    memcpy(file, data + 1, size - 1);
    png_mend(file, size - 1);
    const int fd = run_file(file, size - 1);

    if ((jpeg ? picture_read_jpeg : picture_read_png)(&picture, run_path(fd),
                                                      &reader, why))
        check(&picture, &wish);
    else if (why[0] == '\0' || strlen(why) >= PICTURE_WHY)
        run_fail("no reason");
    picture_free(&picture);
    close(fd);
    free(file);
    return 0;
}
