/*
 * around.cuh - the second edition: what a pixel has around it. Its error keeps
 * to toned pixels, so where a pixel or a target of its error is white or solid
 * the feeder writes the diffuser a word about it:
 *
 *     bits 31..16   noise for the pixel below, if this one is white or solid
 *                   and that one is toned; the threshold, if this one is toned
 *                   and that one is not
 *     bit 6         the next pixel of the row is toned
 *     bits 5..0     those of the row below are, columns +1, 0, -1, .. -4
 *
 * Pixels beyond the segment's ends count as white.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_AROUND_CUH
#define HT_GPU_TDFED_AROUND_CUH

#include "gpu/tdfed/samples.cuh"

namespace
{

/* Such a word. */
struct AroundWord {
    int word;

    __device__ bool ahead() const
    {
        return word & 1 << 6;
    }

    __device__ bool below(int column) const
    {
        return word & 1 << (HT_GPU_REACH + column);
    }

    /* Returns bits of below() as Spread::columns and Spread::far have them. */
    __device__ int columns() const
    {
        return (word >> (HT_GPU_REACH + 1) & 1) |
               (word >> (HT_GPU_REACH - 2) & 1) << 16;
    }

    __device__ int far() const
    {
        return (word & 1) | (word >> 1 & 1) << 16;
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

/* A lane's samples of the row below, a chunk at a time, and what is around its
 * pixels. */
template <int CHUNK> struct Around {
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

    /* Returns the number of a pixel of `level` and `tone` in column x: a word
     * that has no number yet. `under` is the level below. */
    __device__ int number(const Lane &lane, const ht_gpu_entry *entries,
                          AroundWord word, int x, uint32_t under, int tone,
                          bool toned) const
    {
        const int noise = ht_noise(lane.noise_line, (uint32_t)x);

        if (!toned)
            return ht_weighted(
                noise, (int)(__ldg(&entries[under].column_noise) >> 16));
        if (word.ahead() || word.below(-1) || word.below(1))
            return HT_ONE - tone;
        return ((noise - INT16_MIN) >> 2) + 1;
    }

    /* Writes the words of a chunk whose first pixel has position `begin`. */
    template <class Samples>
    __device__ void write(int *to, const Lane &lane, const Samples &own,
                          const ht_gpu_entry *entries, int begin) const
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
#pragma unroll
        for (int i = 0; i < WORDS; i++)
#pragma unroll 1
            for (int k = 0; k < 4; k++) {
                const int at = 4 * i + k;
                AroundWord word = {(int)(below >> at & 0x3f) |
                                   (int)(row >> (at + 1) & 1) << 6};
                const bool toned = row >> at & 1;

                if (toned != word.below(0))
                    word.word |=
                        (int)((uint32_t)number(lane, entries, word,
                                               lane.column(begin + at),
                                               level[i] >> 8 * k & 0xff,
                                               own.tone_of(i, k), toned)
                              << 16);
                to[at] = word.word;
            }
    }
};

} // namespace

#endif
