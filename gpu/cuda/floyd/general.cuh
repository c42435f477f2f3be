/*
 * general.cuh - Floyd-Steinberg: the chain from pixel to pixel where some
 * pixels may get no share of an error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_GENERAL_CUH
#define HT_GPU_FLOYD_GENERAL_CUH

#include "gpu/cuda/floyd/kernel.cuh"

namespace
{

/* Returns R(e, w), of w sixteenths, of an error as it is. */
template <int W> __device__ float share_of(float e)
{
    return share<W>(e + EXTRA) - MAGIC;
}

__device__ float held(float value, float limit)
{
    return fminf(fmaxf(value, -limit), limit);
}

__device__ float held_16(float value)
{
    return fminf(fmaxf(value, INT16_MIN), INT16_MAX);
}

/* Shares that later pixels have got so far, as plain numbers. */
struct Owed {
    float left, down, corner;

    __device__ explicit Owed(const Chain &chain)
        : left(chain.left - MAGIC), down(chain.below - NOTHING),
          corner(chain.owed - chain.below)
    {
    }

    __device__ void put(Chain &chain) const
    {
        chain.left = left + MAGIC;
        chain.below = down + NOTHING;
        chain.owed = (down + corner) + NOTHING;
    }

    /* Gives the error of pixel i on; returns what its row has now for the
     * column behind in the row below, which is complete.
     *
     * The share that goes aside to the column ahead is not held on its own: the
     * pixel there is white or solid then, and gives little. */
    __device__ float give(float e, const Targets &targets, int i)
    {
        const bool in_row = targets.row >> (i + 1) & 1;
        const bool behind = targets.below >> i & 1;
        const bool below = targets.below >> (i + 1) & 1;
        const bool ahead = targets.below >> (i + 2) & 1;
        const float right = in_row ? share_of<7>(e) : 0;
        const float back = behind ? share_of<3>(e) : 0;
        const float forth = ahead ? share_of<1>(e) : 0;
        const float rest = e - right - back - forth;
        const bool stays = below || !(in_row || behind || ahead);
        const bool goes_back = !below && !in_row && behind;
        const bool goes_forth = !below && !in_row && !behind && ahead;
        const float whole = down + back + (goes_back ? rest : 0);

        left = right + (!below && in_row ? rest : 0);
        down = corner + (stays ? rest : 0);
        corner = forth + (goes_forth ? rest : 0);
        return held_16(whole);
    }
};

/* Returns the error of a pixel that gets `inherited`, with its dot, 0 or 1. */
__device__ float error_of(bool toned, float inherited, float tone, float dot)
{
    const float forced = truncf(held(inherited, HT_ONE / 2) * 0.75f);
    const float other = inherited + __fmaf_rn(dot, -HT_ONE, tone);

    return toned ? fminf(fmaxf(other, -HT_ONE), HT_ONE - 1) : forced;
}

/* Does what diffuse_chunk() does, where errors go to `targets`. */
__device__ uint32_t diffuse_targets(const Pixels &pixels,
                                    const Targets &targets, const Numbers &top,
                                    const Neighbours &next_to, int first,
                                    Carried &chain)
{
    float4 *to = line_from(next_to, first);
    float sent[4];
    uint32_t dots = 0;
    Carried c = chain;
    Owed owed(c);

#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        const bool toned = targets.row >> i & 1;
        const bool below = targets.below >> (i + 1) & 1;
        const float tone = pixels.tone[i];
        const float given = (owed.left + MAGIC) + top[i];
        const float inherited =
            held_16(__fmaf_rn(c.inherited[0], next_to.takes, given) - EXTRA);
        const float most = below ? HT_ONE / 2 - 1 - tone : pixels.limit[i];
        const bool dot = toned ? inherited > most : tone > 0;
        const float e = error_of(toned, inherited, tone, dot);

        sent[i % 4] = owed.give(e, targets, i) + NO_ERROR;
        pass(c.inherited, __shfl_up_sync(ALL, sent[i % 4], 1));
        if (i % 4 == 3 && next_to.last_row)
            to[i / 4] = {sent[0], sent[1], sent[2], sent[3]};
        dots |= (uint32_t)dot << (CHUNK - 1 - i);
    }
    owed.put(c);
    chain = c;
    return dots;
}

} // namespace

#endif
