/*
 * targets.cuh - finds the targets of a pixel's error, which keeps to toned
 * pixels. If a pixel or a target of its error is white or solid, the feeder
 * writes the diffuser a TargetWord:
 *
 *   bits 31..16   noise for the pixel below, if this one is white or solid
 *                 and that one is toned, NOISE; the threshold, if this one is
 *                 toned and that one is not, THRESHOLD; else 0
 *   bits 12..7    TARGET_AHEAD, ..
 *   bit 6         as bit 2, for takes()
 *   bits 5..0     pixels of the row below are toned, columns +1, 0, .. -4
 *
 * Pixels beyond the segment's ends count as white.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_TARGETS_CUH
#define HT_GPU_TDFED_TARGETS_CUH

#include "gpu/cuda/tdfed/lookup.cuh"
#include "gpu/cuda/tdfed/samples.cuh"

namespace
{

/* Further bits of a TargetWord, from FIRST_FACT on. REST_..: where the rest of
 * an error goes if not straight down. */
enum Fact {
    TWO_BEHIND,   /* as bit 2 of the word */
    TARGET_AHEAD, /* the next pixel of the row is toned */
    REST_AHEAD,   /* to the next pixel, */
    REST_BEHIND_DOWN,
    REST_AHEAD_DOWN,
    THRESHOLD,
    NOISE,
    FACTS
};

/* Word of a pixel for the diffuser. */
struct TargetWord {
    static constexpr int FIRST_FACT = 6;
    int word;

    __device__ bool says(Fact fact) const
    {
        return word & 1 << (FIRST_FACT + fact);
    }

    __device__ bool below(int column) const
    {
        return word & 1 << (HT_GPU_REACH + column);
    }

    /* Says whether the one column that is set in `columns` and `far`, as Spread
     * has them, is toned. */
    __device__ bool takes(int columns, int far) const
    {
        /* Bits 0, 5: columns -4, +1; 21: -2. */
        const int bits = far + columns * 32;

        return ((bits | bits >> 15) & 0x61 & word) != 0;
    }

    __device__ int number() const
    {
        return word >> 16;
    }
};

/* Returns four levels' bits, the first one's lowest: set where the level is
 * neither 0 nor 255. */
__device__ uint32_t toned_bits(uint32_t levels)
{
    return (neither_end(levels) >> 7 & 0x01010101u) * 0x01020408u >> 24 & 0xf;
}

/* Returns the bits of positions `from`.. that lie in a segment. */
__device__ uint64_t bits_inside(const Lane &lane, int from)
{
    const int begin = min(max(-from, 0), 63);
    const int end = min(max(lane.length - from, begin), 63);

    return (1ull << end) - (1ull << begin);
}

/* Returns the bits that some lane has. */
__device__ uint32_t any_bits(uint32_t bits)
{
#pragma unroll
    for (int lanes = LANES / 2; lanes > 0; lanes /= 2)
        bits |= __shfl_xor_sync(ALL, bits, lanes);
    return bits;
}

/* Parameters of the feeder for whole dots, and for several sizes; pixel 4 * i +
 * k of its chunk. */
struct WholeDots {
    static constexpr int NOISE = 0; /* the entries that have it */

    /* Returns the levels that select the parameters of pixels 4 * i .., of
     * these levels. */
    __device__ uint32_t levels(uint32_t four, int) const
    {
        return four;
    }

    /* Returns the Word of a pixel of 16 bits. */
    __device__ uint32_t word(int, int, int offset, int tone) const
    {
        return (uint32_t)Word<true>::make(offset, tone);
    }

    /* Returns the threshold (T) of a pixel whose error does not go straight
     * down: by chance, unless it goes aside. */
    __device__ int limit(int, int, int tone, int chance, uint32_t aside) const
    {
        const int rest = HT_ONE - tone - chance;

        return chance + (int)aside * rest;
    }

    /* Returns the tone that the rules for inks together see. */
    __device__ int tone_met(int, int, int tone) const
    {
        return tone;
    }
};
template <int CHUNK> struct SomeSizes {
    static constexpr int NOISE = HT_LEVELS;
    const Spans<true> &spans;
    const SpanWords<CHUNK> &words;

    __device__ uint32_t levels(uint32_t, int i) const
    {
        return words.levels(i);
    }

    __device__ uint32_t word(int i, int k, int offset, int tone) const
    {
        return (uint32_t)Word<true, true>::make(offset, tone, words.span(i, k));
    }

    __device__ int limit(int i, int k, int tone, int chance,
                         uint32_t aside) const
    {
        const Span &span = spans.span[words.span(i, k)];
        const int limit = part_of_span(span, chance);
        const int rest = span.high - tone - limit;

        return low_of(span) + limit + (int)aside * rest;
    }

    __device__ int tone_met(int i, int k, int tone) const
    {
        return spans.share[words.span(i, k)].of_tone(tone);
    }
};

template <class K>
__device__ auto sizes_of(const typename K::Shared &shared,
                         const SpanWords<K::CHUNK> &words)
{
    if constexpr (K::SIZES)
        return SomeSizes<K::CHUNK>{shared, words};
    else
        return WholeDots();
}

/* A lane's samples of the row below, a chunk at a time, and the targets of its
 * pixels. */
template <int CHUNK> struct Targets {
    static constexpr int WORDS = CHUNK / 4;
    Reader<CHUNK> levels = {};
    uint32_t level[WORDS] = {}; /* of the row below, */
    uint32_t last = 0;          /* of the four columns before, */
    uint32_t next = 0;          /* and of the one behind; */
    uint32_t own_next = 0;      /* that one's of the lane's own row */
    int more = 0;               /* chunks that still need words */
    static_assert(HT_GPU_REACH == 4, "the columns before");

    /* As Samples::open(). Columns before the first chunk are in no segment. */
    __device__ void open(const Lane &lane)
    {
        level[WORDS - 1] = 0x01010101u;
        if (lane.length > 0)
            levels.open(lane.below + lane.column(-lane.lag), 1, lane.step < 0);
    }

    /* Takes the next chunk, which `own` has arranged, and asks for the one
     * behind it. */
    template <class Samples>
    __device__ void arrange(const Lane &lane, const Samples &own)
    {
        last = level[WORDS - 1];
        levels.get(level);
        next = levels.peek();
        own_next = own.levels.peek();
        if (lane.length > 0)
            levels.ask();
    }

    /* Returns whether some pixel that the chunk's errors may go to is not
     * toned, in the segment or beyond. */
    __device__ bool any_flat() const
    {
        uint32_t toned =
            neither_end(last) & neither_end(next | own_next << 8 | 0x01010000u);

#pragma unroll
        for (int i = 0; i < WORDS; i++)
            toned &= neither_end(level[i]);
        return (toned & 0x80808080u) != 0x80808080u;
    }

    __device__ bool all_white() const
    {
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < WORDS; i++)
            any |= level[i];
        return any == 0;
    }

    /* Returns whether a chunk needs words: where it is `flat`, and behind that,
     * to where errors and what inks know of each other may be on their way. */
    __device__ bool goes_on(bool flat, int inks)
    {
        const bool needs = flat || more > 0;

        more = flat ? 1 + (inks > MOST_INKS) : max(more - 1, 0);
        return needs;
    }

    /* Adds the numbers of pixels 4 * i .. 4 * i + 3 to their words; `x`: the
     * first one's column. Bit k of `threshold` and `noise`: pixel k has such a
     * number; of `aside`: it has where to give the rest of its error. Products
     * choose, since the compiler would make branches of choices: so the loads
     * of four pixels are under way together. */
    template <class Samples, class Sizes>
    __device__ void
    add_numbers(int4 &words, const Lane &lane, const Samples &own,
                const Sizes &sizes, const ht_gpu_entry *entries, int i, int x,
                uint32_t threshold, uint32_t noise, uint32_t aside) const
    {
        const uint32_t under = element(level, i);
        int weight[4];

#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint32_t has = noise >> k & 1;
            const uint32_t at = has * (under >> 8 * k & 0xff);

            weight[k] =
                (int)(has *
                      (__ldg(&entries[Sizes::NOISE + at].column_noise) >> 16));
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int any =
                ht_noise(lane.noise_line, (uint32_t)(x + lane.step * k));
            const int chance = ((any - INT16_MIN) >> 2) + 1;
            const int limit =
                sizes.limit(i, k, own.tone_at(i, k), chance, aside >> k & 1);
            const int number =
                (int)(threshold >> k & 1) * limit + ht_weighted(any, weight[k]);

            word_of(words, k) |= (int)((uint32_t)number << 16);
        }
    }

    /* Writes the words of a chunk whose first pixel has position `begin`. */
    template <class Samples, class Sizes>
    __device__ void write(int *to, const Lane &lane, const Samples &own,
                          const Sizes &sizes, const ht_gpu_entry *entries,
                          int begin) const
    {
        uint64_t below = toned_bits(last) | (uint64_t)toned_bits(next)
                                                << (HT_GPU_REACH + CHUNK);
        uint64_t row = (uint64_t)toned_bits(own_next) << CHUNK;

#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            row |= (uint64_t)toned_bits(own.level[i]) << 4 * i;
            below |= (uint64_t)toned_bits(level[i]) << (HT_GPU_REACH + 4 * i);
        }
        row &= bits_inside(lane, begin);
        below &= bits_inside(lane, begin - HT_GPU_REACH);
        const uint32_t own_toned = (uint32_t)row;
        const uint32_t under = (uint32_t)(below >> HT_GPU_REACH);
        const uint32_t ahead = (uint32_t)(row >> 1);
        const uint32_t behind_down = (uint32_t)(below >> (HT_GPU_REACH - 1));
        const uint32_t ahead_down = (uint32_t)(below >> (HT_GPU_REACH + 1));
        const uint32_t aside = ahead | behind_down | ahead_down;
        const uint32_t numbered = any_bits(own_toned ^ under);
        uint32_t facts[FACTS];

        facts[TWO_BEHIND] = (uint32_t)(below >> (HT_GPU_REACH - 2));
        facts[TARGET_AHEAD] = ahead;
        facts[REST_AHEAD] = ~under & ahead;
        facts[REST_BEHIND_DOWN] = ~under & ~ahead & behind_down;
        facts[REST_AHEAD_DOWN] = ~under & ~ahead & ~behind_down & ahead_down;
        facts[THRESHOLD] = own_toned & ~under;
        facts[NOISE] = ~own_toned & under;

#pragma unroll 1
        for (int i = 0; i < CHUNK; i += 4) {
            uint32_t bytes = 0;
            int4 four;

#pragma unroll
            for (int fact = 0; fact < FACTS; fact++)
                bytes |= spread_bits(facts[fact] >> i) << fact;
#pragma unroll
            for (int k = 0; k < 4; k++)
                word_of(four, k) =
                    (int)((uint32_t)(below >> (i + k)) & 0x3f |
                          (bytes >> 8 * k & 0xff) << TargetWord::FIRST_FACT);
            if (numbered >> i & 0xf)
                add_numbers(four, lane, own, sizes, entries, i / 4,
                            lane.column(begin + i), facts[THRESHOLD] >> i,
                            facts[NOISE] >> i, aside >> i);
            *(int4 *)(to + i) = four;
        }
    }
};

} // namespace

#endif
