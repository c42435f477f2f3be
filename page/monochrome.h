/*
 * monochrome.h - pages of four inks in black ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_MONOCHROME_H
#define PAGE_MONOCHROME_H

#include <stdint.h>

#define MONOCHROME_DENSITIES 4096

/* Tables of densities in natural logarithms, 1/1024. */
struct monochrome {
    uint16_t density[4][256];            /* of K, C, M and Y by sample */
    uint8_t black[MONOCHROME_DENSITIES]; /* K by density */
};

void monochrome_init(struct monochrome *m);

/*
 * Changes one row in place: pixels with C, M or Y get K alone, which is as dark
 * as a screen's gray of which the RIP makes so dark a mixture. `inked` are the
 * inks, a bit each, that may have samples other than 0; returns those that may
 * have some afterwards.
 *
 *   row  [4][width] samples of K, C, M and Y of `bits`, 8 or 16, of which the
 *        upper 8 count
 */
uint16_t monochrome_row(const struct monochrome *m, void *row, uint32_t width,
                        uint32_t bits, uint16_t inked);

#endif
