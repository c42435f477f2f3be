/*
 * lookup.cuh - what a pixel needs, by its level and what it looks at, in
 * tables in shared memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_LOOKUP_CUH
#define HT_GPU_TDFED_LOOKUP_CUH

#include "gpu/tdfed/schedule.cuh"

namespace
{

/* Limits have the fraction bits of weights. */
constexpr int LIMIT_ONE = 1 << HT_WEIGHT_BITS;

/* What a pixel needs, ready for use, in two halves. */
struct alignas(16) Pixel {
    int limit; /* t - 1 - a (t - 1 for 16-bit samples) less what BEFORE
                  adds, rounded, in units of 1 / LIMIT_ONE */
    int tone;
    int right; /* weight (0,+1) */
    int avoid; /* HT_GPU_FORCED: white or solid */

    __device__ bool forced() const
    {
        return avoid < 0;
    }
};
struct alignas(16) Spread {
    int minus1;  /* weight (1,-1) */
    int other;   /* weight of another column of the next row: */
    int columns; /* 1: it is +1; 1 << 16: it is -2; */
    int far;     /* 1: it is -4; 1 << 16: it is -3 */

    __device__ int column() const
    {
        return columns != 0 ? columns & 1 ? 1 : -2 : far & 1 ? -4 : -3;
    }
};

__device__ Pixel pixel_of(const uint4 &entry, bool looks)
{
    int threshold = (int16_t)entry.x;
    int avoid = (int)entry.y >> 16;

    if (!looks)
        avoid = min(avoid, 0);

    return {threshold * LIMIT_ONE + LIMIT_ONE / 2 + avoid * HT_LEAST_BEFORE,
            (int)entry.x >> 16, (int)(entry.y & 0xffff), avoid};
}

__device__ Spread spread_of(const uint4 &entry)
{
    int column = (int)entry.w;

    return {(int)(entry.z >> 16), (int)(entry.z & 0xffff),
            (column == 1) | (column == -2) << 16,
            (column == -4) | (column == -3) << 16};
}

/* Both halves in one: weights of the next row and `avoid` have 14 bits. */
__device__ uint4 pack(const Pixel &pixel, const Spread &spread)
{
    return {(uint32_t)pixel.limit,
            (uint32_t)pixel.tone << 16 | (uint32_t)pixel.right,
            (uint32_t)spread.minus1 << 16 | (uint32_t)(spread.far & 1) << 15 |
                (uint32_t)(spread.far >> 16) << 14 | (uint32_t)spread.other,
            (uint32_t)pixel.avoid << 16 |
                __byte_perm(spread.columns, 0, 0x4420)};
}

__device__ Pixel packed_pixel(const uint4 &packed)
{
    return {(int)packed.x, (int)packed.y >> 16, (int)(packed.y & 0xffff),
            (int)packed.w >> 16};
}

__device__ Spread packed_spread(const uint4 &packed)
{
    return {(int)(packed.z >> 16), (int)(packed.z & 0x3fff),
            (int)__byte_perm(packed.w, 0, 0x4140),
            (int)((packed.z >> 15 & 1) | (packed.z & 0x4000) << 2)};
}

/* Pixels of a lane that may not share with all columns: the first ones of its
 * segment and the last. */
constexpr int EDGES = HT_GPU_REACH + 1;

constexpr int ENTRY = 16; /* bytes, of each half */

/* The word of a pixel: its entry's place in the tables, and of 16-bit samples
 * the tone above that. */
template <bool DEEP> struct Word {
    static constexpr int PLACE_BITS = 14; /* counted in entries */

    __device__ static int place(int word)
    {
        return DEEP ? (word & ((1 << PLACE_BITS) - 1)) * ENTRY : word;
    }

    __device__ static int tone(int word)
    {
        return (int)((uint32_t)word >> PLACE_BITS);
    }

    __device__ static int make(int place, int tone)
    {
        return DEEP ? place / ENTRY | tone << PLACE_BITS : place;
    }
};

/* Sets of entries for them, used by turns: the feeder is a strip ahead. */
constexpr int EDGE_SETS = 2;

/*
 * [HT_VIEWS][HT_LEVELS][copies] entries, and [TEAMS][EDGE_SETS][EDGES][LANES];
 * with more copies, a power of two, lanes that read together use different
 * banks.
 *
 * In two halves entries take the diffusing warp the least time. All views of a
 * level have the same `spread`: in a pixel's place the bits of its view are
 * left out for that, and the places of edges have none. Packed, entries take
 * less memory, and half of its bandwidth, of which many teams on a
 * multiprocessor have too little.
 *
 * The first half begins a view behind the second, whose edges lie between the
 * first's views and edges.
 */
template <bool PACKED, int TEAMS> struct Tables {
    static constexpr int MOST_COPIES = 8;
    char *first;
    int packed_copies;
    int edges; /* the set of a team's strip */

    __device__ int copies() const
    {
        return PACKED ? packed_copies : MOST_COPIES;
    }

    static constexpr int VIEW = HT_LEVELS * MOST_COPIES * ENTRY;
    static constexpr int VIEW_BITS = 3 * VIEW; /* in a place, of halves */

    /* Where the places of edges begin. */
    __host__ __device__ static constexpr int views_bytes(int copies)
    {
        return PACKED ? HT_GPU_ENTRIES * copies * ENTRY : VIEW_BITS + VIEW;
    }

    __host__ __device__ static constexpr int bytes(int copies)
    {
        return (PACKED ? 0 : VIEW) + views_bytes(copies) +
               TEAMS * EDGE_SETS * EDGES * LANES * ENTRY;
    }

    /* The level whose entry, of some view and copy, is at a place. */
    __device__ int level_of(int place) const
    {
        return (unsigned)place / (copies() * ENTRY) % HT_LEVELS;
    }

    /* The place of a lane's entry for an edge. */
    __device__ int edge_place(int edge, int lane) const
    {
        int of_edges = (edges * EDGES + edge) * LANES + lane;

        return views_bytes(copies()) + of_edges * ENTRY;
    }

    __device__ void read(int place, Pixel &pixel, Spread &spread) const
    {
        const char *at = first + place;

        if (PACKED) {
            const uint4 packed = *(const uint4 *)at;
            pixel = packed_pixel(packed);
            spread = packed_spread(packed);
        } else {
            pixel = *(const Pixel *)(at + VIEW);
            spread = *(const Spread *)(first + (place & ~VIEW_BITS));
        }
    }

    __device__ void write(int place, const Pixel &pixel,
                          const Spread &spread) const
    {
        char *at = first + place;

        if (PACKED) {
            *(uint4 *)at = pack(pixel, spread);
        } else {
            *(Pixel *)(at + VIEW) = pixel;
            *(Spread *)(first + (place & ~VIEW_BITS)) = spread;
        }
    }

    /* All threads of the block fill the tables. */
    __device__ void fill(const struct ht_gpu_entry *from, bool looks) const
    {
        for (int i = threadIdx.x; i < HT_GPU_ENTRIES * copies();
             i += blockDim.x) {
            const uint4 entry = __ldg((const uint4 *)from + i / copies());

            write(i * ENTRY, pixel_of(entry, looks), spread_of(entry));
        }
    }

    static_assert((VIEW & (VIEW - 1)) == 0 && HT_VIEWS <= 3,
                  "a view is two bits of a place, and never both");
    static_assert(bytes(MOST_COPIES) <= ENTRY << Word<true>::PLACE_BITS,
                  "a place and a tone share a word");
    static_assert(VIEW < 1 << 16, "sizes of a level and a view share a word");
};

} // namespace

#endif
