/*
 * drops.h - drops of several sizes, as drops.cl has them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_DROPS_H
#define HT_CL_DROPS_H

#include "halftone/definition.h"

#define HT_CL_SPANS 7

/* A drop is its area and the number of its size: area << 2 | number. */
struct ht_cl_span {
    int32_t low, high, below, above; /* drops, of areas lo and hi; beyond */
    int32_t least, most, wide, low_area;
    int32_t factor, times; /* struct ht_share */
    int32_t unused[2];     /* to whole 16 bytes */
};

struct ht_cl_drops {
    struct ht_cl_span span[HT_CL_SPANS];
    int32_t inner[HT_MIXED_LEVELS - 2], sizes, left_out[HT_MAX_INKS];
    int32_t unused[2]; /* to whole 16 bytes */
};

_Static_assert(sizeof(struct ht_cl_drops) % 16 == 0, "aligned as in drops.cl");

/* Returns those of a page that has several. */
struct ht_cl_drops ht_cl_drops_of(const ht_page_t *page);

/* Bitmaps of a page: the pattern, and, if drops have several sizes, which
 * pixels leave one out in copies of even and of odd numbers. */
#define HT_CL_BITMAPS 3

/* Fills `bitmaps` [HT_CL_BITMAPS][HT_PATTERN_BYTES]. */
void ht_cl_fill_bitmaps(const ht_page_t *page, uint8_t *bitmaps);

#endif
