/*
 * chain.cuh - the diffusing warp: the chain from pixel to pixel,
 * doc/halftone.md "A pixel".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_CHAIN_CUH
#define HT_GPU_CHAIN_CUH

#include "gpu/stage.cuh"

namespace
{

constexpr int AHEAD = 4; /* pixels that entries are fetched ahead */

/* What a lane carries from pixel to pixel. */
template <int DELAY> struct Chain {
    int left;             /* to the next pixel of the row */
    int b0, b1, b2, b3;   /* to the next row's columns +1, 0, -1, -2 */
    int out;              /* to the column that is complete, -3 or -1 */
    int before;           /* dots minus tones of the inks up to this one */
    int inherited[DELAY]; /* what the row above has sent, */
    int looked[DELAY];    /* and the ink before, the oldest first */

    __device__ bool zero() const
    {
        int any = left | b0 | b1 | b2 | b3 | out | before;

#pragma unroll
        for (int i = 0; i < DELAY; i++)
            any |= inherited[i] | looked[i];
        return any == 0;
    }
};

/* Puts `value` at the end of a queue and returns its first. */
template <int LENGTH> __device__ int pass(int (&queue)[LENGTH], int value)
{
    int first = queue[0];

#pragma unroll
    for (int i = 1; i < LENGTH; i++)
        queue[i - 1] = queue[i];
    queue[LENGTH - 1] = value;
    return first;
}

/* Whose errors and dots a lane sees. */
struct Neighbours {
    int above;     /* the lane; of a first row, the stream's last */
    int ink_rows;  /* lanes to the ink before */
    bool last_row; /* sends what the first row inherits */
    int behind;    /* 1: there is an ink before */
};

/* What kind of pixels a kernel does. */
template <bool DEEP_, bool LOOKS_, int REACH_> struct Kind {
    static constexpr bool DEEP = DEEP_;   /* samples have 16 bits */
    static constexpr bool LOOKS = LOOKS_; /* inks look at each other */
    static constexpr int REACH = REACH_;  /* 1: Floyd-Steinberg's weights */
    static constexpr int DELAY = delay_of(LOOKS, REACH);
};

__device__ int held(int value, int limit)
{
    return max(-limit, min(value, limit));
}

/* R(e, w). */
__device__ int share(int e, int weight)
{
    return (e * weight + (1 << (HT_WEIGHT_BITS - 1))) >> HT_WEIGHT_BITS;
}

/* All ones where the value is negative. Opaque, since a predicate takes three
 * times as long on the chain from pixel to pixel. */
__device__ int sign_of(int value)
{
    int sign;

    asm("shr.s32 %0, %1, 31;" : "=r"(sign) : "r"(value));
    return sign;
}

/* Bits of `ones` where the mask has ones, else of `zeros`. */
__device__ int select(int mask, int ones, int zeros)
{
    int selected;

    asm("lop3.b32 %0, %1, %2, %3, 0xca;"
        : "=r"(selected)
        : "r"(mask), "r"(ones), "r"(zeros));
    return selected;
}

/* Of white and solid, three quarters of the error; else all. */
__device__ int kept_error(int e, bool forced)
{
    int quarters = e * (forced ? 3 : 4);

    return (quarters + (int)((uint32_t)quarters >> 30)) >> 2;
}

/* Word i of four. */
__device__ int &word_of(int4 &four, int i)
{
    return i % 4 == 0   ? four.x
           : i % 4 == 1 ? four.y
           : i % 4 == 2 ? four.z
                        : four.w;
}

/* A lane's pixels of a chunk, some of them on the way. */
template <class K, bool WEIGHTS> struct Entries {
    const Tables &tables;
    const int *words;
    int4 word;
    Pixel pixel[AHEAD];
    Spread spread[AHEAD];

    __device__ Entries(const Tables &tables, const Stage &stage, int self)
        : tables(tables), words(stage.entry[self])
    {
        word = *(const int4 *)words;
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            fetch(i);
    }

    /* Asks for pixel i. */
    __device__ void fetch(int i)
    {
        int at = word_of(word, i);
        int from = K::DEEP ? at & ((1 << PLACE_BITS) - 1) : at;
        Pixel &p = pixel[i % AHEAD];

        p = *(const Pixel *)(tables.pixel + from);
        if (K::DEEP) {
            p.tone = (int)((uint32_t)at >> PLACE_BITS);
            p.threshold -= p.tone;
        }
        if (WEIGHTS)
            spread[i % AHEAD] = *(const Spread *)(tables.spread + from);
        if (i % 4 == 3 && i + 1 < CHUNK)
            word = *(const int4 *)(words + i + 1);
    }
};

/*
 * Diffuses a chunk: the chain from pixel to pixel is `left`. WEIGHTS: the
 * pixels' own, else Floyd-Steinberg's. SOME_FORCED: some pixel is white or
 * solid.
 */
template <class K, bool WEIGHTS, bool SOME_FORCED>
__device__ void diffuse_chunk(const Tables &tables, Stage &stage, int self,
                              const Neighbours &next_to, Chain<K::DELAY> &chain)
{
    uint32_t dots = 0;
    Chain<K::DELAY> c = chain;
    int4 top = *(const int4 *)stage.error[self], next_top = {}, below;
    Entries<K, WEIGHTS> entries(tables, stage, self);

#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        const Pixel p = entries.pixel[i % AHEAD];
        const Spread w = entries.spread[i % AHEAD];

        /* From the lanes above and of the ink before; to those below and of
         * the ink behind. */
        int inherits =
            pass(c.inherited,
                 __shfl_sync(ALL, next_to.last_row ? word_of(top, i) : c.out,
                             next_to.above));
        int before = 0;
        if (K::LOOKS)
            before =
                next_to.behind *
                pass(c.looked, __shfl_up_sync(ALL, c.before, next_to.ink_rows));
        if (i + AHEAD < CHUNK)
            entries.fetch(i + AHEAD);
        if (i % 4 == 0 && i + 4 < CHUNK)
            next_top = *(const int4 *)&stage.error[self][i + 4];

        int limit = p.threshold - inherits;
        if (K::LOOKS)
            limit += share(held(before, HT_ONE), p.avoid);
        const int dot = sign_of(limit - c.left);

        /* A pixel without a dot lies below the threshold and so below a whole
         * dot, one with a dot above nothing: each is held on one side. White
         * and solid need both sides. */
        int u = c.left + (inherits + p.tone), e;
        if (SOME_FORCED) {
            bool forced =
                p.threshold == HT_GPU_WHITE || p.threshold == HT_GPU_SOLID;
            int most = forced ? HT_ONE / 2 : HT_ONE;
            e = kept_error(select(dot, held(u - HT_ONE, most), held(u, most)),
                           forced);
        } else {
            e = select(dot, min(u - HT_ONE, HT_ONE), max(u, -HT_ONE));
        }

        int m1, other;
        if (WEIGHTS) {
            c.left = share(e, p.right);
            m1 = share(e, w.minus1);
            other = share(e, w.other);
        } else {
            c.left = (7 * e + 8) >> 4;
            m1 = (3 * e + 8) >> 4;
            other = (e + 8) >> 4;
        }
        if (K::REACH == 1) {
            c.out = c.b1 + m1;
            c.b1 = c.b0 + (e - c.left - m1) - other;
            c.b0 = other;
        } else {
            int p1 = other * w.plus1, m2 = other * w.minus2;
            c.out = c.b3 + (other - p1 - m2);
            c.b3 = c.b2 + m2;
            c.b2 = c.b1 + m1;
            c.b1 = c.b0 + (e - c.left - m1) - other;
            c.b0 = p1;
        }

        word_of(below, i) = c.out;
        if (i % 4 == 3) {
            *(int4 *)&stage.error[self][i - 3] = below;
            top = next_top;
        }
        if (K::LOOKS)
            c.before = before + (dot & HT_ONE) - p.tone;
        dots |= dot & 1u << (CHUNK - 1 - i);
    }
    stage.dots[self] = dots;
    chain = c;
}

/* Nothing comes and nothing leaves. */
__device__ void leave_blank(Stage &stage, int self)
{
#pragma unroll
    for (int i = 0; i < CHUNK; i += 4)
        *(int4 *)&stage.error[self][i] = {};
    stage.dots[self] = 0;
}

/* The diffusing warp's part of a strip. */
template <class K>
__device__ void diffuse_strip(Shared &shared, const Tables &tables,
                              const ht_gpu_plan &plan, const Lane &lane,
                              int chunks)
{
    const int self = lane.index, rows = (int)plan.rows;
    const Neighbours next_to = {lane.row > 0 ? self - 1 : self + rows - 1, rows,
                                lane.row == rows - 1, lane.ink > 0};
    Chain<K::DELAY> chain = {};
    int turn = 0;

    for (int n = 0; n < chunks; n++) {
        Stage &stage = shared.stage[turn];

        wait(full(turn));
        int4 flags = *(const int4 *)&stage.forced;
        const bool forced = flags.x, inked = flags.y, edge = flags.z,
                   inherits = flags.w;
        if (!inked && !inherits &&
            !__any_sync(ALL, lane.works && !chain.zero()))
            leave_blank(stage, self);
        else if (forced)
            diffuse_chunk<K, true, true>(tables, stage, self, next_to, chain);
        else if (K::REACH == 1 && !edge)
            diffuse_chunk<K, false, false>(tables, stage, self, next_to, chain);
        else
            diffuse_chunk<K, true, false>(tables, stage, self, next_to, chain);
        arrive(done(turn));
        turn = next_stage(turn);
    }
}

} // namespace

#endif
