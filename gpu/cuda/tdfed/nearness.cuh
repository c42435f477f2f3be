/*
 * nearness.cuh - the part of the rules for inks together that depends on tones
 * alone, not on dots: how much the inks want to meet (O) and the light that
 * they should reflect (M), doc/dev/halftone.md "Inks together"; and so what an
 * ink should meet (A) and whether there is light to give on (Q).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_NEARNESS_CUH
#define HT_GPU_TDFED_NEARNESS_CUH

#include "gpu/cuda/tdfed/lookup.cuh"
#include "gpu/cuda/tdfed/samples.cuh"

namespace
{

/* Rules for inks together, of a lane's ink. */
struct Rules {
    int absorbs, from, steps; /* (d, z, i) */
};

__device__ Rules rules_of(const ht_gpu_plan &plan, int ink)
{
    return {plan.meeting.absorbed[min(ink, (int)HT_MAX_INKS - 1)],
            plan.meeting.from, plan.meeting.steps};
}

/*
 * Word for a pixel from the feeder to the diffuser:
 *
 * bit 31: fewer than two inks up to this one are toned, inside the segment;
 *
 * bits 30..16: M with this ink;
 *
 * bits 15..0: A - ONE, int16_t, if the ink is toned.
 */
struct Wish {
    int word;

    /* Returns what the inks before should absorb (A), less what they do.
     * `light`: what they reflect (L). */
    __device__ int missing(int light) const
    {
        return __dp2a_lo(word, 0x0001, light);
    }

    /* Returns L - M, where two inks at least are toned. */
    __device__ int unwanted(int light) const
    {
        return __dp2a_lo(word, 0xff00, light);
    }

    __device__ bool alone() const
    {
        return word < 0;
    }
};

/*
 * Finds the wishes of a lane's pixels, and passes what the inks up to one have
 * from ink to ink at the diffuser's lags, of two columns:
 *
 *     bit 31        two of them or more are toned (Q)
 *     bits 30..16   M
 *     bit 15        one of them or more is toned
 *     bits 14..0    O
 */
struct Wishing {
    static constexpr int NO_INK = HT_ONE << 16; /* before the first one */
    static constexpr int COUNT = (int)0x80008000;
    Rules rules;
    int first; /* ~0: its ink is the first; 0 */
    int rows;  /* lanes from the ink before to this one */
    int sent = NO_INK, queued = NO_INK;

    __device__ Wishing(const ht_gpu_plan &plan, const Lane &lane)
        : rules(rules_of(plan, lane.ink)), first(lane.rank > 0 ? 0 : ~0),
          rows((int)plan.rows)
    {
    }

    /* Finds those of a chunk, whose first pixel has position `begin`, and
     * writes them. Four pixels are a stretch of instructions, so that these are
     * few. `sizes`: as targets.cuh has them; `edge`: some lane's chunk has an
     * end of its segment. */
    template <bool DEEP, int CHUNK, class Sizes>
    __device__ void write(int *to, Samples<DEEP, CHUNK> samples,
                          const Sizes &sizes, const Lane &lane, int begin,
                          bool edge)
    {
#pragma unroll 1
        for (int i = 0; i < CHUNK; i += 4) {
            int4 four;

            four.x = next(samples, sizes, i / 4, 0);
            four.y = next(samples, sizes, i / 4, 1);
            four.z = next(samples, sizes, i / 4, 2);
            four.w = next(samples, sizes, i / 4, 3);
            *(int4 *)(to + i) = four;
            samples.drop_four();
        }
        for (int i = 0; edge && i < CHUNK; i++)
            if (!lane.has(begin + i))
                to[i] &= INT32_MAX;
    }

    /* Returns that of pixel 4 * i + k, which comes next; samples begin with
     * pixel 4 * i. */
    template <bool DEEP, int CHUNK, class Sizes>
    __device__ int next(const Samples<DEEP, CHUNK> &samples, const Sizes &sizes,
                        int i, int k)
    {
        const int level = (int)(samples.level[0] >> 8 * k & 0xff);
        const int before = (queued & ~first) | (NO_INK & first);

        queued = __shfl_up_sync(ALL, sent, rows);
        return find(before, level, sizes.tone_met(i, k, samples.tone_of(0, k)));
    }

    /* Returns the wish of a pixel of a tone_met(), and makes what is to be
     * sent. (A solid one's share of what is wanted is all that it absorbs of
     * it: 2 R(s, d) ONE is 2^15 R(s, d).) */
    __device__ int find(int before, int level, int tone)
    {
        const bool solid = level == HT_LEVELS - 1;
        const bool toned = (unsigned)(level - 1) < HT_LEVELS - 2;
        const int more =
            min(max(tone - rules.from, 0) << (rules.steps + 1), INT16_MAX);
        const int near = max(before & INT16_MAX, solid ? 0 : more);
        const int wanted = before >> 16 & INT16_MAX;
        const int should = share(HT_ONE - wanted, near);
        const int seen = solid ? wanted : HT_ONE - should;
        const int left =
            max(wanted - share(2 * share(seen, rules.absorbs), tone), 0);
        int count = before & COUNT;

        if (toned)
            count |= (int)((uint32_t)count << 16) | 1 << 15;
        sent = near | left << 16 | count;
        return ((should - HT_ONE) & 0xffff) | left << 16 | (~count & INT32_MIN);
    }
};

} // namespace

#endif
