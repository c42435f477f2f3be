/*
 * image.h - contone images in, dots out, for the command line tools.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_IMAGE_H
#define TOOLS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMAGE_ERROR_BYTES 160 /* the longest message, NUL included */

/* A whole image, as its file stores it: no gamma is applied. */
struct image {
    uint32_t width;    /* columns, 1..HT_MAX_WIDTH */
    uint32_t height;   /* rows, at least 1 */
    uint32_t channels; /* 1 = gray, 3 = red, green, blue */
    uint32_t bits;     /* of a sample: 8 or 16 (host byte order) */
    void *samples;     /* [height][width][channels], 0 = black, full = white */
};

/*
 * Reads PGM (P5), PPM (P6), PBM (P4, as samples 0 and 255) or PNG from the
 * file `path`, "-" for standard input; the content says which. Samples are
 * scaled to the full 8 or 16 bits; transparency is laid on white. On failure
 * `error` [IMAGE_ERROR_BYTES] says why, in one line without the path, and
 * `image` is empty. Free with image_free().
 */
bool image_read(struct image *image, const char *path, char *error);

void image_free(struct image *image); /* an empty image is allowed */

/*
 * Writes rows `first`.. as ink planes: gray becomes one ink, K = full - gray;
 * color becomes three, C, M, Y = full - R, G, B.
 *
 *   tones  [rows][inks][width]  samples of image->bits, full = solid ink
 *   ink    the plane that the image's first channel goes to; other planes
 *          are left alone. Needs ink + image->channels <= inks.
 */
void image_to_inks(const struct image *image, uint32_t first, uint32_t rows,
                   void *tones, uint32_t inks, uint32_t ink);

/*
 * Writes a page of dots. A path that ends in ".png" gives a PNG: black and
 * white for one ink, a palette for the three inks C, M, Y. Any other gives
 * PBM, for three inks one file each, with "-c", "-m", "-y" put before the
 * path's extension. "-" is standard output, as PBM of one ink.
 *
 *   dots  [height][inks][(width+7)/8]  leftmost in the top bit, 1 = ink
 *   inks  1 or 3
 *
 * False after a complaint about the file that cannot be written; no regular
 * file of the page is left then.
 */
bool image_write_dots(const char *path, const uint8_t *dots, uint32_t width,
                      uint32_t height, uint32_t inks);

#endif
