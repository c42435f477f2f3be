/*
 * edges.h - prints pixels of strokes, of soft edges and of hairlines as a
 * threshold does; strokes.h says which. For strokes.c alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_EDGES_H
#define PAGE_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "page/black/two_level.h"
#include "page/bytes.h"
#include "page/row_ring.h"

#define STROKES_PAPER 5u    /* of 255: the most of bare paper */
#define STROKES_REACH 16u   /* pixels: the most that edges have */
#define STROKES_KINDS 64u   /* rows: more than twice that */
#define STROKES_UNKNOWN 255 /* a cut that nobody has asked for */

enum { PAPER, WIDE, STROKE }; /* kinds of pixels */

#define STROKES_GRAYS 256u /* colors that is_gray() remembers */

/* Rows since there was something in each column, at most 255. */
struct since {
    uint8_t *rows; /* [width] */
    bool anew;     /* it was in all columns, .. */
    size_t more;   /* .. and so many rows are to be added */
};

struct strokes {
    const struct two_level *dots;
    struct row_ring ring;
    uint32_t across, down;    /* a square of so many pixels is no stroke */
    uint32_t reach, hairline; /* pixels: the most of an edge, and of a line */
    uint32_t ahead;           /* rows below that a row waits for */
    /* One byte a pixel, and up to whole vectors. */
    uint8_t *marked; /* [rows][width] 255 = no bare paper */
    uint8_t *full;   /* [rows] whether a row is so from side to side */
    uint8_t *kinds;  /* [STROKES_KINDS][width] a ring, too */
    uint8_t *cuts;   /* [STROKES_KINDS][width] inks, as far as known */
    uint8_t *depths; /* [STROKES_KINDS][width] of marked pixels: how dark */
    uint8_t *beside; /* [width] 255 beside paper or a step, for one row */
    uint8_t *work;   /* [width] 1 where the row that is taken may change, .. */
    uint8_t *edges;  /* .. 255 where it may have an edge */
    uint8_t *above;  /* [width] marked pixels in the column up to the last row
                        seen, at most `down` */
    uint8_t *tall;   /* [width] for one row: 255 where `above` is `down` */
    struct since square, wide, paper, step; /* two tones that touch */
    size_t seen, sorted, measured; /* rows of the page; depths are known */
    size_t full_seen;              /* rows in a row, up to the last seen */
    size_t all_square;       /* rows up to the last that was all squares */
    size_t gap_end;          /* rows up to the last sorted that is not full */
    size_t gap;              /* the next row that is not, as far as known */
    bool far[STROKES_KINDS]; /* from all paper: nothing changes */
    uint32_t asked[STROKES_GRAYS]; /* colors that is_gray() was asked about */
    bool gray[STROKES_GRAYS];      /* its answers */
};

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

static inline uint8_t *depths_at(const struct strokes *s, size_t row)
{
    return s->depths + BYTES + row % STROKES_KINDS * padded(s);
}

/* Returns how dark a pixel is that is no bare paper, 0..255: the sum of K, C /
 * 4, M / 2 and Y / 4, each rounded down. */
static inline unsigned depth_at(const struct strokes *s, size_t row, size_t x)
{
    return depths_at(s, row)[x];
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
