/*
 * part.h - which columns of a stretch lie in a chunk, for what lays chunks
 * on tapes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_PART_H
#define HT_TDFED_PART_H

#include "halftone/tdfed/tape.h"

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
