/*
 * row_ring.h - a ring buffer of a page's rows of ink, which wait for those
 * below them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_ROW_RING_H
#define PAGE_ROW_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROW_RING_SPARE 32 /* bytes behind each row that may be read */

struct row_ring {
    uint32_t inks, width, bits; /* of a sample: 8 or 16 */
    size_t plane;               /* bytes of an ink's row */
    size_t rows;                /* that there is room for */
    size_t put, taken;          /* rows of the page that came, and that left */
    uint8_t *data;              /* [rows][inks][width] samples */
    uint16_t *inked;            /* [rows] the inks, a bit each, that there may
                                   be */
    /* Where in these a row of the page is, [row % rows], then where no row is:
     * the nearest caches still have what was used last. */
    uint32_t *place;
};

/* Allocates a ring. False without memory; row_ring_close() either way. */
bool row_ring_open(struct row_ring *ring, uint32_t inks, uint32_t width,
                   uint32_t bits, size_t rows);
void row_ring_close(struct row_ring *ring);

/* Returns a row of the page that is in the ring, [inks][width] samples. */
static inline uint8_t *row_ring_at(const struct row_ring *ring, size_t row)
{
    return ring->data +
           ring->place[row % ring->rows] * ring->inks * ring->plane;
}

/* Returns the inks of that row. */
static inline uint16_t *row_ring_inked(const struct row_ring *ring, size_t row)
{
    return &ring->inked[ring->place[row % ring->rows]];
}

/* Copies the page's next row, [inks][width] samples, which has inks other than
 * 0 in `inked` alone, a bit each. The ring has to have room for it. */
void row_ring_put(struct row_ring *ring, const void *row, uint16_t inked);

/* Takes the oldest row that waits, and gives the place of the row `above` rows
 * above it, which nobody needs any more, to the row that comes next. */
void row_ring_take(struct row_ring *ring, size_t above);

#endif
