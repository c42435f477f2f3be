/*
 * nearness.cuh - what inks together have of the tones alone, whatever their
 * dots: how much they want to meet (O) and the light that they should reflect
 * (M), doc/dev/halftone.md "Inks together".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_NEARNESS_CUH
#define HT_GPU_TDFED_NEARNESS_CUH

#include "gpu/tdfed/samples.cuh"

namespace
{

/* Returns R(value, w), the share of a weight. */
__device__ int share(int value, int weight)
{
    return (value * weight + (1 << (HT_WEIGHT_BITS - 1))) >> HT_WEIGHT_BITS;
}

/* What the rules for inks together say of a lane's ink. */
struct Rules {
    int absorbs, from, steps; /* (d, z, i) */
};

__device__ Rules rules_of(const ht_gpu_plan &plan, int ink)
{
    const uint32_t which = (uint32_t)ink + 1 - ht_inks_kept(plan.planes);

    return {plan.meeting.absorbed[min(which, (uint32_t)HT_LIGHTS - 1)],
            plan.meeting.from, plan.meeting.steps};
}

/* What the inks up to one have of the tones at a pixel. */
struct Wishes {
    int near;   /* (O), 0..32767 */
    int wanted; /* (M), 0..HT_ONE */

    /* Adds an ink of a tone, which is solid, or white or toned: to white this
     * does nothing. (A solid one's share of what is wanted is all that it
     * absorbs of it: 2 R(s, d) ONE is 2^15 R(s, d).) */
    __device__ void add(const Rules &rules, int tone, bool solid)
    {
        const int more =
            min(max(tone - rules.from, 0) << (rules.steps + 1), INT16_MAX);

        near = max(near, solid ? 0 : more);
        const int seen = solid ? wanted : HT_ONE - share(HT_ONE - wanted, near);
        wanted = max(wanted - share(2 * share(seen, rules.absorbs), tone), 0);
    }

    /* Makes one word of them, or them of that. */
    __device__ int packed() const
    {
        return near | wanted << 16;
    }

    __device__ static Wishes unpacked(int word)
    {
        return {word & 0xffff, word >> 16};
    }
};

constexpr int NO_WISHES = HT_ONE << 16; /* before the first ink, packed */

/* The feeder's part: finds the wishes of a lane's pixels, and passes them from
 * ink to ink at the diffuser's lags, of two columns. */
struct Wishing {
    Rules rules;
    int first; /* ~0: its ink's turn is the first; 0 */
    int rows;  /* lanes from the ink before to this one */
    int sent = NO_WISHES, queued = NO_WISHES;

    __device__ Wishing(const ht_gpu_plan &plan, const Lane &lane)
        : rules(rules_of(plan, lane.ink)), first(lane.rank > 0 ? 0 : ~0),
          rows((int)plan.rows)
    {
    }

    /* Finds those of a chunk and writes them, packed. Four pixels are a stretch
     * of instructions, so that the feeder's are few. */
    template <bool DEEP, int CHUNK>
    __device__ void write(int *to, Samples<DEEP, CHUNK> samples)
    {
#pragma unroll 1
        for (int i = 0; i < CHUNK; i += 4) {
            int4 four;

            four.x = next(samples, 0);
            four.y = next(samples, 1);
            four.z = next(samples, 2);
            four.w = next(samples, 3);
            *(int4 *)(to + i) = four;
            samples.drop_four();
        }
    }

    /* Returns those of pixel i, 0..3, which comes next. */
    template <bool DEEP, int CHUNK>
    __device__ int next(const Samples<DEEP, CHUNK> &samples, int i)
    {
        const uint32_t level = samples.level[0] >> 8 * i & 0xff;
        Wishes w = Wishes::unpacked((queued & ~first) | (NO_WISHES & first));

        queued = __shfl_up_sync(ALL, sent, rows);
        w.add(rules, samples.tone_of(0, i), level == HT_LEVELS - 1);
        sent = w.packed();
        return sent;
    }
};

} // namespace

#endif
