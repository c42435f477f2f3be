/*
 * feed.cuh - Floyd-Steinberg of a single ink: the warps around a team. Feeders
 * bring it its samples, and a printer takes its dots to the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_FEED_CUH
#define HT_GPU_FLOYD_FEED_CUH

#include "gpu/cuda/floyd/carry.cuh"
#include "gpu/cuda/floyd/targets.cuh"

namespace
{

/* ---- The feeders -------------------------------------------------------- */

/* A feeder, which fills every second chunk of a team: it prepares one in the
 * period in which the other feeder puts its own into a stage. */
template <bool DEEP> struct Feeder {
    Lane lane;
    int from; /* column of the samples that are on their way */
    Samples<DEEP> samples;
    Around around;
    Targets targets;
    uint32_t noise_line; /* of the lane's row */
    int content;
    bool limited; /* the stage may have limits that are not 0 */

    __device__ void store(Row *rows, const float *numbers) const
    {
        float4 *to = (float4 *)rows[lane.index];

#pragma unroll
        for (int i = 0; i < CHUNK; i += 4)
            to[i / 4] = {numbers[i], numbers[i + 1], numbers[i + 2],
                         numbers[i + 3]};
    }

    __device__ void load()
    {
        samples.load(lane, from);
        around.load(lane, from);
    }

    /* Prepares the chunk whose samples have come, and asks for those of this
     * feeder's next one. */
    __device__ void prepare()
    {
        const bool ends = from <= lane.width && from + CHUNK >= lane.width;
        bool special, bottom;

        samples.arrange(lane, from);
        targets = around.find(lane, from, samples, special, bottom);
        content = __any_sync(ALL, special) ? SPECIAL : 0;
        content |= __any_sync(ALL, bottom) ? BOTTOM : 0;
        content |= __any_sync(ALL, !samples.white()) ? INKED : 0;
        content |= __any_sync(ALL, ends) ? ENDED : 0;
        from += FEEDERS * CHUNK;
        load();
        prefetch(from + PREFETCH_COLUMNS);
    }

    /* Returns Stage::limit of pixel i. */
    __device__ float limit_at(int i) const
    {
        const int x = from - FEEDERS * CHUNK + i;

        if (!needs_limit(targets, i))
            return 0;
        return limit(targets, i, samples.tone_of(i), noise_line, x);
    }

    /* Puts the prepared chunk into its stage. Limits stay as they are if all
     * are 0 now and were. */
    __device__ void put(Stage &stage)
    {
        const bool special = content & (SPECIAL | BOTTOM);
        float tone[CHUNK];

#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            tone[i] = samples.tone_of(i);
        store(stage.tone, tone);
        if (special || limited) {
            float limits[CHUNK];

#pragma unroll
            for (int i = 0; i < CHUNK; i++)
                limits[i] = limit_at(i);
            store(stage.limit, limits);
        }
        stage.targets[lane.index] = targets;
        limited = special;
        stage.content = content;
    }

    /* Prefetches the levels from a column on, once for each 128 bytes. */
    __device__ void prefetch(int column) const
    {
        const uint8_t *at = lane.level + column;

        if (((uint32_t)(uintptr_t)at & 127) < FEEDERS * CHUNK &&
            column < lane.width)
            prefetch_line(at);
    }
};

/* The part of feeder `index` of a team, of a sweep. */
template <bool DEEP>
__device__ void feed_sweep(Shared &shared, const ht_gpu_plan &plan,
                           const ht_gpu_band &band, const Sweep &sweep,
                           int team, int index)
{
    const int begin = team * sweep.team_lag + index;
    const int chunks = pieces_of(sweep, team);
    Feeder<DEEP> feeder;
    int periods = begin;

    feeder.lane =
        find_lane(plan, band, sweep, team, (int)threadIdx.x % LANES, 0);
    feeder.from = index * CHUNK - feeder.lane.lag;
    feeder.limited = true;
    feeder.noise_line = ht_noise_line(
        band.row + sweep.in_band + team * sweep.team_rows + feeder.lane.row,
        plan.first);
    for (int column = 0; column < PREFETCH_COLUMNS; column += FEEDERS * CHUNK)
        feeder.prefetch(feeder.from + column);
    feeder.load();
    feeder.prepare();
    rest(begin);
    for (int n = index; n < chunks; n += FEEDERS, periods += FEEDERS) {
        feeder.put(shared.stage[team][index]);
        next_period();
        feeder.prepare();
        next_period();
    }
    rest(sweep.periods - periods);
}

/* ---- The printers ------------------------------------------------------- */

static_assert(2 * CHUNK == 32, "a printer puts two chunks' dots at a time");

/* The printer's part of a sweep: the dots of a team. */
__device__ void print_sweep(const Shared &shared, const ht_gpu_plan &plan,
                            const ht_gpu_band &band, const Sweep &sweep,
                            int team)
{
    const int self = threadIdx.x % LANES, begin = team * sweep.team_lag + 3;
    const Lane lane = find_lane(plan, band, sweep, team, self, 0);
    uint32_t dots = 0, before = 0;

    rest(begin);
    for (int n = 0; n < sweep.pieces; n++) {
        dots = dots << CHUNK | shared.dots[team][n % 2][self];
        if (n % 2 == 1) {
            const int x = (n - 1) * CHUNK - lane.lag;

            dots = in_page(lane, x, dots);
            put_dots(lane, x, before, dots);
            before = dots;
        }
        next_period();
    }
    const int x = sweep.pieces / 2 * 2 * CHUNK - lane.lag;
    dots = sweep.pieces % 2 == 1 ? in_page(lane, x, dots << CHUNK) : 0;
    put_dots(lane, x, before, dots);
    put_dots(lane, x + 32, dots, 0);
    rest(sweep.periods - begin - sweep.pieces);
}

} // namespace

#endif
