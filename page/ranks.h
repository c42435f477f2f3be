/*
 * ranks.h - a table of ink by sample, of any shape, as the engine takes one:
 * its inks sorted are a curve, ht_curve_valid(), and samples are their ranks.
 * So 8 bits keep what 16 would have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_RANKS_H
#define PAGE_RANKS_H

#include <stdint.h>

struct ranks {
    uint8_t of[UINT8_MAX + 1];     /* of a sample */
    uint16_t curve[UINT8_MAX + 1]; /* the ink of a rank */
};

/* Ranks a table. A rank has the ink that the table has, but for 255 different
 * inks between none and solid: then the two least share one. */
void ranks_fill(struct ranks *ranks, const uint16_t table[UINT8_MAX + 1]);

#endif
