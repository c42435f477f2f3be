/*
 * kernel.cuh - Floyd-Steinberg of a single ink: the chain from pixel to pixel,
 * doc/dev/halftone.md "A pixel" with the constants of "Floyd-Steinberg". The
 * warp that runs it chunk by chunk is in sweep.cuh.
 *
 * A lane walks along a row, LAG columns behind the lane of the row above: what
 * it needs of it comes by shuffle, off the chain.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_KERNEL_CUH
#define HT_GPU_FLOYD_KERNEL_CUH

#include "gpu/cuda/floyd/tape.cuh"

namespace
{

/* ---- State of a lane ---------------------------------------------------- */

/* Columns that a row's lane is behind the lane of the row above: an error is
 * two steps on its way by shuffle. */
constexpr int LAG = 3;
static_assert(LAG <= MOST_LAG, "the padding has room for the lag");

/* The chain: what later pixels have got so far from the pixels of a row. */
struct Chain {
    float left;  /* what the row's next pixel gets */
    float owed;  /* of the pixels so far, not sent down yet; */
    float below; /* of this, what the next pixel's column below does not get */

    __device__ void clear()
    {
        left = MAGIC;
        owed = below = NOTHING;
    }

    __device__ bool empty() const
    {
        return left == MAGIC && owed == NOTHING && below == NOTHING;
    }
};

/* State of a single ink's lane that passes from pixel to pixel. */
struct Carried : Chain {
    float inherited[LAG - 1]; /* sent by the row above, the oldest first */

    __device__ void clear()
    {
        Chain::clear();
        for (float &error : inherited)
            error = NO_ERROR;
    }
};

/* Drops a queue's first value and appends another. */
template <int LENGTH> __device__ void pass(float (&queue)[LENGTH], float value)
{
#pragma unroll
    for (int i = 1; i < LENGTH; i++)
        queue[i - 1] = queue[i];
    queue[LENGTH - 1] = value;
}

/* The lanes and lines that a lane gets from, and leaves errors to. */
struct Neighbours {
    float takes;       /* 1: the lane before has the row above; else 0 */
    const float *tops; /* what it inherits by memory: */
    int tops_go; /* all ones: a ring, by step; 0: the same numbers for each
                    chunk */
    float *line; /* ring that its errors go to, */
    int line_lag;
    bool last_row;  /* its errors do go there */
    int begin, end; /* steps of the page's first column and of its last */
    int last_begin; /* the last lane's `begin` */
};

__device__ Neighbours find_neighbours(Shared &shared, const Sweep &sweep,
                                      const Lane &lane, int team)
{
    Neighbours next_to;

    next_to.takes = lane.works && lane.row > 0;
    bool first_row = lane.works && lane.row == 0;
    next_to.tops = first_row    ? shared.line[team][0]
                   : lane.works ? shared.zeros
                                : shared.no_errors;
    next_to.tops_go = first_row ? -1 : 0;
    next_to.line = shared.line[team + 1][0];
    next_to.line_lag = line_lag(sweep.team_rows, LAG) / CHUNK * CHUNK;
    next_to.last_row = lane.last_row;
    next_to.begin = lane.lag;
    next_to.end = lane.lag + sweep.width - 1;
    next_to.last_begin = (sweep.team_rows - 1) * LAG + team * sweep.team_pad;
    return next_to;
}

/* ---- A pixel ------------------------------------------------------------ */

/* Returns the error of a pixel that is neither white nor solid, held to
 * -ONE..ONE - 1 by way of 0..1. */
__device__ float held_error(float u, float dot)
{
    constexpr float UNIT = 1.0f / (2 * HT_ONE);
    const float above = __fmaf_rn(u, UNIT, (HT_ONE - EXTRA) * UNIT);
    const float error = __fmaf_rn(__saturatef(__fmaf_rn(dot, -0.5f, above)),
                                  2 * HT_ONE, EXTRA - HT_ONE);

    return fminf(error, EXTRA + HT_ONE - 1);
}

/* Returns MAGIC + R(e, w), of w sixteenths. */
template <int W> __device__ float share(float error)
{
    return __fmaf_rd(error, W / 16.0f, MAGIC - W / 2);
}

/* ---- A chunk ------------------------------------------------------------ */

static_assert(CHUNK < 23, "a chunk's dots are put together in a float");

/* A lane's numbers of a chunk, loaded four at a time. */
struct Numbers {
    float4 four[CHUNK / 4];

    __device__ void load(const float *row)
    {
#pragma unroll
        for (int i = 0; i < CHUNK / 4; i++)
            four[i] = ((const float4 *)row)[i];
    }

    __device__ float operator[](int i) const
    {
        const float4 &f = four[i / 4];

        return i % 4 == 0 ? f.x : i % 4 == 1 ? f.y : i % 4 == 2 ? f.z : f.w;
    }
};

/* A lane's pixels of a chunk. */
struct Pixels {
    Numbers tone, limit;

    /* Loads the limits from a stage, only where some may not be 0. */
    __device__ void load_limits(const Stage &stage, int self, int content)
    {
        if (content & (SPECIAL | BOTTOM))
            limit.load(stage.limit[self]);
    }
};

/* Returns where the last row puts its errors of the chunk whose first step is
 * `first`. */
__device__ float4 *line_from(const Neighbours &next_to, int first)
{
    return (float4 *)(next_to.line + ((first - next_to.line_lag) & (RING - 1)));
}

/* The special cases that a chunk's pixels may have. */
enum Care {
    PLAIN,  /* none */
    BEGIN,  /* a row's first pixel */
    END,    /* a row's last pixel, or the one behind it */
    ALONE,  /* some row has nothing toned below, as the page's last one */
    EDGES,  /* of several inks: one of these three */
    GENERAL /* several of these, white, solid and large errors:
               diffuse_targets() */
};

/* Diffuses the chunk whose first step is `first`, of any care but GENERAL;
 * returns its dots, the leftmost in bit 15. Loads the tones of the `next` chunk
 * in the place of those that it has done. `alone`: the lane has nothing toned
 * below, and its errors go whole to its next pixels. Two chains limit a page,
 * so as little as possible is on them: `left`, from pixel to pixel, and over
 * two pixels, from row to row, `sent`. */
template <Care CARE>
__device__ uint32_t diffuse_chunk(Numbers &tone, const float *next,
                                  const Numbers &top, const Neighbours &next_to,
                                  int first, bool alone, Carried &chain)
{
    const int begin = next_to.begin - first, end = next_to.end - first;
    float4 *to = line_from(next_to, first);
    float sent[4], dots = 1 << 23; /* 2^23, the dots in its low bits */
    Carried c = chain;

#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        float given = c.left + (tone[i] + top[i]);
        float limit = HT_ONE / 2 - 1 + EXTRA;
        if (CARE == ALONE && alone)
            limit = HT_ONE - 1 + EXTRA - tone[i]; /* as limit() */

        float u = __fmaf_rn(c.inherited[0], next_to.takes, given);
        float dot = __saturatef(u - limit);
        float e = __fmaf_rn(dot, -HT_ONE, u);
        c.left = __fmaf_rn(dot, -7 * HT_ONE / 16, share<7>(u));
        if (CARE == END)
            e = held_error(u, dot);
        if (CARE == ALONE && alone) {
            e = held_error(u, dot);
            c.left = e + (MAGIC - EXTRA);
        }

        /* No error leaves the page. */
        const bool begins = CARE == BEGIN && i == begin;
        const bool ends = CARE == END && i == end;
        const bool beyond = CARE == END && i == end + 1;
        const bool keeps = CARE == ALONE && alone;
        const float back = begins || beyond || keeps ? EXTRA : e;
        const float ahead = ends || keeps ? EXTRA : e;
        if (ends)
            c.left = MAGIC;

        sent[i % 4] = __fmaf_rd(back, 3 / 16.0f, c.below);
        c.owed = (c.owed - sent[i % 4]) + (e - c.left);
        c.below = __fmaf_ru(ahead, -1 / 16.0f, c.owed);

        pass(c.inherited, __shfl_up_sync(ALL, sent[i % 4], 1));
        if (i % 4 == 3 && next_to.last_row)
            to[i / 4] = {sent[0], sent[1], sent[2], sent[3]};
        if (i % 4 == 3)
            tone.four[i / 4] = ((const float4 *)next)[i / 4];
        dots = __fmaf_rn(dot, 1 << (CHUNK - 1 - i), dots);
    }
    chain = c;
    return __float_as_uint(dots) & ((1 << CHUNK) - 1);
}

/* Returns whether no error is on its way in the warp, or comes from above. */
__device__ bool nothing_comes(const Neighbours &next_to, const Numbers &top,
                              const Carried &chain)
{
    const float none = next_to.takes == 1 ? 0 : NO_ERROR;
    bool any = !chain.empty();

#pragma unroll
    for (float error : chain.inherited)
        any |= next_to.takes == 1 && error != NO_ERROR;
#pragma unroll
    for (int i = 0; i < CHUNK; i++)
        any |= top[i] != none;
    return !__any_sync(ALL, any);
}

/* Leaves no errors, of the chunk whose first step is `first`. */
__device__ void leave_blank(const Neighbours &next_to, int first)
{
    float4 *to = line_from(next_to, first);

#pragma unroll
    for (int i = 0; next_to.last_row && i < CHUNK / 4; i++)
        to[i] = {NO_ERROR, NO_ERROR, NO_ERROR, NO_ERROR};
}

} // namespace

#endif
