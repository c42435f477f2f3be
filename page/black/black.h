/*
 * black.h - tells black, and colors that print darker than black ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_BLACK_H
#define PAGE_BLACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tells black on pages of these inks: one, K, or four, K, C, M and Y. */
struct black {
    uint32_t inks, width, bits;
    uint8_t least[4]; /* of each ink, K first: the least sample of black, .. */
    uint8_t span[4];  /* .. and how many more it may be */
    uint16_t needs;   /* inks that any black has, a bit each */
};

/*
 * Prepares rows of `width` pixels of 1 ink or 4, with samples of `bits`, 8 or
 * 16, of which the upper 8 count. Black is, within 1/255 of each ink, what the
 * RIP makes of RGB black, `kcmy`. A page of one ink has RGB black solid
 * already: there it is 223, exactly, what Ghostscript makes of 100 % K.
 */
void black_init(struct black *black, const uint8_t kcmy[4], uint32_t inks,
                uint32_t width, uint32_t bits);

/* Tells whether any pixel of a row, [inks][width] samples, is black. */
bool black_is_in(const struct black *black, const void *row);

/*
 * Sets black[width] to 1 where the row is black, and dark[width] to 1 where it
 * is not, but would be darker than black ink alone or nearly as dark; both to 0
 * elsewhere. Four inks are dark if K + C / 4 + M / 2 + Y / 4, each fourth
 * rounded down, is at least 272/255. One ink is from 61 % on. Returns whether
 * any pixel is dark.
 */
bool black_find(const struct black *black, const void *row, uint8_t *is_black,
                uint8_t *is_dark);

/* Makes the pixels first..end-1 of a row K alone, solid. */
void black_fill(const struct black *black, void *row, size_t first, size_t end);

#endif
