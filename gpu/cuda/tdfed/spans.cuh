/*
 * spans.cuh - drops of several sizes, doc/dev/halftone.md "Drop sizes", whose
 * letters these are: the spans that a page's pixels may have, and a pixel's
 * drop.
 *
 * A span is a number: the pixel is white, or solid, or has the choice between
 * the sizes i and i + 1, or, with the one between left out, i and i + 2. Before
 * a band is diffused find_spans() (sizes.cu) finds those of its pixels, a word
 * each of band.spans:
 *
 *     bits 10..8    the span's number
 *     bits 7..0     l', which selects the parameters
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_SPANS_CUH
#define HT_GPU_TDFED_SPANS_CUH

#include "gpu/cuda/ptx.cuh"
#include "halftone/definition.h"

namespace
{

/* Numbers of spans: i is a size, 0..2. */
enum {
    WHITE_SPAN,
    SOLID_SPAN,
    TO_NEXT /* + i */,
    OVER_ONE = TO_NEXT + 3,
    SPANS = 8
};

/* No u is beyond it. */
constexpr int BEYOND_ALL = 1 << 20;

/* A span as the diffuser needs it, in two halves. */
struct alignas(16) Span {
    int high;       /* hi */
    int minus_wide; /* -D */
    int beyond;     /* where u is less, the drop is one size less, .. */
    int most;       /* where it is greater, one size more */
};
struct alignas(16) SpanEnds {
    int down;     /* lo less the next size below */
    int minus_up; /* hi less the next size above */
    int least;    /* that u - hi is held to, so that e is within -ONE */
    int sizes;    /* of hi, and in the upper half by how much lo's is less */
};

/* A span as the rules for inks together need it. */
struct alignas(8) SpanShare {
    int low, times; /* lo, and both factors of struct ht_share in one */

    /* Returns a* of a toned pixel's tone, and that of others as it is. */
    __device__ int of_tone(int tone) const
    {
        return (tone - low) * times >> 16;
    }
};

/* Returns that of a span `wide` wide; 0: it is not that of toned pixels. */
__device__ SpanShare share_of_span(int low, int wide)
{
    int factor = 1;

    if (wide == 0)
        return {0, 1 << 16};
    while (wide * factor < 1 << 15)
        factor *= 2;
    return {low, (1 << 30) / (wide * factor) * factor};
}

/* All spans of a page, in shared memory; a page of whole dots has none. */
template <bool SIZES> struct Spans {
};
template <> struct Spans<true> {
    Span span[SPANS];
    SpanEnds ends[SPANS];
    SpanShare share[SPANS];

    /* Fills in a span, 0..SPANS-1, if there may be such pixels. */
    __device__ void fill(const struct ht_sizes &sizes, int number)
    {
        const int most = (int)sizes.levels - 1;
        const bool toned = number >= TO_NEXT;
        const int first = (number - TO_NEXT) % 3;
        int low = number == SOLID_SPAN ? most : 0, high = low;

        if (toned) {
            low = min(first, most);
            high = min(first + (number >= OVER_ONE ? 2 : 1), most);
        }
        const int lo = sizes.area[low], hi = sizes.area[high], wide = hi - lo;
        const bool has_less = toned && low > 0, has_more = toned && high < most;
        const int less = has_less ? sizes.area[low - 1] : lo;
        const int more = has_more ? sizes.area[high + 1] : hi;

        span[number] = {hi, -wide, has_less ? lo - 3 * wide / 4 : -BEYOND_ALL,
                        has_more ? hi + 3 * wide / 4 : BEYOND_ALL};
        ends[number] = {lo - less, hi - more, less - HT_ONE - hi,
                        high | (high - low) << 16};
        share[number] = share_of_span(lo, wide);
    }
};

/* Returns R(t, 2 D) of a span. */
__device__ int part_of_span(const Span &span, int threshold)
{
    return (HT_ONE / 2 - threshold * span.minus_wide) >> 14;
}

/* Returns lo. */
__device__ int low_of(const Span &span)
{
    return span.high + span.minus_wide;
}

/* Comparison of a pixel's u with the areas: -1 = yes, 0 = no. */
struct Drop {
    int low;  /* below T */
    int down; /* so far below lo that the drop is one size less */
    int up;   /* so far above hi that it is one size more */

    /* Returns the row's sizes with this pixel's behind them. */
    __device__ uint32_t add_to(uint32_t sizes, const SpanEnds &ends) const
    {
        const int one_and_low = (int)__byte_perm((uint32_t)low, 1, 0x0004);
        const int others = (int)(sizes * 4) + down - up;

        return (uint32_t)__dp2a_lo(ends.sizes, one_and_low, others);
    }

    /* Returns by how much the drop's area is less than hi. */
    __device__ int less(const Span &span, const SpanEnds &ends) const
    {
        return low * span.minus_wide +
               ((down & ends.down) | (up & ends.minus_up));
    }
};

/* Returns e of a drop whose area is so much `less` than hi; u = left +
 * before. */
__device__ int error_of_drop(int left, int before, const Span &span,
                             const SpanEnds &ends, int less)
{
    return __viaddmin_s32(max(left + before - span.high, ends.least), less,
                          HT_ONE - 1);
}

} // namespace

#endif
