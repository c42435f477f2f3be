/*
 * samples.cuh - samples from any address.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_SAMPLES_CUH
#define HT_GPU_FLOYD_SAMPLES_CUH

#include "gpu/floyd/tape.cuh"

namespace
{

/* Bytes from any address, `BYTES` of them, a multiple of 8. Up to 7 bytes
 * before and behind them are read, too. */
template <int BYTES> struct Window {
    uint2 pair[BYTES / 8 + 1];
    unsigned shift; /* bytes */

    __device__ void load(const void *from)
    {
        uintptr_t at = (uintptr_t)from;
        const uint2 *aligned = (const uint2 *)(at & ~(uintptr_t)7);

        shift = at & 7;
#pragma unroll
        for (int i = 0; i <= BYTES / 8; i++)
            pair[i] = __ldg(aligned + i);
    }

    __device__ void get(uint32_t *words) const
    {
        const uint32_t selector = 0x3210 + 0x1111 * (shift & 3);
        const bool odd = shift & 4;

#pragma unroll
        for (int i = 0; i < BYTES / 8; i++) {
            uint32_t low = odd ? pair[i].y : pair[i].x;
            uint32_t middle = odd ? pair[i + 1].x : pair[i].y;
            uint32_t high = odd ? pair[i + 1].y : pair[i + 1].x;
            words[2 * i] = __byte_perm(low, middle, selector);
            words[2 * i + 1] = __byte_perm(middle, high, selector);
        }
    }
};

/* A lane's samples of a chunk, from column `from`; what lies outside the page
 * is white. */
template <bool DEEP> struct Samples {
    static constexpr int WORDS = CHUNK / 4;
    Window<CHUNK> level_words;
    Window<DEEP ? 2 * CHUNK : 8> tone_words;
    uint32_t level[WORDS];
    uint32_t
        beyond[WORDS]; /* bytes of the page 0, others of no special level */
    uint32_t deep_tone[DEEP ? 2 * WORDS : 2];

    __device__ void load(const Lane &lane, int from)
    {
        level_words.load(lane.level + from);
        if (DEEP)
            tone_words.load(lane.tone + from);
    }

    __device__ void arrange(const Lane &lane, int from)
    {
        level_words.get(level);
        if (DEEP)
            tone_words.get(deep_tone);
        for (uint32_t &bytes : beyond)
            bytes = 0;
        if (__any_sync(ALL, from < 0 || from + CHUNK > lane.width))
            cut(lane, from);
    }

    /* Makes what lies outside the page white. */
    __device__ void cut(const Lane &lane, int from)
    {
#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            const int before = max(-(from + 4 * i), 0);
            const int behind = max(from + 4 * i + 4 - lane.width, 0);
            const uint32_t inside = __funnelshift_lc(0, ALL, 8 * before) &
                                    __funnelshift_rc(ALL, 0, 8 * behind);

            level[i] &= inside;
            beyond[i] = ~inside & 0x10101010;
            if (DEEP) {
                deep_tone[2 * i] &= __byte_perm(inside, 0, 0x1100);
                deep_tone[2 * i + 1] &= __byte_perm(inside, 0, 0x3322);
            }
        }
    }

    /* Four levels; outside the page ones that are nothing special. */
    __device__ uint32_t level_there(int i) const
    {
        return level[i] | beyond[i];
    }

    __device__ bool white() const
    {
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < WORDS; i++)
            any |= level[i];
        return any == 0;
    }

    /* Whether some pixel of the page is white or solid, or close to it: 16-bit
     * samples of levels 1 and 254 can have tones within 3 of 0 and of ONE. One
     * more than such a level, or 2, is less than 2, or 4. */
    __device__ bool some_special() const
    {
        constexpr uint32_t ONES = 0x01010101, TOPS = 0x80808080;
        constexpr uint32_t MORE = DEEP ? 2 * ONES : ONES;
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            uint32_t there = level_there(i);
            uint32_t next = ((there & ~TOPS) + MORE) ^ (there & TOPS);
            next &= ~(2 * MORE - ONES);
            any |= (next - ONES) & ~next & TOPS;
        }
        return any != 0;
    }

    __device__ int level_of(int i) const
    {
        return __byte_perm(level_there(i / 4), 0, 0x4440 + i % 4);
    }

    /* An integer in the low half of 2^23 is 2^23 plus the integer. A product
     * with an 8-bit sample comes no closer to a half than 1/510, and 255 times
     * the factor's error is half of that; 2^23 times the factor is a float, and
     * so is the sum with it. */
    __device__ float tone_of(int i) const
    {
        constexpr float WHOLE = 1 << 23, FACTOR = HT_ONE / 255.0f;
        const uint32_t whole = 0x4b000000;
        const uint32_t word = DEEP ? deep_tone[i / 2] : level[i / 4];
        const int bytes = DEEP ? 0x7610 + i % 2 * 0x0022 : 0x7440 + i % 4;
        const float sample = __uint_as_float(__byte_perm(word, whole, bytes));

        return DEEP ? sample - WHOLE
                    : __fmaf_rn(sample, FACTOR, MAGIC - WHOLE * FACTOR) - MAGIC;
    }
};

/* As Stage::rule; strengths are those of ht_table_floyd_steinberg(). */
template <bool LOOKS> __device__ float rule_of(int level)
{
    constexpr float SCALE = 1 << HT_WEIGHT_BITS;
    const bool middle =
        level >= HT_FS_MIDDLE && level < HT_LEVELS - HT_FS_MIDDLE;
    const float strength = (middle ? HT_FS_AVOID_LESS : HT_FS_AVOID) / SCALE;

    return level == 0 ? -1.0f : level == 255 ? 1.0f : LOOKS ? strength : 0;
}

} // namespace

#endif
