/*
 * targets.cuh - Floyd-Steinberg: which pixels may get shares of a lane's
 * errors, found out by feeders.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_TARGETS_CUH
#define HT_GPU_FLOYD_TARGETS_CUH

#include "gpu/cuda/floyd/samples.cuh"

namespace
{

static_assert(CHUNK + 2 <= 3 * 8, "a window has a chunk and both neighbors");

/* The samples around a lane's chunk from column `from` on: the one behind it,
 * and those below. */
struct Around {
    Window<24> below_words; /* from the column before the chunk on */
    uint8_t behind;

    __device__ void load(const Lane &lane, int from)
    {
        below_words.load(lane.below + from - 1);
        behind = __ldg(lane.level + from + CHUNK);
    }

    /* Returns which of the columns from `from` on are in the page, a bit each
     * from bit 0 on. */
    static __device__ uint32_t inside(const Lane &lane, int from)
    {
        const uint32_t before = min(max(-from, 0), 31);
        const uint32_t end = min(max(lane.width - from, 0), 31);

        return ((1u << end) - 1) & ~((1u << before) - 1);
    }

    /* Says whether all these pixels are in the page and toned. */
    __device__ bool plain(const Lane &lane, int from,
                          const uint32_t (&level)[6]) const
    {
        constexpr int SEEN = (CHUNK + 5) / 4; /* words, from column -1 on */
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < SEEN; i++)
            any |= special_bits<1>(level[i]);
        return any == 0 && behind > 0 && behind < 255 && from > 0 &&
               from + 4 * SEEN - 1 <= lane.width;
    }

    /* Returns the targets of a row with these samples of a chunk. Sets
     * `special` unless the chunk is free of white and solid pixels and those
     * like them, as are the pixels below; `bottom` if of those none at all is
     * toned, which is not special. */
    template <bool DEEP>
    __device__ Targets find(const Lane &lane, int from,
                            const Samples<DEEP> &samples, bool &special,
                            bool &bottom) const
    {
        constexpr uint32_t ROW = (2u << CHUNK) - 1, BELOW = (4u << CHUNK) - 1;
        uint32_t level[6];

        special = samples.some_special();
        bottom = false;
        below_words.get(level);
        if (__all_sync(ALL, !special && plain(lane, from, level)))
            return {ROW, BELOW}; /* as most are, and sooner */

        const uint32_t row = inside(lane, from) & ROW;
        const uint32_t below = inside(lane, from - 1) & BELOW;
        const bool behind_toned = behind > 0 && behind < 255;
        const Targets targets = {(samples.toned() | behind_toned << CHUNK) &
                                     row,
                                 toned_bits(level) & below};
        bottom = targets.below == 0 && below != 0;
        special |= targets.row != row || !(targets.below == below || bottom);
        return targets;
    }
};

/* Returns which pixels of a chunk are toned and have errors that can go
 * nowhere, a bit each. */
__device__ uint32_t stuck_pixels(const Targets &targets)
{
    return targets.row & ~(targets.row >> 1) &
           ~(targets.below | targets.below >> 1 | targets.below >> 2) &
           ((1u << CHUNK) - 1);
}

/* Says whether pixel i of a chunk is toned and the one below it not. */
__device__ bool needs_limit(const Targets &targets, int i)
{
    return (targets.row & ~(targets.below >> 1)) >> i & 1;
}

/* Returns what left + E has to be above for a dot at a pixel whose error has
 * nowhere to go: the dot is up to noise. */
__device__ float stuck_limit(float tone, uint32_t noise_line, int x)
{
    return ((ht_noise(noise_line, (uint32_t)x) - INT16_MIN) >> 2) - tone;
}

/* Returns what left + E has to be above for a dot at a pixel that
 * needs_limit(): so that the tone and the rest of its error make a dot. */
__device__ float limit(const Targets &targets, int i, float tone,
                       uint32_t noise_line, int x)
{
    const bool goes =
        (targets.row >> (i + 1) & 1) || (targets.below >> i & 5) != 0;

    if (goes)
        return HT_ONE - 1 - 2 * tone;
    return stuck_limit(tone, noise_line, x);
}

} // namespace

#endif
