/*
 * sharpener.h - the rows of a page become sharper: each waits for the row
 * below.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_SHARPENER_H
#define PAGE_SHARPENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHARPENER_ROWS 3u /* a row and its neighbors */

struct sharpener {
    uint32_t inks, width, bits, sharpness;
    uint8_t *data;                  /* [SHARPENER_ROWS][inks][width], a ring */
    uint16_t inked[SHARPENER_ROWS]; /* the inks, a bit each, that a row may
                                       have */
    size_t put, taken;              /* rows of the page */
};

/* Makes room for rows of `bits`, 8 or 16. False without memory;
 * sharpener_close() either way. */
bool sharpener_open(struct sharpener *sharpener, uint32_t inks, uint32_t width,
                    uint32_t bits, uint32_t sharpness);

void sharpener_close(struct sharpener *sharpener);

/* Returns memory for the page's next row, [inks][width] samples; `*inked` are
 * the inks that there may be in it, to be set to those that there are then.
 * For sharpener_put(). */
uint8_t *sharpener_space(struct sharpener *sharpener, uint16_t **inked);

/* Takes the row in. No more than two may be waiting. */
void sharpener_put(struct sharpener *sharpener);

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
