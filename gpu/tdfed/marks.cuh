/*
 * marks.cuh - marks of pixels: which of a chunk are neither white nor solid,
 * and where one of the inks before is neither. Such a pixel's view is the inks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_MARKS_CUH
#define HT_GPU_TDFED_MARKS_CUH

#include "gpu/tdfed/schedule.cuh"

namespace
{

/* Returns the lowest four bits, each as the lowest bit of a byte of its own. */
__device__ uint32_t spread_bits(uint32_t bits)
{
    return (bits & 0xf) * 0x00204081u & 0x01010101u;
}

/* Returns four levels' top bits set where the level is neither 0 nor 255, those
 * whose bits are all the same. The other bits have no meaning. */
__device__ uint32_t neither_end(uint32_t levels)
{
    return ((levels ^ levels >> 1) & 0x7f7f7f7fu) + 0x7f7f7f7fu;
}

/* Does the same where the level is middle..255 - middle; middle is 1..127. */
__device__ uint32_t within(uint32_t levels, uint32_t middle)
{
    uint32_t tones = levels ^ signs_of_bytes(levels); /* 0..127 */

    return tones + (0x80 - middle) * 0x01010101u;
}

/* Marks of a chunk's pixels. Word i has the levels of four pixels, a byte each;
 * their marks are bit i of the four bytes. */
template <int CHUNK> struct Marks {
    static constexpr int WORDS = CHUNK / 4;
    static constexpr uint32_t FIRST = 0x01010101; /* word 0's marks */
    static constexpr uint32_t MOST = FIRST * ((1u << WORDS) - 1);
    static_assert(WORDS <= 8, "a byte has a bit of each");
    uint32_t bits;

    /* Marks the pixels of word i whose bytes in `flags` have their top bit
     * set. */
    __device__ void put(int i, uint32_t flags)
    {
        bits |= flags >> (7 - i) & FIRST << i;
    }

    /* Returns the marks of word i in the lowest bit of each byte; the bits
     * above are those of other words. */
    __device__ uint32_t get(int i) const
    {
        return bits >> i;
    }

    __device__ bool all() const
    {
        return bits == MOST;
    }

    /* Returns the marks COUNT words later; what becomes free is filled with the
     * end of `last`, the chunk before. */
    template <int COUNT>
    __device__ uint32_t moved_words(const Marks &last) const
    {
        constexpr uint32_t free = FIRST * ((1u << COUNT) - 1);

        return (bits << COUNT & MOST & ~free) |
               (last.bits >> (WORDS - COUNT) & free);
    }

    /* Does the same by PIXELS. */
    template <int PIXELS> __device__ Marks moved(const Marks &last) const
    {
        constexpr int rest = PIXELS % 4, words = PIXELS / 4;
        static_assert(words < WORDS, "");

        if constexpr (rest == 0)
            return {moved_words<words>(last)};
        else
            return {moved_words<words>(last) << 8 * rest |
                    moved_words<words + 1>(last) >> 8 * (4 - rest)};
    }
};

/* Finds, chunk by chunk, where some ink before a lane's is neither white nor
 * solid. A lane is LAG columns behind that of the ink before. */
template <int CHUNK, int LAG> struct InksBefore {
    static constexpr int FEW = 3; /* inks that each lane asks one by one */
    /* Of the chunk before. With few inks: marks of the ink 1, 2 or 3 turns
     * before. With many: [0], of the ink before or of any before that. */
    Marks<CHUNK> last[FEW];

    /* Takes the marks of the lane's own pixels that are neither white nor
     * solid; returns those where some ink before is neither. */
    __device__ Marks<CHUNK> exchange(const Marks<CHUNK> &own, const Lane &lane,
                                     const ht_gpu_plan &plan)
    {
        return plan.inks <= 1 + FEW ? of_few(own, lane, (int)plan.rows)
                                    : of_many(own, lane, plan);
    }

    template <int TURNS>
    __device__ Marks<CHUNK> of(const Marks<CHUNK> &own, const Lane &lane,
                               int rows)
    {
        const uint32_t from = __shfl_up_sync(ALL, own.bits, TURNS * rows);
        const Marks<CHUNK> marks = {lane.rank >= TURNS ? from : 0};
        const Marks<CHUNK> here =
            marks.template moved<TURNS * LAG>(last[TURNS - 1]);

        last[TURNS - 1] = marks;
        return here;
    }

    __device__ Marks<CHUNK> of_few(const Marks<CHUNK> &own, const Lane &lane,
                                   int rows)
    {
        static_assert(FEW == 3, "these");
        return {of<1>(own, lane, rows).bits | of<2>(own, lane, rows).bits |
                of<3>(own, lane, rows).bits};
    }

    __device__ Marks<CHUNK> of_many(const Marks<CHUNK> &own, const Lane &lane,
                                    const ht_gpu_plan &plan)
    {
        Marks<CHUNK> before = {0};

        for (int rank = 1; rank < (int)plan.inks; rank++) {
            const Marks<CHUNK> from = {
                __shfl_up_sync(ALL, own.bits | before.bits, plan.rows)};

            if (lane.rank == rank) {
                before = from.template moved<LAG>(last[0]);
                last[0] = from;
            }
        }
        return before;
    }
};

} // namespace

#endif
