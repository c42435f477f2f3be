/*
 * part.h - which columns of a segment's row lie in a section, for what lays
 * sections on tapes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_PART_H
#define HT_TDFED_PART_H

#include "halftone/tdfed/tape.h"

static inline uint32_t length_of(const struct ht_tdfed_segment *segment)
{
    return segment->end - segment->begin;
}

/* Returns the ink whose turn it is in a segment. */
static inline uint32_t ink_of(const struct ht_tdfed_page *page,
                              const struct ht_tdfed_segment *segment,
                              uint32_t turn)
{
    return ht_ink_of_turn(turn, page->inks, segment->swath->number);
}

static inline bool has_ink(const struct ht_tdfed_segment *segment, uint32_t ink)
{
    return (segment->inks >> ink & 1) != 0;
}

static inline int32_t at_least(int32_t value, int32_t least)
{
    return value < least ? least : value;
}

static inline int32_t at_most(int32_t value, int32_t most)
{
    return value > most ? most : value;
}

/* The columns of a row that lie in a section: from..to-1, counted in scan
 * order; column c lies at step c + offset. */
struct part {
    int32_t from, to, offset;
};

/* Returns the part of a piece's row, whose first column lies at step `lag`. */
static inline struct part part_of(const struct ht_tdfed_section *section,
                                  const struct ht_tdfed_piece *piece,
                                  uint32_t lag)
{
    struct part part = {.offset = (int32_t)lag - (int32_t)section->begin};

    part.from = at_least(-part.offset, 0);
    part.to = at_most((int32_t)section->steps - part.offset,
                      (int32_t)length_of(piece->segment));
    part.to = at_least(part.to, part.from);
    return part;
}

/* Returns the column of a part that is leftmost on the page. */
static inline uint32_t leftmost(const struct ht_tdfed_segment *segment,
                                const struct part *part)
{
    return segment->swath->step > 0 ? segment->begin + (uint32_t)part->from
                                    : segment->end - (uint32_t)part->to;
}

#endif
