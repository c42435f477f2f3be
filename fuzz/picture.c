/*
 * picture.c - JPEG and PNG files through the application's readers, which take
 * at most 4 MiB of pixels here.
 *
 *   input   a byte: 1 = read as a JPEG, else as a PNG, whose checks need not be
 *           right; + 2 = colors are wanted; then the file
 *   holds   false with a reason, or pixels of a size that fits; colors are
 * asked for at most once, and come only if they are wanted
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/png.h"
#include "fuzz/run.h"
#include "printer-app/picture.h"

struct wish {
    bool color;
    unsigned asked;
};

static bool wants_color(void *context, bool color)
{
    struct wish *wish = context;

    wish->asked++;
    return color && wish->color;
}

static void check(const struct picture *picture, const struct wish *wish)
{
    const size_t size = (size_t)picture->width * (size_t)picture->height *
                        (size_t)picture->depth;
    volatile uint8_t sum = 0;

    if (picture->width < 1 || picture->height < 1 || picture->ppi < 0 ||
        (picture->depth != 1 && picture->depth != 3) ||
        (picture->depth == 3 && !wish->color) || size > PICTURE_MOST_BYTES)
        run_fail("%d by %d pixels of %d bytes, %d an inch", picture->width,
                 picture->height, picture->depth, picture->ppi);
    if (wish->asked != 1)
        run_fail("asked for colors %u times", wish->asked);
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + picture->pixels[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wish wish = {.color = false};
    struct picture picture;
    char why[PICTURE_WHY];

    if (size < 2)
        return 0;
    const bool jpeg = data[0] & 1;
    wish.color = data[0] & 2;

    uint8_t *file = malloc(size - 1);
    if (file == NULL)
        return 0;
    memcpy(file, data + 1, size - 1);
    png_mend(file, size - 1);
    const int fd = run_file(file, size - 1);

    if ((jpeg ? picture_read_jpeg : picture_read_png)(&picture, run_path(fd),
                                                      wants_color, &wish, why))
        check(&picture, &wish);
    else if (why[0] == '\0' || strlen(why) >= PICTURE_WHY)
        run_fail("no reason");
    picture_free(&picture);
    close(fd);
    free(file);
    return 0;
}
