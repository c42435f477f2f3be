/*
 * lookup.h - what the kernels look up for a pixel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_LOOKUP_H
#define HT_GPU_TDFED_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "halftone/halftone.h"

/* What a pixel needs, by level and by what it looks at: pairs of 16-bit
 * numbers, the first in the low half. */
struct ht_gpu_entry {
    uint32_t threshold_tone; /* t - 1 - a (t - 1 for 16-bit samples), a */
    uint32_t right_avoid;    /* weight (0,+1), strength of avoidance */
    uint32_t other_minus1;   /* the weight of a column not -1; of (1,-1) */
    int32_t other_column;    /* +1, -2, -3 or -4; any if the weight is 0 */
};

/* White and solid have this strength, and thresholds: one that no pixel
 * reaches, and one that every solid pixel reaches, with 8- and with 16-bit
 * samples. */
#define HT_GPU_FORCED (-1)
#define HT_GPU_WHITE 32767
#define HT_GPU_SOLID (-32768)
#define HT_GPU_SOLID_16 (-16384)

#define HT_GPU_ENTRIES 768 /* [HT_VIEWS][HT_LEVELS] */

/* Whether the kernels do pages of the table: weights of the next row are below
 * 1/2, one of them at column -1, the other at -4, -3, -2 or +1, and where one
 * of them is 0 its column does not matter; avoidance is below 1/2 and, with
 * what the end of a segment raises them by, leaves thresholds between 0 and
 * ONE. */
bool ht_gpu_table_suits(const ht_table_t *table);

/* The entries [HT_GPU_ENTRIES] of a table that suits, for samples of `bits`. */
void ht_gpu_fill_entries(struct ht_gpu_entry *entries, const ht_table_t *table,
                         uint32_t bits);

#endif
