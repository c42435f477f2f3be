/*
 * spans.c - the spans of tones of 16 bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/tdfed/spans.h"

#define ANY_TONED (HT_LEVELS / 2)

/* Returns the span over the size that is left out; of a size that is not, any
 * span. */
static struct ht_span over(const struct ht_sizes *sizes, uint32_t left_out)
{
    return ht_span_of(sizes, sizes->area[left_out], ANY_TONED, left_out);
}

struct ht_span ht_tdfed_slot(const struct ht_sizes *sizes, uint32_t left_out,
                             uint32_t slot)
{
    if (sizes->mixed > 0 && slot == HT_TDFED_SLOT_OVER)
        return over(sizes, left_out);
    return ht_span_of(sizes, sizes->area[slot < sizes->levels ? slot : 0],
                      ANY_TONED, 0);
}

/* Returns the slot of the span of a tone of pixels that leave a size out. */
static uint32_t slot_of(const struct ht_sizes *sizes, uint32_t left_out,
                        int32_t tone)
{
    struct ht_span span = ht_span_of(sizes, tone, ANY_TONED, left_out);
    uint32_t low = ht_size_of(sizes, span.low);

    return ht_size_of(sizes, span.high) == low + 1 ? low : HT_TDFED_SLOT_OVER;
}

void ht_tdfed_fill_spans(const struct ht_sizes *sizes, uint32_t left_out,
                         struct ht_tdfed_spans *spans)
{
    const int32_t highest = ht_span_of(sizes, HT_ONE, ANY_TONED, left_out).low;

    for (uint32_t slot = 1; slot < HT_TDFED_SLOTS; slot++)
        spans->from[slot] =
            (int16_t)(slot + 1 < sizes->levels ? sizes->area[slot] : INT16_MAX);
    spans->below = slot_of(sizes, left_out, 0);
    spans->above = slot_of(sizes, left_out, HT_ONE);
    spans->over = (int16_t)(highest > 0 ? highest : INT16_MAX);
    for (uint32_t slot = 0; slot < HT_TDFED_SLOTS; slot++) {
        struct ht_span span = ht_tdfed_slot(sizes, left_out, slot);
        int32_t wide = span.high - span.low;
        int32_t factor = ht_share_of(wide).factor;

        spans->low[slot] = span.low;
        spans->wide[slot] = wide;
        spans->factor[slot] = factor;
        spans->times[slot] =
            (int32_t)(((int64_t)128 * 255 << 16) / (wide * factor));
    }
}
