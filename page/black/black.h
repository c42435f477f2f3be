/*
 * black.h - black by other names becomes black ink alone, and solid.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_BLACK_H
#define PAGE_BLACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "page/black/shadows.h"

/* Range of samples that count as black, on pages of these inks. */
struct black {
    uint32_t inks, width, bits;
    uint16_t level[4];         /* K, C, M, Y: the least sample, .. */
    uint16_t span;             /* .. and how many more it may be */
    uint8_t least[4], most[4]; /* what may change, in 1/255 */
    const struct shadows *shadows;
};

/* Prepares pages of 1 ink, K, or 4, with samples of `bits`, 8 or 16. `kcmy` is
 * what the RIP makes of RGB black, for 4 inks. In 16 bits black is all samples
 * that begin with its 8 bits: Ghostscript from 10.05 on gives those from 0x8000
 * on a low byte of 0xff. */
void black_init(struct black *black, const uint8_t kcmy[4], uint32_t inks,
                uint32_t width, uint32_t bits);

/* Makes black_row() lighten shadows, too. `shadows` has to last as long as
 * `black`. */
void black_lift(struct black *black, const struct shadows *shadows);

/*
 * Changes one row in place; returns whether it did, and K may have samples then
 * that had none. Rows of one ink stay.
 *
 *   row  [inks][width] samples
 *
 * With d the largest distance of an ink from black, in 1/255, pixels, after
 * shadows_lift(), become
 *
 *   (1 - t) pixel + t (K alone, solid)    t = (16 - d) / 15, in 0..1
 *
 * so that black has no other ink, and no edge towards what is nearly black.
 */
bool black_row(const struct black *black, void *row);

/* For black_text.h: */

/* Sets dark[width] to 1 where the row is dark, else to 0; returns whether it is
 * anywhere. `*text` tells whether any pixel may be nearly black. */
bool black_find_dark(const struct black *black, const void *row, uint8_t *dark,
                     bool *text);

/* Tells whether a pixel is so near to black that it may be text. */
bool black_is_near(const struct black *black, const void *row, size_t x);

/* Makes the pixels first..end-1 K alone, solid. */
void black_fill(const struct black *black, void *row, size_t first, size_t end);

#endif
