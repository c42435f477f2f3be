/*
 * samples.cuh - Floyd-Steinberg: a lane's samples, from device memory to
 * levels and tones, a chunk at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_SAMPLES_CUH
#define HT_GPU_FLOYD_SAMPLES_CUH

#include "gpu/cuda/floyd/tape.cuh"

namespace
{

constexpr int PREFETCH_COLUMNS = 512; /* how far ahead samples are prefetched */

/* Loads BYTES bytes, a multiple of 8, from any address; also up to 7 bytes
 * before them and 8 behind them. */
template <int BYTES> struct Window {
    uint2 pair[BYTES / 8 + 1];
    unsigned shift; /* bytes of the first pair before them */

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

/* Returns which of the levels in some words are neither white nor solid, a bit
 * each from bit 0 on. */
template <int WORDS>
__device__ uint32_t toned_bits(const uint32_t (&level)[WORDS])
{
    constexpr uint32_t REST = 0x7f7f7f7f, TOPS = 0x80808080;
    uint32_t bits = 0;

#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        const uint32_t l = level[i];
        const uint32_t not_white = ((l & REST) + REST) | l;
        const uint32_t not_solid = ((~l & REST) + REST) | ~l;
        const uint32_t tops = not_white & not_solid & TOPS;

        bits |= ((tops >> 7) * 0x01020408 >> 24 & 15) << 4 * i;
    }
    return bits;
}

/* Returns bits, some set if one of a word's four levels is below MORE or at
 * least 256 - MORE. MORE is 1 or 2. */
template <uint32_t MORE> __device__ uint32_t special_bits(uint32_t levels)
{
    constexpr uint32_t ONES = 0x01010101, TOPS = 0x80808080;
    /* levels plus MORE, modulo 256: is one below 2 MORE? */
    uint32_t next = ((levels & ~TOPS) + MORE * ONES) ^ (levels & TOPS);

    next &= ~((2 * MORE - 1) * ONES);
    return (next - ONES) & ~next & TOPS;
}

/* A lane's samples of a chunk, from column `from`; outside the page they are
 * white. */
template <bool DEEP> struct Samples {
    static constexpr int WORDS = CHUNK / 4;
    Window<CHUNK> level_words;
    Window<DEEP ? 2 * CHUNK : 8> tone_words;
    uint32_t level[WORDS];
    uint32_t beyond[WORDS]; /* 0x00 in the page's bytes, 0x10, no special level,
                               outside */
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

    /* Makes samples outside the page white. */
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

    /* Returns the four levels of word i; outside the page levels that are not
     * special. */
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

    /* Returns which pixels are toned, a bit each from bit 0 on; those outside
     * the page may be either. */
    __device__ uint32_t toned() const
    {
        return toned_bits<WORDS>(level);
    }

    /* Returns whether some pixel of the page is white, solid or close to it:
     * samples of 16 bits with levels 1 and 254 can have tones within 3 of 0 and
     * of ONE. */
    __device__ bool some_special() const
    {
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < WORDS; i++)
            any |= special_bits < DEEP ? 2 : 1 > (level_there(i));
        return any != 0;
    }

    __device__ int level_of(int i) const
    {
        return __byte_perm(level_there(i / 4), 0, 0x4440 + i % 4);
    }

    /* Returns a pixel's tone. 2^23 with an integer in its low half is 2^23 plus
     * that integer. For 8 bits, the product of sample and factor is nowhere
     * closer to a half than 1/510, and 255 times the factor's error is less
     * than half of that; 2^23 times the factor is a float, and so is its sum
     * with MAGIC. */
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

} // namespace

#endif
