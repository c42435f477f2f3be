/*
 * chunk.h - a chunk of some strips: which columns lie where on its tapes.
 *
 * A tape is as long as the first caches are large: longer strips go over it in
 * chunks, with the kernel's chain kept in between. In a chunk, the column
 * that is number c of a stretch, counted in scan order, lies in row r at step
 *
 *   c + ht_tdfed_chunk.lag * r + at + lag - begin
 *
 * where `at` is the stretch's own in its strip, lag the strip's and begin the
 * chunk's first step.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_CHUNK_H
#define HT_TDFED_CHUNK_H

#include "halftone/tdfed/gather.h"

/* Columns of a swath, consecutive on a tape. */
struct ht_tdfed_stretch {
    const struct ht_tdfed_swath *swath;
    uint32_t begin, end; /* columns begin..end-1 */
    /* The bytes of a row of dots, from..to-1, that no other segment has
     * dots in. */
    uint32_t own_from, own_to;
    uint32_t at; /* steps before its first column */
};

/* Steps of a segment in its strip. */
struct ht_tdfed_extent {
    uint32_t begin, end; /* steps begin..end-1; each HT_TDFED_NOWHERE if the
                            segment's first, or last, pixel is in no stretch */
};

#define HT_TDFED_NOWHERE (1u << 30)

#define HT_TDFED_MOST_STRETCHES                                                \
    (HT_TDFED_MAX_SEGMENTS * HT_TDFED_GATHER_STRETCHES)

/* An ink's part of consecutive segments. */
struct ht_tdfed_strip {
    uint32_t ink;
    bool idle;    /* there is no ink; `ink` is any */
    uint32_t lag; /* steps before its first column */
    uint32_t steps;
    unsigned count;
    const struct ht_tdfed_stretch *stretch; /* [count] */
    unsigned extents;
    const struct ht_tdfed_extent *extent; /* [extents], of segments */
};

struct ht_tdfed_chunk {
    const struct ht_tdfed_page *page;
    uint32_t vectors; /* of strips: ht_tdfed_run.vectors */
    struct ht_tdfed_strip strips[HT_TDFED_PLACES];
    bool meet; /* they are of inks that meet, each strip of the next one, a
                  step behind */
    enum ht_tdfed_content content;
    uint32_t lag;  /* steps from row to row */
    uint32_t rows; /* of the swaths */
    uint32_t begin,
        steps; /* steps begin..begin+steps-1, at most HT_TDFED_STEPS */
};

/* Memory that a thread works in, aligned to 64 bytes. */
struct ht_tdfed_space {
    struct ht_tdfed_tape *tape;   /* [vectors], as many as the page needs */
    struct ht_tdfed_chain *chain; /* [vectors] */
    struct ht_tdfed_meeting meeting;
    bool shared; /* other threads work on the page, too */
    struct ht_tdfed_stretch stretch[HT_TDFED_MOST_STRETCHES];
    struct ht_tdfed_extent extent[HT_TDFED_MAX_SEGMENTS];
    int16_t tone[HT_TDFED_LAID];
    uint16_t pattern[HT_TDFED_ROWS]
                    [HT_TDFED_SLACK + HT_TDFED_AT_ONCE + HT_TDFED_SLACK];
    uint8_t level[HT_TDFED_ROWS + 1]
                 [HT_TDFED_SLACK + HT_TDFED_LAID + HT_TDFED_SLACK];
    /* For each row and the row below, at the steps of the row: 255 where a
     * pixel is toned, elsewhere 0. */
    uint8_t toned[HT_TDFED_ROWS + 1][HT_TDFED_LAID];
};

static inline int32_t at_least(int32_t value, int32_t least)
{
    return value < least ? least : value;
}

static inline int32_t at_most(int32_t value, int32_t most)
{
    return value > most ? most : value;
}

/* The columns of a stretch that lie in a chunk in some row: from..to-1,
 * counted in scan order; column c lies at step c + offset. */
struct part {
    int32_t from, to, offset;
};

/* Returns the part of a row that lies before step `steps`. */
static inline struct part part_of(const struct ht_tdfed_chunk *chunk,
                                  const struct ht_tdfed_strip *strip,
                                  const struct ht_tdfed_stretch *stretch,
                                  uint32_t row, uint32_t steps)
{
    struct part part = {
        .offset = (int32_t)(stretch->at + strip->lag + chunk->lag * row) -
                  (int32_t)chunk->begin};

    part.from = at_least(-part.offset, 0);
    part.to = at_most((int32_t)steps - part.offset,
                      (int32_t)(stretch->end - stretch->begin));
    part.to = at_least(part.to, part.from);
    return part;
}

/* Returns the column of a part that is leftmost on the page. */
static inline uint32_t leftmost(const struct ht_tdfed_stretch *stretch,
                                const struct part *part)
{
    return stretch->swath->step > 0 ? stretch->begin + (uint32_t)part->from
                                    : stretch->end - (uint32_t)part->to;
}

#endif
