/*
 * image.h - reads contone images, for the command line tools.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_IMAGE_H
#define TOOLS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/progress.h"

#define IMAGE_ERROR_BYTES 160 /* the longest message, NUL included */

/* Image as stored in its file, without gamma. */
struct image {
    uint32_t width;    /* columns, 1..HT_MAX_WIDTH */
    uint32_t height;   /* rows, at least 1 */
    uint32_t channels; /* 1 = gray, 3 = red, green, blue, 4 = full less K, C, M,
                          Y (separation.h) */
    uint32_t bits;     /* of a sample: 8 or 16 (host byte order) */
    void *samples;     /* [height][width][channels], 0 = black, full = white */
    double dpi[2];     /* across and down, of a PNG; 0 = unknown */
    uint8_t *icc;      /* [icc_bytes], the profile of a PNG, not checked; or
                          NULL */
    size_t icc_bytes;
};

/* A file of images, one behind the other, as netpbm's programs write them. */
struct image_file {
    FILE *file;
    uint64_t count; /* images that were read; in image_next(), this one's */
    bool png;       /* the first was a PNG, which has to be the only one */
    struct progress_line *progress; /* says how far an image is; or NULL */
};

/* Opens the file `path`, "-" for standard input. On failure `error`
 * [IMAGE_ERROR_BYTES] says why, in one line without the path. Close in any
 * case. */
bool image_open(struct image_file *in, const char *path, char *error);
void image_close(struct image_file *in);

enum image_outcome { IMAGE_READ, IMAGE_NO_MORE, IMAGE_WRONG };

/*
 * Reads the next PGM (P5), PPM (P6), PBM (P4, as samples 0 and 255) or PNG; the
 * content says which. Samples are scaled to the full 8 or 16 bits; transparency
 * is laid on white. White space may follow an image, and anything but another
 * image a PNG. Without at least one image, and behind a PNM for all else that
 * is no image, IMAGE_WRONG: `error` [IMAGE_ERROR_BYTES] says why, in one line
 * with the image's number from the second on. `image` is empty then, and at the
 * end. Free with image_free().
 */
enum image_outcome image_next(struct image *image, struct image_file *in,
                              char *error);

void image_free(struct image *image); /* an empty image is allowed */

/*
 * Writes rows `first`.. as ink planes: gray becomes one ink, K = full - gray;
 * color becomes three, C, M, Y = full - R, G, B; of four channels each becomes
 * one.
 *
 *   tones  [rows][inks][width]  samples of image->bits, full = solid ink
 *   ink    the plane that the image's first channel goes to; other planes
 *          are left alone. Needs ink + image->channels <= inks.
 */
void image_to_inks(const struct image *image, uint32_t first, uint32_t rows,
                   void *tones, uint32_t inks, uint32_t ink);

#endif
