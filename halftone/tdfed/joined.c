/*
 * joined.c - segments side by side as one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/tdfed/joined.h"
#include "halftone/tdfed/part.h"

static void begin_joined(const struct ht_tdfed_page *page,
                         struct ht_tdfed_segment *segment,
                         struct ht_tdfed_joined *joined)
{
    struct ht_tdfed_segment *whole = &joined->whole;

    whole->swath = segment->swath;
    whole->begin = segment->begin;
    whole->end = segment->end;
    memset(whole->edge, 0, page->inks * sizeof whole->edge[0]);
    joined->leftmost = joined->rightmost = segment;
    joined->count = 1;
    joined->end[0] = length_of(segment);
}

/* Adds the segment to the right: what comes first in scan order is first. */
static void add_segment(struct ht_tdfed_segment *segment,
                        struct ht_tdfed_joined *joined)
{
    const uint32_t length = length_of(segment);

    joined->whole.end = segment->end;
    joined->rightmost = segment;
    if (segment->swath->step > 0) {
        joined->end[joined->count++] = length_of(&joined->whole);
        return;
    }
    for (unsigned i = joined->count++; i > 0; i--)
        joined->end[i] = joined->end[i - 1] + length;
    joined->end[0] = length;
}

unsigned ht_tdfed_join(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *const *segments, unsigned count,
                       uint32_t most, struct ht_tdfed_joined *joined)
{
    unsigned found = 0;

    for (unsigned n = 0; n < count; n++) {
        struct ht_tdfed_joined *last = found > 0 ? &joined[found - 1] : NULL;

        if (last != NULL && last->whole.swath == segments[n]->swath &&
            last->whole.end == segments[n]->begin &&
            segments[n]->end - last->whole.begin <= most)
            add_segment(segments[n], last);
        else
            begin_joined(page, segments[n], &joined[found++]);
    }
    return found;
}

void ht_tdfed_unjoin(const struct ht_tdfed_page *page,
                     const struct ht_tdfed_joined *joined, unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        for (uint32_t ink = 0; ink < page->inks; ink++) {
            const uint8_t(*edge)[HT_TDFED_ROWS] = joined[n].whole.edge[ink];

            for (uint32_t row = 0; row < HT_TDFED_ROWS; row++) {
                joined[n].leftmost->edge[ink][0][row] |= edge[0][row];
                joined[n].rightmost->edge[ink][1][row] |= edge[1][row];
            }
        }
}
