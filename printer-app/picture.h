/*
 * picture.h - JPEG and PNG files as pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PICTURE_H
#define PRINTER_APP_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PICTURE_MOST_BYTES                     /* less in fuzz/ */
#define PICTURE_MOST_BYTES ((size_t)256 << 20) /* of pixels */
#endif
#define PICTURE_WHY 256 /* bytes of a reason */

struct picture {
    uint8_t *pixels; /* [height][width][depth], light */
    int width, height;
    int depth; /* 1 = gray, 3 = red, green and blue */
    int ppi;   /* pixels an inch, 0 = it does not say */
};

/*
 * Reads a file. `wants_color(context, color)` is asked once the file's header
 * has been read, with whether the file has colors, and answers whether they are
 * wanted. Colors are those of the file, taken for sRGB; of CMYK, each channel
 * loses what its ink and K take. Transparent parts are paper.
 *
 * False with the reason in `why` [PICTURE_WHY] for what is no such file,
 * damaged or larger than PICTURE_MOST_BYTES: that is found out before memory is
 * taken. A progressive JPEG may take twice as much besides. Call picture_free()
 * whatever it returned.
 */
bool picture_read_jpeg(struct picture *picture, const char *path,
                       bool (*wants_color)(void *context, bool color),
                       void *context, char why[PICTURE_WHY]);
bool picture_read_png(struct picture *picture, const char *path,
                      bool (*wants_color)(void *context, bool color),
                      void *context, char why[PICTURE_WHY]);

void picture_free(struct picture *picture);

#endif
