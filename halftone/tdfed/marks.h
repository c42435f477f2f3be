/*
 * marks.h - marks the columns of a swath, for each ink, a bit each: once, as
 * its rows come, for all that need them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_MARKS_H
#define HT_TDFED_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "halftone/tdfed/rows.h"

/* Returns the words of a line. */
static inline size_t ht_tdfed_mark_words(uint32_t width)
{
    return ((size_t)width + 63) / 64;
}

/* Returns the words of a swath's marks. */
static inline size_t ht_tdfed_marks(uint32_t width, uint32_t inks)
{
    return inks * HT_TDFED_MARKS * ht_tdfed_mark_words(width);
}

/* Returns a line of marks of an ink that the swath has. */
static inline uint64_t *ht_tdfed_line_of(const struct ht_tdfed_page *page,
                                         const struct ht_tdfed_swath *swath,
                                         uint32_t ink, enum ht_tdfed_mark mark)
{
    return swath->marks +
           (ink * HT_TDFED_MARKS + mark) * ht_tdfed_mark_words(page->width);
}

/*
 * Marks what the next row of a swath has, or the row below its last one.
 *
 *   samples  [inks][width]
 *   inks     that may have samples other than 0, a bit each
 *   dots     [inks][plane]  gets the dots of the solid pixels, and 0 elsewhere;
 *                           NULL of the row below
 *
 * Adds the inks that do have other samples to swath->inks, and takes the others
 * from swath->whole.
 */
void ht_tdfed_mark_row(const struct ht_tdfed_page *page,
                       struct ht_tdfed_swath *swath, const uint8_t *samples,
                       uint32_t inks, uint8_t *dots);

/* Says whether a line has a mark in columns begin..end-1, if there are any. */
static inline bool ht_tdfed_marked(const uint64_t *line, uint32_t begin,
                                   uint32_t end)
{
    uint64_t any = ~(uint64_t)0 << begin % 64;

    if (begin == end)
        return false;
    for (line += begin / 64, end -= begin / 64 * 64; end > 64; end -= 64) {
        if ((any & *line++) != 0)
            return true;
        any = ~(uint64_t)0;
    }
    return (any & *line & ~(uint64_t)0 >> (64 - end)) != 0;
}

#endif
