/*
 * strokes_rows.h - the rows of strokes.h, for strokes.c and edges.c alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_STROKES_ROWS_H
#define PAGE_STROKES_ROWS_H

#include "page/black/strokes.h"
#include "page/bytes.h"

#define STROKES_PAPER 5u    /* of 255: the most of bare paper */
#define STROKES_UNKNOWN 255 /* a cut that nobody has asked for */

enum { PAPER, WIDE, STROKE }; /* kinds of pixels */

/* Bytes of a row with one a pixel, whole vectors. */
static inline size_t padded(const struct strokes *s)
{
    return ((size_t)s->ring.width + BYTES - 1) / BYTES * BYTES;
}

/* Vectors may begin a pixel beside the page. */
static inline uint8_t *kinds_at(const struct strokes *s, size_t row)
{
    return s->kinds + BYTES + row % STROKES_KINDS * (padded(s) + BYTES);
}

static inline uint8_t *cuts_at(const struct strokes *s, size_t row)
{
    return s->cuts + row % STROKES_KINDS * padded(s);
}

/* Returns the upper 8 bits of a sample of a plane. */
static inline uint8_t upper(const struct strokes *s, const uint8_t *plane,
                            size_t x)
{
    return s->ring.bits == 8
               ? plane[x]
               : (uint8_t)(((const uint16_t *)(const void *)plane)[x] >> 8);
}

static inline void sample_at(const struct strokes *s, size_t row, size_t x,
                             uint8_t sample[4])
{
    const uint8_t *data = row_ring_at(&s->ring, row);

    for (uint32_t k = 0; k < s->ring.inks; k++, data += s->ring.plane)
        sample[k] = (*row_ring_inked(&s->ring, row) >> k & 1) == 0
                        ? 0
                        : upper(s, data, x);
}

/* Prints a pixel of the row that is taken, as strokes_take() says: edges.c.
 * Returns the inks, a bit each, that it may have got. */
unsigned strokes_print(struct strokes *strokes, uint8_t *row, size_t x);

#endif
