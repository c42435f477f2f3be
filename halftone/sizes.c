/*
 * sizes.c - drops of several sizes, doc/dev/halftone.md "Drop sizes" line by
 * line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "halftone/sizes.h"

/* Offset of the pattern where it decides whether a pixel leaves a size out: to
 * the left and up, once or more often. */
#define MIXED_RIGHT 53
#define MIXED_DOWN 29

uint32_t ht_dot_bits(uint32_t levels)
{
    return levels <= 2 ? 1 : levels <= 4 ? 2 : 3;
}

uint32_t ht_size_at(const uint8_t *row, uint32_t levels, uint32_t x)
{
    const uint32_t bits = ht_dot_bits(levels);
    const size_t bit = (size_t)bits * x, at = bit / 8, end = bit % 8 + bits;
    const uint32_t both = (uint32_t)row[at] << 8 | (end > 8 ? row[at + 1] : 0);

    return both >> (16 - end) & ((1u << bits) - 1);
}

struct ht_sizes ht_sizes_of(const ht_page_t *page)
{
    struct ht_sizes one = HT_ONE_SIZE,
                    sizes = {.levels = page->levels, .mixed = page->mixed};

    if (page->levels <= 2)
        return one;
    for (uint32_t i = 1; i < page->levels; i++)
        sizes.area[i] = page->area[i - 1];
    return sizes;
}

uint32_t ht_size_left_out(uint32_t ink, uint32_t inks, uint32_t levels)
{
    const uint32_t black = ht_black_inks(inks);
    const bool magenta = ink >= black && (ink - black) % 3 == 1;

    return magenta == (levels == HT_MIXED_LEVELS) ? 2 : 1;
}

bool ht_leaves_out(const struct ht_sizes *sizes, const uint8_t *pattern,
                   uint32_t copy, uint64_t row, uint32_t x)
{
    uint32_t turn = 0; /* of the pixel, 0..15 */

    for (uint32_t i = 1; i <= 4; i++)
        turn = 2 * turn + ht_pattern_dot(pattern, copy, row + MIXED_DOWN * i,
                                         x + MIXED_RIGHT * i);
    return turn < sizes->mixed;
}

struct ht_span ht_span_of(const struct ht_sizes *sizes, int32_t tone,
                          uint8_t level, uint32_t left_out)
{
    struct ht_span span = {0, HT_ONE, level};

    for (uint32_t i = 1; i + 1 < sizes->levels; i++) {
        int32_t area = sizes->area[i];

        if (i == left_out)
            continue;
        if (area <= tone)
            span.low = area;
        else if (area < span.high)
            span.high = area;
    }
    int32_t d = span.high - span.low;
    if (ht_toned(level) && d < HT_ONE) {
        int32_t l = (510 * (tone - span.low) + d) / (2 * d);

        span.level = (uint8_t)(l < 1 ? 1 : l > 254 ? 254 : l);
    }
    return span;
}

struct ht_share ht_share_of(int32_t wide)
{
    int32_t factor = 1;

    while (wide * factor < 1 << 15)
        factor *= 2;
    return (struct ht_share){factor, (1 << 30) / (wide * factor)};
}

int32_t ht_share_at(const struct ht_span *span, int32_t tone)
{
    const struct ht_share share = ht_share_of(span->high - span->low);
    const uint32_t above = (uint32_t)((tone - span->low) * share.factor);

    return (int32_t)(above * (uint32_t)share.times >> 16);
}

int16_t ht_noise_where_begins(const struct ht_sizes *sizes,
                              const ht_table_t *table, uint8_t level)
{
    struct ht_span span = ht_span_of(sizes, ht_tone_of(level, 255), level, 0);

    return (int16_t)ht_part(table->level[span.level].noise,
                            span.high - span.low);
}

uint32_t ht_size_of(const struct ht_sizes *sizes, int32_t area)
{
    uint32_t size = 0;

    while (size + 1 < sizes->levels && sizes->area[size + 1] <= area)
        size++;
    return size;
}

int32_t ht_threshold_tone(const struct ht_sizes *sizes, uint32_t i)
{
    return (sizes->area[i - 1] + sizes->area[i] + 1) / 2;
}

int32_t ht_screen_tone(const struct ht_sizes *sizes, uint32_t cells, uint32_t i,
                       int32_t rank)
{
    int32_t c = (int32_t)(cells ? cells : HT_DEFAULT_CELLS);
    int32_t group = 2 * c * c; /* ranks whose dots grow together */
    int32_t first = rank / group * group;
    int32_t n = group < HT_ONE - first ? group : HT_ONE - first;
    int32_t before = sizes->area[i - 1], more = sizes->area[i] - before;

    return first + ((before * n + (rank - first) * more) >> 14) + 1;
}
