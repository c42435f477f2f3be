/*
 * marks.c - marks the columns of a swath.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/simd/dots.h"
#include "halftone/tdfed/marks.h"

static bool any_bit(ht_bytes v)
{
    uint64_t half[2];

    memcpy(half, &v, sizeof half);
    return (half[0] | half[1]) != 0;
}

#define AHEAD 2048 /* bytes: where samples come from memory next */

/* Says whether `size` bytes are all 0. Mostly the first few already say no. */
static bool all_zero(const uint8_t *bytes, size_t size)
{
    ht_bytes v, any;

    for (; size >= 64; size -= 64, bytes += 64) {
        any = (ht_bytes){0};
        __builtin_prefetch(bytes + AHEAD);
        for (unsigned i = 0; i < 64; i += sizeof v) {
            memcpy(&v, bytes + i, sizeof v);
            any |= v;
        }
        if (any_bit(any))
            return false;
    }
    for (; size > 0; size--)
        if (*bytes++ != 0)
            return false;
    return true;
}

/* ---- A row --------------------------------------------------------------- */

#define COLUMNS 512u /* at a time */

/* Makes levels of as many samples of 16 bits as are asked for, or up to 15
 * more: 0, 255 or, of all between, 128. */
static void find_levels(const uint8_t *samples, uint32_t count, uint8_t *level)
{
    for (uint32_t i = 0; i < count; i += 16, samples += 2 * sizeof(ht_words)) {
        ht_words a, b;

        memcpy(&a, samples, sizeof a);
        memcpy(&b, samples + sizeof a, sizeof b);
        ht_bytes full = ht_join_masks((ht_words)(a == UINT16_MAX),
                                      (ht_words)(b == UINT16_MAX));
        ht_bytes none = ht_join_masks((ht_words)(a == 0), (ht_words)(b == 0));
        ht_bytes levels = full | (~none & HT_LEVELS / 2);
        memcpy(level + i, &levels, sizeof levels);
    }
}

/* Marks the next columns of a row, at most COLUMNS, and goes on behind them.
 * Only the last ones of the row may be no whole words. */
static void mark_some(const struct ht_tdfed_page *page,
                      struct ht_tdfed_marking *to, const uint8_t *samples,
                      uint32_t count, uint8_t near)
{
    const size_t size = page->bits / 8, whole = count / 64 * 64;
    uint8_t level[COLUMNS], few[2 * 64] = {0}, dots[3 * 8], *end;

    if (page->bits == 16)
        find_levels(samples, (uint32_t)whole, level);
    page->kernel->mark(to, page->bits == 8 ? samples : level, whole / 64, near);
    if (whole == count)
        return;
    memcpy(few, samples + whole * size, (count - whole) * size);
    if (page->bits == 16)
        find_levels(few, 64, few);
    end = to->dots;
    to->dots = end != NULL ? dots : NULL;
    page->kernel->mark(to, few, 1, near);
    if (end != NULL)
        memcpy(end, dots, ((count - whole) * page->dot_bits + 7) / 8);
}

static void mark_ink(const struct ht_tdfed_page *page,
                     struct ht_tdfed_marking *to, const uint8_t *samples,
                     uint8_t near)
{
    const size_t size = page->bits / 8;

    for (uint32_t x = 0; x < page->width; x += COLUMNS) {
        uint32_t left = page->width - x;

        mark_some(page, to, samples + x * size, left < COLUMNS ? left : COLUMNS,
                  page->bits == 8 ? near : 0);
    }
}

void ht_tdfed_mark_row(const struct ht_tdfed_page *page,
                       struct ht_tdfed_swath *swath, const uint8_t *samples,
                       uint32_t inks, uint8_t *dots)
{
    const size_t words = ht_tdfed_mark_words(page->width);
    const size_t size = (size_t)page->width * (page->bits / 8);

    for (uint32_t ink = 0; ink < page->inks; ink++, samples += size) {
        const uint32_t bit = (uint32_t)1 << ink;
        uint64_t *line = ht_tdfed_line_of(page, swath, ink, 0);
        uint8_t *own = dots != NULL ? dots + ink * page->plane : NULL;

        if ((inks & bit) == 0 || all_zero(samples, size)) {
            swath->whole &= ~bit;
            if (own != NULL)
                memset(own, 0, page->plane);
            continue;
        }
        if ((swath->inks & bit) == 0)
            memset(line, 0, HT_TDFED_MARKS * words * sizeof *line);
        swath->inks |= bit;
        struct ht_tdfed_marking to = {
            .toned = line + words * (own != NULL ? HT_TDFED_HAS_TONED
                                                 : HT_TDFED_HAS_TONED_BELOW),
            .solid = line + words * HT_TDFED_HAS_SOLID,
            .forced = line + words * HT_TDFED_HAS_FORCED,
            .far = line + words * HT_TDFED_HAS_FAR,
            .dots = own,
            .largest = (uint8_t)(page->sizes->levels - 1)};
        mark_ink(page, &to, samples, page->lookup[ink].near_extremity);
    }
}
