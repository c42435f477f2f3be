/*
 * lookup.cuh - TDFED's look-up: a pixel's parameters by its level and its view
 * (what it looks at), in tables in shared memory, which a block fills with the
 * entries of lookup.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_LOOKUP_CUH
#define HT_GPU_TDFED_LOOKUP_CUH

#include "gpu/tdfed/schedule.cuh"

namespace
{

/* A whole unit of a tone, in units of limits: they have the fraction bits of
 * weights. */
constexpr int LIMIT_ONE = 1 << HT_WEIGHT_BITS;

/* A pixel's parameters, ready for use, in two halves: what decides its dot and
 * the share to its right, .. */
struct alignas(16) Pixel {
    int limit; /* t - 1 - a (t - 1 for 16-bit samples, t where inks meet) and
                  half a unit, less what BEFORE (kernel.cuh) adds to avoidance;
                  in 1 / LIMIT_ONE of a tone's units */
    int tone;
    int right; /* weight of (0,+1) */
    int avoid; /* strength of avoidance; HT_GPU_FORCED: white or solid */

    __device__ bool forced() const
    {
        return avoid < 0;
    }
};
struct alignas(16) Spread {
    int minus1;  /* weight of (1,-1) */
    int other;   /* weight of one more column of the next row: */
    int columns; /* 1: it is +1; 1 << 16: it is -2; */
    int far;     /* 1: it is -4; 1 << 16: it is -3 */

    __device__ int column() const
    {
        return columns != 0 ? columns & 1 ? 1 : -2 : far & 1 ? -4 : -3;
    }
};

/* What a kernel's limits are: less the tone, or not, and whether they look at
 * the inks before. */
struct Limits {
    bool deep, looks, meets;
};

__device__ Pixel pixel_of(const uint4 &entry, const Limits &limits)
{
    int threshold = (int16_t)entry.x, tone = (int)entry.x >> 16;
    int avoid = (int)entry.y >> 16;

    if (!limits.looks)
        avoid = min(avoid, 0);
    if (limits.meets)
        threshold += 1 + (limits.deep ? 0 : tone);

    return {threshold * LIMIT_ONE + LIMIT_ONE / 2 + avoid * HT_LEAST_BEFORE,
            tone, (int)(entry.y & 0xffff), avoid};
}

__device__ Spread spread_of(const uint4 &entry)
{
    int column = (int16_t)entry.w;

    return {(int)(entry.z >> 16), (int)(entry.z & 0xffff),
            (column == 1) | (column == -2) << 16,
            (column == -4) | (column == -3) << 16};
}

/* Packs both halves into one entry: weights of the next row and `avoid` have 14
 * bits (ht_gpu_table_suits()). */
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

/* Pixels of a segment that may not share with all columns: its first
 * HT_GPU_REACH, and its last. */
constexpr int EDGES = HT_GPU_REACH + 1;

constexpr int ENTRY = 16; /* bytes: of each half, or packed */

/* The feeder's word for a pixel: the offset of its entry in the tables; of
 * 16-bit samples counted in entries, with the tone above it. */
template <bool DEEP> struct Word {
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
};

/* Sets of edge entries of a team, used by turns: the feeder may be a task ahead
 * of the diffuser. */
constexpr int EDGE_SETS = 2;

/*
 * A block's tables: entries [HT_VIEWS][HT_LEVELS][copies], and one for each
 * edge of each lane, [TEAMS][EDGE_SETS][EDGES][LANES]. Lane i reads copy i mod
 * copies, a power of two: more copies, fewer lanes that need the same bank at
 * the same time.
 *
 * In halves, entries take the diffuser the least time. The `spread` of a level
 * is the same for all views, so it is kept once: an offset without its
 * VIEW_BITS finds it. Bytes from `first`, with V = VIEW and E = those of edges:
 *
 *     0       spread [HT_LEVELS][copies]
 *     V       pixel [HT_VIEWS][HT_LEVELS][copies]
 *     4 V     spread of edges, E < V
 *     5 V     pixel of edges; the end is 5 V + E
 *
 * Packed, entries take less memory and half of its bandwidth, of which many
 * teams on a multiprocessor have too little.
 */
template <bool PACKED, int TEAMS> struct Tables {
    static constexpr int MOST_COPIES = 8;
    char *first;
    int packed_copies;
    int edges; /* the set of the team's task: team * EDGE_SETS, or 1 more */

    __device__ int copies() const
    {
        return PACKED ? packed_copies : MOST_COPIES;
    }

    static constexpr int VIEW = HT_LEVELS * MOST_COPIES * ENTRY;
    static constexpr int VIEW_BITS = 3 * VIEW; /* of an offset, of halves */

    /* Returns the offset of the first edge's entry. */
    __host__ __device__ static constexpr int views_bytes(int copies)
    {
        return PACKED ? HT_GPU_ENTRIES * copies * ENTRY : VIEW_BITS + VIEW;
    }

    __host__ __device__ static constexpr int bytes(int copies)
    {
        return (PACKED ? 0 : VIEW) + views_bytes(copies) +
               TEAMS * EDGE_SETS * EDGES * LANES * ENTRY;
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
            pixel = *(const Pixel *)(at + VIEW);
            spread = *(const Spread *)(first + (offset & ~VIEW_BITS));
        }
    }

    __device__ void write(int offset, const Pixel &pixel,
                          const Spread &spread) const
    {
        char *at = first + offset;

        if (PACKED) {
            *(uint4 *)at = pack(pixel, spread);
        } else {
            *(Pixel *)(at + VIEW) = pixel;
            *(Spread *)(first + (offset & ~VIEW_BITS)) = spread;
        }
    }

    /* Fills the tables with entries [HT_GPU_ENTRIES]; all threads of the block
     * do it together, and meet before the tables' first use. */
    __device__ void fill(const struct ht_gpu_entry *from,
                         const Limits &limits) const
    {
        for (int i = threadIdx.x; i < HT_GPU_ENTRIES * copies();
             i += blockDim.x) {
            const uint4 entry = __ldg((const uint4 *)from + i / copies());

            write(i * ENTRY, pixel_of(entry, limits), spread_of(entry));
        }
    }

    static_assert((VIEW & (VIEW - 1)) == 0 && HT_VIEWS <= 3,
                  "a view is two bits of an offset, and never both");
    static_assert(bytes(MOST_COPIES) <= ENTRY << Word<true>::OFFSET_BITS,
                  "an offset and a tone share a word");
    static_assert(VIEW < 1 << 16, "sizes of a level and a view share a word");
};

} // namespace

#endif
