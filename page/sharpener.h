/*
 * sharpener.h - the rows of a page become sharper: each waits for the row
 * below.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_SHARPENER_H
#define PAGE_SHARPENER_H

#include "page/row_ring.h"

#define SHARPENER_ROWS 3u /* a row and its neighbors */

struct sharpener {
    struct row_ring ring; /* of SHARPENER_ROWS */
    uint32_t sharpness;
};

/*
 * Sharpens the oldest row that waits; the one below has to be there, too, if
 * there is one.
 *
 *   row  [inks][width] samples
 *
 * `inked` are the inks that may have samples other than 0 in `row` before;
 * returns those that may have some afterwards.
 */
uint16_t sharpener_take(struct sharpener *sharpener, void *row, uint16_t inked);

#endif
