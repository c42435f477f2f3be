/*
 * black.h - black by other names becomes black ink alone, and solid.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_BLACK_H
#define PAGE_BLACK_H

#include <stdbool.h>
#include <stdint.h>

/* What is black on pages of these inks. */
struct black {
    uint32_t inks, width, bits;
    uint16_t level[4]; /* K, C, M, Y: the least sample, .. */
    uint16_t span;     /* .. and how many more it may be */
};

/* Prepares pages of 1 ink, K, or 4, with samples of `bits`, 8 or 16. `kcmy` is
 * what the RIP makes of RGB black, for 4 inks. In 16 bits black is all samples
 * that begin with its 8 bits: Ghostscript from 10.05 on gives those from 0x8000
 * on a low byte of 0xff. */
void black_init(struct black *black, const uint8_t kcmy[4], uint32_t inks,
                uint32_t width, uint32_t bits);

/*
 * Changes one row in place; returns whether it did, and K may have samples then
 * that had none.
 *
 *   row  [inks][width] samples
 *
 * First text. A run of equal pixels of 4 inks that are all at most 40/255 from
 * black, or of K alone from 86 % on, becomes K alone, solid, if its neighbors
 * on both sides have at least 25 % less of K. Ghostscript makes 87 % of CMYK 0
 * 0 0 1 where K is the only ink, and programs write RGB 22 20 19 or #222 for
 * black. A picture has hardly any such runs.
 *
 * Then the other pixels of 4 inks. With d the largest distance of an ink from
 * black, in 1/255, they become
 *
 *   (1 - t) pixel + t (K alone, solid)    t = (16 - d) / 15, in 0..1
 *
 * so that black has no other ink, and no edge towards what is nearly black.
 */
bool black_row(const struct black *black, void *row);

#endif
