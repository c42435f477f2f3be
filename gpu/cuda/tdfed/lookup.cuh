/*
 * lookup.cuh - TDFED's look-up: a pixel's parameters by its level and its view
 * (what it looks at), in tables in shared memory, which a block fills with the
 * entries of lookup.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_LOOKUP_CUH
#define HT_GPU_TDFED_LOOKUP_CUH

#include "gpu/cuda/tdfed/lookup.h"
#include "gpu/cuda/tdfed/schedule.cuh"

namespace
{

/* Returns R(value, w), the share of a weight. */
__device__ int share(int value, int weight)
{
    return (value * weight + (1 << (HT_WEIGHT_BITS - 1))) >> HT_WEIGHT_BITS;
}

/* A pixel's parameters, ready for use, in two halves: what decides its dot and
 * the share to its right, .. */
struct alignas(16) Pixel {
    int limit; /* t - 1 - a + 2 h (t - 1 + 2 h for 16-bit samples); with several
                  sizes or where inks meet t */
    int tone;
    int right;    /* weight of (0,+1) */
    int feedback; /* h in both halves, or if MISSES (kernel.cuh) -h; where h is
                     -1 the pixel is white or solid */
};
struct alignas(16) Spread {
    int minus1;  /* weight of (1,-1) */
    int other;   /* weight of one more column of the next row: */
    int columns; /* 1: it is +1; 1 << 16: it is -2; */
    int far;     /* 1: it is -4 */

    __device__ int column() const
    {
        return columns == 0 ? -4 : columns & 1 ? 1 : -2;
    }
};

/* Returns a number of 16 bits in both halves of a word. */
__device__ int both_halves_of(int number)
{
    return (int)__byte_perm((uint32_t)number, 0, 0x1010);
}

__device__ Pixel pixel_of(const uint4 &entry, bool deep, bool meets, bool sizes)
{
    const int threshold = (int16_t)entry.x, tone = (int)entry.x >> 16;
    const int feedback = (int)entry.y >> 16;
    const bool misses = meets || sizes;

    return {misses ? threshold + 1 + (deep ? 0 : tone)
                   : threshold + 2 * max(feedback, 0),
            tone, (int)(entry.y & 0xffff),
            both_halves_of(misses ? -feedback : feedback)};
}

__device__ Spread spread_of(const uint4 &entry)
{
    const int column = (int16_t)entry.w;

    return {(int)(entry.z >> 16), (int)(entry.z & 0xffff),
            (column == 1) | (column == -2) << 16, column == -4};
}

/* Returns -1 for a white or solid pixel, else 0. */
template <class K> __device__ int is_forced(const Pixel &pixel)
{
    return sign_of(K::MISSES ? -pixel.feedback : pixel.feedback);
}

/* Packs both halves into one entry. */
__device__ uint4 pack(const Pixel &pixel, const Spread &spread)
{
    return {__byte_perm((uint32_t)min(pixel.limit, INT16_MAX),
                        (uint32_t)pixel.feedback, 0x5410),
            (uint32_t)pixel.tone << 16 | (uint32_t)pixel.right,
            (uint32_t)spread.minus1 << 16 | (uint32_t)spread.other,
            (uint32_t)(spread.columns | spread.far << 8)};
}

__device__ Pixel packed_pixel(const uint4 &packed)
{
    return {(int16_t)packed.x, (int)packed.y >> 16, (int)(packed.y & 0xffff),
            both_halves_of((int)packed.x >> 16)};
}

__device__ Spread packed_spread(const uint4 &packed)
{
    return {(int)(packed.z >> 16), (int)(packed.z & 0xffff),
            (int)(packed.w & 0x10001), (int)(packed.w >> 8 & 1)};
}

/* Feedback of the row above and of the pixel before, doc/dev/halftone.md "A
 * pixel". */
template <class K> struct Above {
    static constexpr int LAG = K::LAGS.row; /* columns that the row above is
                                               ahead */
    const Dots &dots;
    int lane;
    uint32_t mask, none; /* of offsets in `dots` */

    __device__ Above(const Dots &dots, const Lane &lane)
        : dots(dots), lane(lane.row > 0 ? lane.index - 1 : lane.index),
          mask(lane.row > 0 ? (Dots::NONE - 1) * (int)sizeof(int2) : 0),
          none(lane.row > 0 ? 0 : Dots::NONE * (int)sizeof(int2))
    {
    }

    /* Returns the words of the four pixels that come `in` columns behind x. */
    __device__ int2 four(uint32_t took, int in) const
    {
        const int by = LAG - 4 - in - 3; /* from bit to offset */
        const uint32_t above =
            __shfl_sync(ALL, by < 0 ? took << -by : took >> by, lane);

        return *(const int2 *)((const char *)dots.four + (above & mask | none));
    }

    /* Returns the limit of pixel i mod 4 of these. `last`: -1 if the lowest bit
     * of Chain::took is set, else 0. */
    __device__ static int limit(const Pixel &p, const int2 &four, int i,
                                int last)
    {
        const int two = i % 4 < 2 ? four.x : four.y;
        const int limit = i % 2 == 0 ? __dp2a_lo(p.feedback, two, p.limit)
                                     : __dp2a_hi(p.feedback, two, p.limit);

        return __dp2a_lo(p.feedback, last, limit);
    }
};

/* Pixels of a segment that may not share with all columns: its first
 * HT_GPU_REACH, and its last. */
constexpr int EDGES = HT_GPU_REACH + 1;

constexpr int ENTRY = 16; /* bytes: of each half, or packed */

/* The feeder's word for a pixel: the offset of its entry in the tables; of
 * 16-bit samples counted in entries, with the tone above it, and with several
 * sizes the number of the pixel's span between the two. */
template <bool DEEP, bool SIZES = false> struct Word {
    static constexpr int OFFSET_BITS = 14; /* of an offset in entries */

    __device__ static int offset(int word)
    {
        return DEEP ? (word & ((1 << OFFSET_BITS) - 1)) * ENTRY : word;
    }

    __device__ static int tone(int word)
    {
        return (int)((uint32_t)word >> OFFSET_BITS);
    }

    __device__ static int make(int offset, int tone)
    {
        return DEEP ? offset / ENTRY | tone << OFFSET_BITS : offset;
    }

    /* Returns the word with another offset. */
    __device__ static int moved(int word, int offset)
    {
        return make(offset, tone(word));
    }
};
template <> struct Word<true, true> {
    static constexpr int OFFSET_BITS = Word<true>::OFFSET_BITS;
    static constexpr int SPAN_BITS = 3;
    static_assert(1 << SPAN_BITS == SPANS, "all spans");

    __device__ static int offset(int word)
    {
        return Word<true>::offset(word);
    }

    __device__ static int span(int word)
    {
        return word >> OFFSET_BITS & (SPANS - 1);
    }

    __device__ static int tone(int word)
    {
        return (int)((uint32_t)word >> (OFFSET_BITS + SPAN_BITS));
    }

    __device__ static int make(int offset, int tone, int span)
    {
        return offset / ENTRY | span << OFFSET_BITS |
               tone << (OFFSET_BITS + SPAN_BITS);
    }

    __device__ static int moved(int word, int offset)
    {
        return (word & -(1 << OFFSET_BITS)) | offset / ENTRY;
    }
};

/* Sets of edge entries of a team, used by turns: the feeder may be a task ahead
 * of the diffuser. */
constexpr int EDGE_SETS = 2;

/*
 * A block's tables: entries [HT_GPU_VIEWS][HT_LEVELS][copies], and one for each
 * edge of each lane, [TEAMS][EDGE_SETS][EDGES][LANES]. Lane i reads copy i mod
 * copies, a power of two: more copies, fewer lanes that need the same bank at
 * the same time.
 *
 * In halves, first all of `spread` and then all of `pixel`, entries take the
 * diffuser the least time. Packed, they take less memory and half of its
 * bandwidth, of which many teams on a multiprocessor have too little.
 */
template <bool PACKED, int TEAMS, int COPIES> struct Tables {
    static constexpr int MOST_COPIES = COPIES > 0 ? COPIES : 8;
    char *first;
    int some_copies; /* 1..MOST_COPIES, where COPIES is 0 */
    int edges; /* the set of the team's task: team * EDGE_SETS, or 1 more */

    __device__ int copies() const
    {
        return COPIES > 0 ? COPIES : some_copies;
    }

    /* Returns the offset of the first edge's entry. */
    __host__ __device__ static constexpr int views_bytes(int copies)
    {
        return HT_GPU_ENTRIES * copies * ENTRY;
    }

    /* Returns the bytes of a half. */
    __host__ __device__ static constexpr int half_bytes(int copies)
    {
        return views_bytes(copies) + TEAMS * EDGE_SETS * EDGES * LANES * ENTRY;
    }

    __host__ __device__ static constexpr int bytes(int copies)
    {
        return (PACKED ? 1 : 2) * half_bytes(copies);
    }

    /* Returns the level whose entry, of any view and copy, is at an offset. */
    __device__ int level_of(int offset) const
    {
        return (unsigned)offset / (copies() * ENTRY) % HT_LEVELS;
    }

    /* Returns the offset of a lane's entry for an edge, 0..EDGES-1. */
    __device__ int edge_offset(int edge, int lane) const
    {
        int of_edges = (edges * EDGES + edge) * LANES + lane;

        return views_bytes(copies()) + of_edges * ENTRY;
    }

    __device__ void read(int offset, Pixel &pixel, Spread &spread) const
    {
        const char *at = first + offset;

        if (PACKED) {
            const uint4 packed = *(const uint4 *)at;
            pixel = packed_pixel(packed);
            spread = packed_spread(packed);
        } else {
            spread = *(const Spread *)at;
            pixel = *(const Pixel *)(at + half_bytes(copies()));
        }
    }

    __device__ void write(int offset, const Pixel &pixel,
                          const Spread &spread) const
    {
        char *at = first + offset;

        if (PACKED) {
            *(uint4 *)at = pack(pixel, spread);
        } else {
            *(Spread *)at = spread;
            *(Pixel *)(at + half_bytes(copies())) = pixel;
        }
    }

    /* Fills the tables with entries [HT_GPU_ENTRIES]; all threads of the block
     * do it together, and meet before the tables' first use. */
    __device__ void fill(const struct ht_gpu_entry *from, bool deep, bool meets,
                         bool sizes) const
    {
        for (int i = threadIdx.x; i < HT_GPU_ENTRIES * copies();
             i += blockDim.x) {
            const uint4 entry = __ldg((const uint4 *)from + i / copies());

            write(i * ENTRY, pixel_of(entry, deep, meets, sizes),
                  spread_of(entry));
        }
    }

    static_assert(half_bytes(MOST_COPIES) <= ENTRY << Word<true>::OFFSET_BITS,
                  "an offset and a tone share a word");
    static_assert(HT_LEVELS * MOST_COPIES * ENTRY < 1 << 16,
                  "sizes of a level and a view share a word");
};

} // namespace

#endif
