/*
 * picture.h - JPEG and PNG files as pixels, no more of them than a page needs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PICTURE_H
#define PRINTER_APP_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "printer-app/picture/pose.h"

#ifndef PICTURE_MOST_BYTES                     /* less in test/fuzz/ */
#define PICTURE_MOST_BYTES ((size_t)256 << 20) /* of pixels in memory */
#endif
#define PICTURE_MOST_PIXELS ((uint64_t)1 << 31) /* of a file */
#ifndef PICTURE_MOST_SECONDS                    /* fewer in tests */
#define PICTURE_MOST_SECONDS 60 /* of a processor, to read one */
#endif
#define PICTURE_WHY 256 /* bytes of a reason */

/* Header of a picture, before its pixels. */
struct picture_head {
    uint32_t width, height; /* pixels as they are stored */
    bool color;
    unsigned pose; /* from how they are stored to how they are seen */
    int ppi[2];    /* stored pixels an inch, across and down; 0 = unknown */
};

/* Form in which the picture is wanted. */
struct picture_plan {
    uint32_t width, height; /* as stored; at most, the file's: reduced to that
                               by areas */
    unsigned pose;
    bool color; /* wanted if the file has some */
};

struct picture {
    uint8_t *pixels; /* [height][width][depth], light, turned */
    uint32_t width, height;
    uint32_t depth; /* 1 = gray, 3 = red, green and blue */
    bool is_file;   /* the pixels are in one: picture_memory.c */
    uint8_t *icc;   /* [icc_bytes], the file's profile, not checked; or NULL */
    size_t icc_bytes;
    bool icc_damaged; /* it has one that cannot be read */
};

/* Callbacks of the reader. */
struct picture_reader {
    /* Makes a plan, once; false ends the reading. */
    bool (*plan)(void *context, const struct picture_head *head,
                 struct picture_plan *plan);
    bool (*is_canceled)(void *context); /* asked again and again */
    void *context;
    /* Hears that other pictures have the memory that this one waits for; NULL
     * is allowed. */
    void (*waits)(void *context);
};

/*
 * Reads a file. Colors are those of the file, to be taken for those of its
 * profile, or else for sRGB; files that say them in numbers get a profile. CMYK
 * becomes sRGB, by its profile or, without one, each channel loses what its ink
 * and K take. Transparent parts are paper. A plan for more than
 * PICTURE_MOST_BYTES is reduced to that.
 *
 * False with the reason in `why` [PICTURE_WHY] for what is no such file,
 * damaged, of more than PICTURE_MOST_PIXELS, takes longer than
 * PICTURE_MOST_SECONDS, or, where it has to be in memory whole, as progressive
 * JPEG and interlaced PNG, is too large for that: this is found out before the
 * memory is taken. Call picture_free() whatever it returned.
 */
bool picture_read_jpeg(struct picture *picture, const char *path,
                       const struct picture_reader *reader,
                       char why[PICTURE_WHY]);
bool picture_read_png(struct picture *picture, const char *path,
                      const struct picture_reader *reader,
                      char why[PICTURE_WHY]);

void picture_free(struct picture *picture);

#endif
