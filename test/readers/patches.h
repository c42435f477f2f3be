/*
 * patches.h - the patches of a printed test page: where they are, and the
 * samples of the raster there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_PATCHES_H
#define TEST_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATCH_INKS 4 /* C, M, Y, K */
#define PATCH_NAME 64

/* A line of a layout, from the sheet's upper left corner in points. */
struct patch {
    char ink[PATCH_NAME]; /* the first two columns */
    char percent[PATCH_NAME];
    double x, y, width, height;
};

/* The first page of a raster. */
struct sheet {
    uint32_t width, height;
    unsigned full; /* the sample of solid ink: 1, 3 of drops, 255 or 65535 */
    unsigned dpi[2];
    double left, top; /* points of the sheet that the raster leaves out */
    uint16_t *sample[PATCH_INKS]; /* [height][width]; 0 = bare paper */
};

/* A patch's pixels, without a border of a fifth on each side. */
struct area {
    uint32_t left, top, right, bottom; /* behind the last, as in a loop */
};

/* Reads a CSV "ink,percent,x,y,width,height" as halftone-chart --layout writes
 * it into `*patches`, to be freed; returns their number, 0 after a message. */
size_t patches_read(struct patch **patches, const char *path);

/* Reads the first page of a raster of K or CMYK; false after a message. Free
 * with sheet_free(). */
bool sheet_read(struct sheet *sheet, const char *path);

void sheet_free(struct sheet *sheet);

/* Where a patch is on the page; false, after a message, when it is not all
 * there. */
bool sheet_area(const struct sheet *sheet, const struct patch *patch,
                struct area *area);

/* The dots of ink `k`, or its drops of a size from 1 on, on and around a pixel
 * that is not at the page's edge: bit i is neighbour i, as struct round_dots
 * has them. */
unsigned sheet_neighbours(const struct sheet *sheet, int k, unsigned size,
                          uint32_t x, uint32_t y);

#endif
