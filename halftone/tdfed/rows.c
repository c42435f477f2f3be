/*
 * rows.c - samples and dots of a page's rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "halftone/tdfed/rows.h"

static uint8_t *dots_of(const struct ht_tdfed_page *page,
                        const struct ht_tdfed_swath *swath, uint32_t row,
                        uint32_t ink)
{
    return swath->dots[row] + ink * (((size_t)page->width + 7) / 8);
}

/* Returns where the dots of a byte go: to the segment's edges if the byte has
 * dots of a neighbour, too, otherwise to the row. */
static uint8_t *edge_or_row(struct ht_tdfed_segment *segment, uint32_t row,
                            uint32_t ink, uint8_t *dots, uint32_t byte)
{
    if (byte == segment->begin / 8)
        return &segment->edge[ink][0][row];
    if (byte == segment->end / 8)
        return &segment->edge[ink][1][row];
    return dots + byte;
}

/* A call of memcpy() would take longer for so few. */
static void copy_bytes(uint8_t *to, const uint8_t *from, uint32_t count)
{
    for (; count >= 8; count -= 8, to += 8, from += 8)
        memcpy(to, from, 8);
    for (; count > 0; count--)
        *to++ = *from++;
}

void ht_tdfed_put_line(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *segment, uint32_t row,
                       uint32_t ink, struct ht_tdfed_line *line)
{
    uint8_t *to = dots_of(page, segment->swath, row, ink);
    uint8_t *from = line->byte;
    uint32_t base = line->begin / 64 * 8; /* the line's first byte */
    uint32_t first = line->begin / 8, end = (line->end + 7) / 8;

    assert(line->begin < line->end);

    from[first - base] &= (uint8_t)(0xff >> line->begin % 8);
    if (line->end % 8 != 0) {
        end--;
        from[end - base] &= (uint8_t)(0xff00 >> line->end % 8);
        *edge_or_row(segment, row, ink, to, end) |= from[end - base];
    }
    if (line->begin % 8 != 0 && first < end) {
        *edge_or_row(segment, row, ink, to, first) |= from[first - base];
        first++;
    }
    copy_bytes(to + first, from + (first - base), end - first);
}

static void add_dots(uint8_t *byte, uint8_t dots, bool shared)
{
    if (dots == 0)
        return;
    if (shared)
        __atomic_fetch_or(byte, dots, __ATOMIC_RELAXED);
    else
        *byte |= dots;
}

void ht_tdfed_join_edges(const struct ht_tdfed_page *page,
                         const struct ht_tdfed_segment *segment, bool shared)
{
    const struct ht_tdfed_swath *swath = segment->swath;

    if (swath->dots[0] == NULL)
        return;
    for (uint32_t ink = 0; ink < page->inks; ink++) {
        static const uint8_t none[2][HT_TDFED_ROWS];
        const uint8_t(*edge)[HT_TDFED_ROWS] = segment->edge[ink];

        if (memcmp(edge, none, sizeof none) == 0)
            continue;
        for (uint32_t row = 0; row < swath->rows; row++) {
            uint8_t *dots = dots_of(page, swath, row, ink);

            add_dots(dots + segment->begin / 8, edge[0][row], shared);
            add_dots(dots + segment->end / 8, edge[1][row], shared);
        }
    }
}
