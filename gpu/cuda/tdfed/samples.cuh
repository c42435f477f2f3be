/*
 * samples.cuh - a lane's samples, from device memory into scan order, a chunk
 * at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_SAMPLES_CUH
#define HT_GPU_TDFED_SAMPLES_CUH

#include "gpu/cuda/tdfed/schedule.cuh"

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

/* Returns word i mod 4 of four. */
__device__ int &word_of(int4 &four, int i)
{
    return i % 4 == 0   ? four.x
           : i % 4 == 1 ? four.y
           : i % 4 == 2 ? four.z
                        : four.w;
}

/* Returns element `at` of an array in registers. */
template <int WORDS>
__device__ uint32_t element(const uint32_t (&words)[WORDS], int at)
{
    uint32_t word = words[0];

#pragma unroll
    for (int i = 1; i < WORDS; i++)
        word = at == i ? words[i] : word;
    return word;
}

/* Reads samples of a row in scan order, from any address, BYTES at a time.
 * Loads each aligned 16 bytes of them once: memory serves the lanes of a load
 * one after the other, since they are in different rows. */
template <int BYTES> struct Reader {
    static constexpr int BLOCKS = BYTES / 16, WORDS = BYTES / 4;
    uint4 block[BLOCKS]; /* loads on their way, in memory's order */
    uint32_t kept[4];    /* the 16 bytes before them, in scan order, */
    unsigned skip;       /* bytes of that already used up */
    uint32_t selector; /* of __byte_perm(): shifts a word's bytes and puts them
                          in scan order */
    const uint4 *next; /* to load next */
    bool backwards;

    __device__ void ask()
    {
#pragma unroll
        for (int i = 0; i < BLOCKS; i++) {
            block[i] = __ldg(next);
            next += backwards ? -1 : 1;
        }
    }

    /* Begins a row whose first sample is at `from`, of `size` bytes, 1 or 2;
     * `left`: it is read from right to left. */
    __device__ void open(const void *from, int size, bool left)
    {
        const uintptr_t byte = (uintptr_t)from + (left ? size - 1 : 0);
        const unsigned at = byte & 15;

        backwards = left;
        skip = left ? 15 - at : at;
        selector = !left       ? 0x3210 + 0x1111 * (skip & 3)
                   : size == 1 ? (0x89ab - 0x1111 * (skip & 3)) & 0x7777
                               : (0x98ba - 0x1111 * (skip & 3)) & 0x7777;
        next = (const uint4 *)(byte - at);
        const uint4 first = __ldg(next);
        next += left ? -1 : 1;
        ask();
        order(first, kept);
    }

    __device__ void order(const uint4 &from, uint32_t *to) const
    {
        to[0] = backwards ? from.w : from.x;
        to[1] = backwards ? from.z : from.y;
        to[2] = backwards ? from.y : from.z;
        to[3] = backwards ? from.x : from.w;
    }

    /* Returns the sample of one byte that get() did not come to. */
    __device__ uint32_t peek() const
    {
        const uint32_t low = skip & 4 ? kept[1] : kept[0];
        const uint32_t high = skip & 4 ? kept[3] : kept[2];

        return __byte_perm(skip & 8 ? high : low, 0, selector & 7) & 0xff;
    }

    /* Copies the next BYTES, which have been asked for, to `to`. */
    __device__ void get(uint32_t *to)
    {
        uint32_t word[WORDS + 4];

#pragma unroll
        for (int i = 0; i < 4; i++)
            word[i] = kept[i];
#pragma unroll
        for (int i = 0; i < BLOCKS; i++)
            order(block[i], word + 4 + 4 * i);
#pragma unroll
        for (int i = 0; i < 4; i++)
            kept[i] = word[WORDS + i];
#pragma unroll
        for (int by = 1; by <= 2; by++)
#pragma unroll
            for (int i = 0; i < WORDS + 4 - by; i++)
                word[i] = skip & 4 * by ? word[i + by] : word[i];
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            to[i] = __byte_perm(word[i], word[i + 1], selector);
    }
};

/* Returns the bits of those of `count` positions from `begin` on, at most 32,
 * that lie in the segment. */
__device__ uint32_t bits_within(const Lane &lane, int begin, int count)
{
    int from = min(max(-begin, 0), count);
    int to = min(max(lane.length - begin, from), count);

    return (uint32_t)((1ull << to) - (1ull << from));
}

/* Returns the lowest two bits, each as half of a word. */
__device__ uint32_t both_halves(uint32_t bits)
{
    return ((bits & 3) * 0x8001 & 0x10001) * 0xffff;
}

/* The words of spans.cuh of a lane's chunk: on their way, and then in scan
 * order. */
template <int CHUNK> struct SpanWords {
    Reader<CHUNK * 2> words = {};
    uint32_t word[CHUNK / 2];

    /* The interface of Samples. */

    __device__ void open(const Lane &lane)
    {
        if (lane.length > 0)
            words.open(lane.spans + lane.column(-lane.lag), 2, lane.step < 0);
    }

    __device__ void ask(const Lane &lane)
    {
        if (lane.length > 0)
            words.ask();
    }

    __device__ void arrange()
    {
        words.get(word);
    }

    __device__ void cut(const Lane &lane, int begin)
    {
        const uint32_t inside = bits_within(lane, begin, CHUNK);

#pragma unroll
        for (int i = 0; i < CHUNK; i += 2)
            word[i / 2] &= both_halves(inside >> i);
    }

    /* Returns l' of pixels 4 * i .. 4 * i + 3, a byte each, */
    __device__ uint32_t levels(int i) const
    {
        return __byte_perm(word[2 * i], word[2 * i + 1], 0x6420);
    }

    /* and the number of the span of pixel 4 * i + k. */
    __device__ uint32_t span(int i, int k) const
    {
        return element(word, 2 * i + k / 2) >> (k % 2 * 16 + 8) & 7;
    }
};

/* The samples of a lane's chunk: on their way, and then in scan order. */
template <bool DEEP, int CHUNK> struct Samples {
    Reader<CHUNK> levels = {};
    Reader<DEEP ? CHUNK * 2 : 16> tones = {};
    uint32_t level[CHUNK / 4];
    uint32_t tone[DEEP ? CHUNK / 2 : 1];
    uint32_t pattern; /* a bit a pixel, the first one on top */

    /* Asks for the samples of the first chunk, from the column that the lane is
     * at in step 0. */
    __device__ void open(const Lane &lane)
    {
        const int x = lane.column(-lane.lag);

        if (lane.length == 0)
            return;
        levels.open(lane.level + x, 1, lane.step < 0);
        if (DEEP)
            tones.open(lane.tone + x, 2, lane.step < 0);
    }

    /* Asks for the samples of the next chunk. */
    __device__ void ask(const Lane &lane)
    {
        if (lane.length == 0)
            return;
        levels.ask();
        if (DEEP)
            tones.ask();
    }

    /* Takes the samples that have been asked for. */
    __device__ void arrange()
    {
        levels.get(level);
        if (DEEP)
            tones.get(tone);
    }

    /* Finds the pattern of the chunk whose first pixel has position `begin`. */
    __device__ void look_at(const Lane &lane, const uint32_t *pattern_words,
                            int begin)
    {
        bool left = lane.step < 0;

        int x = lane.column(begin) - (left ? CHUNK - 1 : 0);
        unsigned at = (unsigned)(x + lane.pattern_shift) % HT_PATTERN_SIZE;
        const uint32_t *row = pattern_words + lane.pattern_row;
        uint32_t bits =
            __funnelshift_l(row[(at / 32 + 1) % 4], row[at / 32], at % 32);
        pattern = (left ? __brev(bits >> (32 - CHUNK)) : bits) ^ lane.invert;
    }

    /* Makes what lies outside the segment white. `begin`: position of the
     * chunk's first pixel. */
    __device__ void cut(const Lane &lane, int begin)
    {
        const uint32_t inside = bits_within(lane, begin, CHUNK);

#pragma unroll
        for (int i = 0; i < CHUNK; i += 4)
            level[i / 4] &= spread_bits(inside >> i) * 0xff;
        if (DEEP)
#pragma unroll
            for (int i = 0; i < CHUNK; i += 2)
                tone[i / 2] &= both_halves(inside >> i);
    }

    __device__ bool all_white() const
    {
        uint32_t any = 0;

#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            any |= level[i];
        return any == 0;
    }

    /* Drops the first four pixels. */
    __device__ void drop_four()
    {
#pragma unroll
        for (int i = 0; i + 1 < CHUNK / 4; i++)
            level[i] = level[i + 1];
        if (DEEP)
#pragma unroll
            for (int i = 0; i + 2 < CHUNK / 2; i++)
                tone[i] = tone[i + 2];
    }

    /* Returns the tone of pixel 4 * i + k. */
    __device__ int tone_of(int i, int k) const
    {
        if (DEEP)
            return (int)((k < 2 ? tone[2 * i] : tone[2 * i + 1]) >> k % 2 * 16 &
                         0xffff);
        return ht_tone_of(level[i] >> 8 * k & 0xff, 255);
    }

    /* As tone_of(), of an i that need not be known when this is compiled. */
    __device__ int tone_at(int i, int k) const
    {
        if (DEEP)
            return (int)(element(tone, 2 * i + k / 2) >> k % 2 * 16 & 0xffff);
        return ht_tone_of(element(level, i) >> 8 * k & 0xff, 255);
    }

    /* Returns whether some pixel is white or solid. */
    __device__ bool any_flat() const
    {
        uint32_t toned = ~0u;

#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            toned &= neither_end(level[i]);
        return (toned & 0x80808080u) != 0x80808080u;
    }
};

} // namespace

#endif
