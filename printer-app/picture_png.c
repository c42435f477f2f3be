/*
 * picture_png.c - reads PNG files with libpng.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "printer-app/picture.h"

static void read_picture(png_image *image, struct picture *picture,
                         bool (*wants_color)(void *context, bool color),
                         void *context, char why[PICTURE_WHY])
{
    static const png_color paper = {255, 255, 255};
    const bool color =
        wants_color(context, (image->format & PNG_FORMAT_FLAG_COLOR) != 0);
    const int depth = color ? 3 : 1;

    if ((uint64_t)image->width * image->height * (unsigned)depth >
        PICTURE_MOST_BYTES) {
        snprintf(why, PICTURE_WHY, "%u by %u pixels are too many",
                 (unsigned)image->width, (unsigned)image->height);
        return;
    }
    image->format = color ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    picture->width = (int)image->width;
    picture->height = (int)image->height;
    picture->depth = depth;
    picture->pixels = malloc(PNG_IMAGE_SIZE(*image));
    if (picture->pixels == NULL)
        snprintf(why, PICTURE_WHY, "not enough memory");
    else if (png_image_finish_read(image, &paper, picture->pixels, 0, NULL) ==
             0)
        snprintf(why, PICTURE_WHY, "%s", image->message);
    else
        why[0] = '\0';
}

/* The number of 4 bytes at `at`, of which the first counts most. */
static uint32_t number(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

/*
 * Returns the pixels an inch that the file says, 0 if it does not: libpng's
 * simple interface does not tell. They are in a chunk pHYs before the first of
 * the pixels: pixels a unit, which is 1 for a meter (PNG, section 11.3.4.3).
 */
static int pixels_an_inch(FILE *file)
{
    uint8_t head[8], physical[9];

    if (fseek(file, 8, SEEK_SET) < 0)
        return 0;
    while (fread(head, 1, sizeof head, file) == sizeof head) {
        const uint32_t length = number(head);

        if (memcmp(head + 4, "IDAT", 4) == 0 || length > INT32_MAX - 4)
            return 0;
        if (memcmp(head + 4, "pHYs", 4) == 0)
            return length == sizeof physical &&
                           fread(physical, 1, sizeof physical, file) ==
                               sizeof physical &&
                           physical[8] == 1 && number(physical) < 1000000
                       ? (int)(number(physical) * 0.0254 + 0.5)
                       : 0;
        if (fseek(file, (long)length + 4, SEEK_CUR) < 0)
            return 0;
    }
    return 0;
}

bool picture_read_png(struct picture *picture, const char *path,
                      bool (*wants_color)(void *context, bool color),
                      void *context, char why[PICTURE_WHY])
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    FILE *file = fopen(path, "rbe");

    *picture = (struct picture){.pixels = NULL};
    if (file == NULL) {
        snprintf(why, PICTURE_WHY, "%s", strerror(errno));
        return false;
    }
    if (png_image_begin_read_from_stdio(&image, file) == 0)
        snprintf(why, PICTURE_WHY, "%s", image.message);
    else
        read_picture(&image, picture, wants_color, context, why);
    png_image_free(&image);
    if (why[0] == '\0')
        picture->ppi = pixels_an_inch(file);
    fclose(file);
    return why[0] == '\0';
}

void picture_free(struct picture *picture)
{
    free(picture->pixels);
    picture->pixels = NULL;
}
