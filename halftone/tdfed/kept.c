/*
 * kept.c - lays where shares that keep to toned pixels may go.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/tdfed/kept.h"

static void mirror_levels(uint8_t *to, const uint8_t *from, uint32_t count)
{
    uint64_t eight;

    for (; count >= sizeof eight; count -= sizeof eight, from += sizeof eight) {
        memcpy(&eight, from, sizeof eight);
        eight = __builtin_bswap64(eight);
        memcpy(to + count - sizeof eight, &eight, sizeof eight);
    }
    for (; count > 0; count--)
        to[count - 1] = *from++;
}

/* Copies levels of a row of a segment, in scan order: columns from..to-1, which
 * may lie outside of it and are 0 there. */
static void copy_levels(const struct ht_tdfed_page *page,
                        const struct ht_tdfed_segment *segment, uint32_t row,
                        uint32_t ink, int32_t from, int32_t to, uint8_t *level,
                        struct ht_tdfed_space *space)
{
    struct part part = {at_least(from, 0),
                        at_most(to, (int32_t)length_of(segment)), 0};
    uint32_t count = (uint32_t)at_least(part.to - part.from, 0);

    memset(level, 0, (size_t)(to - from));
    if (count == 0)
        return;
    const uint8_t *samples = ht_tdfed_samples(page, segment->swath, row, ink) +
                             leftmost(segment, &part) * (page->bits / 8);
    if (page->bits == 16) {
        ht_tones_from_samples(samples, 16, count, space->tone, space->level);
        samples = space->level;
    }
    level += part.from - from;
    if (segment->swath->step > 0)
        memcpy(level, samples, count);
    else
        mirror_levels(level, samples, count);
}

/* Returns ht_tdfed_tape.noise of a pixel in column x of a row (r), from its
 * level and from that of the pixel below. */
static int16_t noise_at(const struct ht_tdfed_page *page, uint32_t ink,
                        uint64_t row, uint32_t x, uint8_t level, uint8_t below)
{
    int32_t noise = ht_noise(ht_noise_line(row, ink), x);

    if (ht_toned(level))
        return (int16_t)((noise - INT16_MIN) >> 2);
    return (int16_t)ht_weighted(noise, page->lookup[ink].noise[below]);
}

void ht_tdfed_lay_kept(const struct ht_tdfed_section *section,
                       const struct ht_tdfed_segment *segment, uint32_t ink,
                       uint32_t row, const struct part *part, unsigned lane,
                       struct ht_tdfed_tape *tape, struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;
    const struct ht_tdfed_swath *swath = segment->swath;
    uint32_t begin = (uint32_t)(part->from + part->offset);
    uint32_t count = (uint32_t)(part->to - part->from);
    uint8_t *kept = tape->kept[lane] + begin, after[2 * HT_TDFED_MAX_LANES];
    uint64_t eight;

    copy_levels(page, segment, row, ink, part->from, part->to + 1, space->row,
                space);
    copy_levels(page, segment, row + 1, ink, part->from - HT_TDFED_REACH,
                part->to + 1, space->below, space);
    memcpy(after, kept + count, sizeof after);
    page->kernel->keep(kept, space->row, space->below, count);
    memcpy(kept + count, after, sizeof after);
    for (uint32_t i = 0; i < count; i += sizeof eight) {
        memcpy(&eight, kept + i, sizeof eight);
        if ((eight & 0x8080808080808080) == 0)
            continue;
        for (uint32_t c = i; c < i + sizeof eight && c < count; c++) {
            uint32_t column = (uint32_t)part->from + c;
            uint32_t x = swath->step > 0 ? segment->begin + column
                                         : segment->end - 1 - column;

            if ((kept[c] & HT_TDFED_NEEDS_NOISE) != 0)
                tape->noise[begin + c][lane] = noise_at(
                    page, ink, swath->row + row,
                    page->gathered != NULL ? page->gathered->column[x] : x,
                    space->row[c], space->below[c + HT_TDFED_REACH]);
        }
    }
}
