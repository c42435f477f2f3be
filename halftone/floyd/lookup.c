/*
 * lookup.c - makes what pixels have the choice between of a page's sizes of
 * drops.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/floyd/lookup.h"
#include "halftone/sizes.h"

/* Puts the limit of size i, 1.., of choice `number`, between these sizes. */
static void put_limit(struct ht_floyd_choices *choices,
                      const struct ht_sizes *sizes, const struct ht_span *span,
                      uint32_t i, unsigned number)
{
    const int32_t d = span->high - span->low, beyond = 3 * d / 4;
    const uint32_t low = ht_size_of(sizes, span->low);
    const uint32_t high = ht_size_of(sizes, span->high);
    int32_t base = INT16_MAX, minus = 0;

    if (i < low)
        base = INT16_MIN;
    else if (i == low)
        base = span->low - beyond - 1;
    else if (i <= high) {
        base = span->low - 1;
        minus = -2 * d;
    } else if (i == high + 1 && i < sizes->levels)
        base = span->high + beyond;
    choices->base[i - 1][number] = (int16_t)base;
    choices->minus[i - 1][number] = (int16_t)minus;
    choices->alone[i - 1][number] =
        (int16_t)(base + ht_weighted(-HT_ONE / 2, minus));
}

/* Fills the choices of inks that leave out this size. */
static void fill_choices(struct ht_floyd_choices *choices,
                         const struct ht_sizes *sizes, uint32_t left_out)
{
    for (unsigned number = 0; number < HT_FLOYD_CHOICES; number++) {
        const bool mixes = sizes->mixed > 0;
        const uint32_t most = sizes->levels - 1;
        const uint32_t reached = mixes           ? number % HT_FLOYD_LEAVES
                                 : number < most ? number
                                                 : most;
        const bool leaves = mixes && (number >= HT_FLOYD_LEAVES ||
                                      sizes->mixed == HT_MAX_MIXED);
        const struct ht_span span = ht_span_of(
            sizes, sizes->area[reached], HT_LEVELS / 2, leaves ? left_out : 0);

        const struct ht_share share = ht_share_of(span.high - span.low);

        choices->both[number] = (int16_t)(span.low + span.high - 1);
        choices->low[number] = (int16_t)span.low;
        choices->less[number] = (int16_t)(1 - 2 * span.high);
        choices->factor[number] = (int16_t)share.factor;
        choices->times[number] = (int16_t)share.times;
        for (uint32_t i = 1; i <= HT_FLOYD_SIZES; i++)
            put_limit(choices, sizes, &span, i, number);
    }
}

static void fill_leaves(const struct ht_sizes *sizes, const uint8_t *pattern,
                        uint32_t copy, int16_t leaves[][HT_FLOYD_LEAVES_ROW])
{
    for (uint32_t r = 0; r < HT_PATTERN_SIZE; r++)
        for (uint32_t x = 0; x < HT_PATTERN_SIZE; x++) {
            int16_t *row = leaves[(x + HT_FLOYD_LAG * r) % HT_PATTERN_SIZE];
            uint32_t at = HT_FLOYD_LEAVES_ROW - 1 - r;
            bool leaves_out =
                sizes->mixed > 0 && ht_leaves_out(sizes, pattern, copy, r, x);

            row[at] =
                HT_FLOYD_PLACES + leaves_out * HT_FLOYD_LEAVES * HT_FLOYD_STEP;
            if (at >= HT_PATTERN_SIZE)
                row[at - HT_PATTERN_SIZE] = row[at];
        }
}

void ht_floyd_fill_sizes(const ht_page_t *page, struct ht_floyd_sizes *sizes)
{
    const struct ht_sizes own = ht_sizes_of(page);

    *sizes = (struct ht_floyd_sizes){.sizes = own.levels - 1,
                                     .mixes = own.mixed % HT_MAX_MIXED != 0,
                                     .dot_bits = own.levels > 4 ? 4 : 2};
    for (uint32_t i = 1; i < own.levels; i++)
        sizes->more[i - 1] = (int16_t)(own.area[i] - own.area[i - 1]);
    for (uint32_t i = 1; i < HT_FLOYD_SIZES; i++)
        sizes->reaches[i - 1] =
            (int16_t)(i + 1 < own.levels ? own.area[i] - 1 : INT16_MAX);
    for (uint32_t left_out = 1; left_out <= 2; left_out++)
        fill_choices(&sizes->choice[left_out - 1], &own, left_out);
    for (uint32_t copy = 0; copy < 2; copy++)
        fill_leaves(&own, page->table->pattern, copy, sizes->leaves[copy]);
}
