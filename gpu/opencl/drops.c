/*
 * drops.c - makes what kernels know of drops of several sizes; see drops.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "gpu/opencl/drops.h"
#include "halftone/sizes.h"

/* Numbers of spans, drops.cl: from each size to the next, then to the one
 * behind that; then those of one drop. */
#define BARE 5
#define WHOLE 6

/* Limits beyond every u. */
#define NEVER_LESS (-(1 << 20))
#define NEVER_MORE (1 << 20)

static int32_t drop_of(const struct ht_sizes *sizes, uint32_t size)
{
    return sizes->area[size] << 2 | (int32_t)size;
}

static struct ht_cl_span span_between(const struct ht_sizes *sizes,
                                      uint32_t low, uint32_t high)
{
    const uint32_t largest = sizes->levels - 1;
    const int32_t lo = sizes->area[low], hi = sizes->area[high], d = hi - lo;
    const struct ht_share share = ht_share_of(d > 0 ? d : HT_ONE);

    return (struct ht_cl_span){
        .low = drop_of(sizes, low),
        .high = drop_of(sizes, high),
        .below = drop_of(sizes, low > 0 ? low - 1 : 0),
        .above = drop_of(sizes, high < largest ? high + 1 : largest),
        .least = low > 0 ? lo - 3 * d / 4 : NEVER_LESS,
        .most = high < largest ? hi + 3 * d / 4 : NEVER_MORE,
        .wide = d,
        .low_area = lo,
        .factor = share.factor,
        .times = share.times};
}

/* One drop whatever u is, and the parameters of the pixel's own level. */
static struct ht_cl_span span_of_one(const struct ht_sizes *sizes,
                                     uint32_t size)
{
    struct ht_cl_span span = span_between(sizes, size, size);

    span.least = NEVER_LESS;
    span.most = NEVER_MORE;
    span.wide = HT_ONE;
    return span;
}

struct ht_cl_drops ht_cl_drops_of(const ht_page_t *page)
{
    const struct ht_sizes sizes = ht_sizes_of(page);
    const uint32_t largest = sizes.levels - 1;
    struct ht_cl_drops drops = {.sizes = (int32_t)largest};

    for (uint32_t number = 0; number < BARE; number++) {
        uint32_t low = number % 3, high = low + 1 + number / 3;

        if (high <= largest)
            drops.span[number] = span_between(&sizes, low, high);
    }
    drops.span[BARE] = span_of_one(&sizes, 0);
    drops.span[WHOLE] = span_of_one(&sizes, largest);
    for (uint32_t i = 1; i < HT_MIXED_LEVELS - 1; i++)
        drops.inner[i - 1] = i < largest ? sizes.area[i] : HT_ONE + 1;
    for (uint32_t ink = 0; ink < page->inks; ink++) {
        uint32_t size = ht_size_left_out(ink, page->inks, page->levels);

        drops.left_out[ink] =
            sizes.mixed > 0 && size < largest ? (int32_t)size : 0;
    }
    return drops;
}

void ht_cl_fill_bitmaps(const ht_page_t *page, uint8_t *bitmaps)
{
    const struct ht_sizes sizes = ht_sizes_of(page);
    const uint8_t *pattern = page->table->pattern;

    memcpy(bitmaps, pattern, HT_PATTERN_BYTES);
    memset(bitmaps + HT_PATTERN_BYTES, 0, 2 * HT_PATTERN_BYTES);
    for (uint32_t copy = 0; copy < 2; copy++)
        for (uint32_t i = 0; i < 8 * HT_PATTERN_BYTES; i++) {
            bool leaves =
                ht_leaves_out(&sizes, pattern, copy, i / HT_PATTERN_SIZE,
                              i % HT_PATTERN_SIZE);

            bitmaps[(1 + copy) * HT_PATTERN_BYTES + i / 8] |=
                (uint8_t)(leaves << (7 - i % 8));
        }
}
