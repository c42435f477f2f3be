/*
 * lookup.h - TDFED's look-up, the host's part: a tone table as the entries that
 * the kernel looks up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_LOOKUP_H
#define HT_GPU_TDFED_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "halftone/definition.h"

/* Views of the pattern: no dot at a pixel, or a dot. */
enum { HT_GPU_VIEWS = 2 };

/* A pixel's parameters, by its level and its view: pairs of 16-bit numbers, the
 * first in the low half. */
struct ht_gpu_entry {
    uint32_t threshold_tone; /* t - 1 - a (t - 1 for 16-bit samples), a: the
                                threshold and the tone */
    uint32_t right_feedback; /* weight (0,+1); the feedback (h), or -1: the
                                pixel is white or solid */
    uint32_t other_minus1;   /* weight of the column below; of (1,-1) */
    uint32_t column_noise;   /* +1, -2 or -4, or if its weight is 0, any;
                                the table's noise (n), or where a dot is seen
                                that of a tint of the level which begins: with
                                several sizes of drops it is less */
};

/* White and solid have a threshold that no pixel reaches, or that every pixel
 * reaches, with samples of 8 and of 16 bits. */
#define HT_GPU_WHITE 32767
#define HT_GPU_SOLID (-32768)
#define HT_GPU_SOLID_16 (-16384)

#define HT_GPU_ENTRIES 512 /* [HT_GPU_VIEWS][HT_LEVELS] */

/* Inks of which a sweep has a whole swath: those of more do not hand on the
 * dots that feedback needs. */
#define HT_GPU_FED_INKS 8

/* Returns whether the kernels can do pages of so many inks with a table: its
 * weights of the next row go to column -1 and to one of -4, -2 and +1 (a
 * weight of 0 goes anywhere). */
bool ht_gpu_table_suits(const ht_table_t *table, uint32_t inks);

/* Fills entries [HT_GPU_ENTRIES] for a scan with a table that suits, and for
 * samples of 8 or 16 bits. */
void ht_gpu_fill_entries(struct ht_gpu_entry *entries,
                         const struct ht_scan *scan, uint32_t bits);

#endif
