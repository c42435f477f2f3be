/*
 * floyd.cu - Floyd-Steinberg on the GPU, in exact raster order: the kernel,
 * floyd(), and how it is launched. doc/dev/halftone.md "Floyd-Steinberg".
 *
 *     grid     a block for each sweep of the band, at most plan.at_once
 *     block    512 threads: 16 warps, of which 6 leave at once
 *     warps    0 and 1    a team each: diffuse half of the rows: sweep.cuh
 *              8 helpers  2 feeders and a printer for each team, a fetcher and
 *                         a taker: carry.cuh
 *     reads    band.level, band.tone [rows][planes][width], band.below
 *              [planes][width]
 *     updates  band.line [planes][width], band.ticket
 *     writes   band.dots [rows][planes][(width+7)/8], by atomicOr()
 *     shared   sizeof(Shared), 33744 bytes, static
 *
 * All warps of a block wait for each other at its barrier, between periods, and
 * the fetcher for the errors of the sweep before, gpu/line.cuh, the one wait
 * for another block. What becomes of chunk n of the first team, in period
 *
 *     n - 1    a feeder prepares it, n > 0
 *     n        the feeder puts it into a stage
 *     n + 1    the team loads it; the fetcher brings the errors above it
 *     n + 2    the team diffuses it
 *     n + 3    the printer takes its dots, the taker its errors
 *
 * A team is Sweep::team_lag chunks behind the team above, whose errors it finds
 * in shared memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/floyd/floyd.h"
#include "gpu/floyd/carry.cuh"
#include "gpu/floyd/sweep.cuh"

namespace
{

/* The hardware gives warps to a multiprocessor's schedulers in turn. The teams'
 * warps come first, and keep a scheduler busy each; warps that would share it
 * leave. The other schedulers have the helpers. */
constexpr int SCHEDULERS = 4;
constexpr int TEAM_HELPERS = FEEDERS + 1;
constexpr int HELPERS = TEAMS * TEAM_HELPERS + 2;
constexpr int TURNS = (HELPERS + SCHEDULERS - TEAMS - 1) / (SCHEDULERS - TEAMS);
constexpr int WARPS = TURNS * SCHEDULERS;

__device__ void begin_block(Shared &shared)
{
    if (threadIdx.x < CHUNK) {
        shared.zeros[threadIdx.x] = 0;
        shared.no_errors[threadIdx.x] = NO_ERROR;
    }
    if (threadIdx.x == 0)
        shared.stopped = false;
}

/* The part of helper 0..HELPERS-1 of a sweep; those without a part only keep
 * time. */
template <bool DEEP, bool LOOKS>
__device__ void help(Shared &shared, const ht_gpu_plan &plan,
                     const ht_gpu_band &band, const Sweep &sweep, int helper)
{
    const int team = helper % TEAMS, index = helper / TEAMS;

    if (index < FEEDERS && team < sweep.teams)
        feed_sweep<DEEP, LOOKS>(shared, plan, band, sweep, team, index);
    else if (index == FEEDERS && team < sweep.teams)
        print_sweep(shared, plan, band, sweep, team);
    else if (helper == TEAMS * TEAM_HELPERS)
        fetch_sweep<LOOKS>(shared, plan, band, sweep);
    else if (helper == TEAMS * TEAM_HELPERS + 1)
        take_sweep<LOOKS>(shared, plan, band, sweep);
    else
        rest(sweep.periods);
}

template <bool DEEP, bool LOOKS>
__global__ __launch_bounds__(WARPS *LANES, 1) void floyd(
    const __grid_constant__ ht_gpu_plan plan,
    const __grid_constant__ ht_gpu_band band, uint32_t tickets)
{
    Shared &shared = shared_object<Shared>();
    const int warp = uniform((int)threadIdx.x / LANES);
    const int turn = warp / SCHEDULERS, scheduler = warp % SCHEDULERS;

    if (scheduler < TEAMS && turn > 0)
        return;
    begin_block(shared);
    for (;;) {
        if (threadIdx.x == 0)
            shared.ticket =
                shared.stopped ? tickets : atomicAdd(band.ticket, 1);
        __syncthreads();
        uint32_t ticket = uniform(shared.ticket);
        if (ticket >= tickets)
            return;

        const Sweep sweep = find_sweep(plan, band, ticket);
        if (scheduler >= TEAMS)
            help<DEEP, LOOKS>(shared, plan, band, sweep,
                              turn * (SCHEDULERS - TEAMS) + scheduler - TEAMS);
        else if (scheduler < sweep.teams)
            diffuse_sweep<LOOKS>(
                shared, sweep,
                find_lane(plan, band, sweep, scheduler, threadIdx.x % LANES),
                scheduler);
        else
            rest(sweep.periods);
    }
}

} // namespace

void ht_gpu_floyd_plan(struct ht_gpu_plan *plan)
{
    uint32_t team_rows = 1;

    while (team_rows * 2 * plan->inks <= LANES)
        team_rows *= 2;
    plan->rows = TEAMS * team_rows;
    plan->segments = plan->tasks = 1;

    /* Columns that a sweep is behind the one before, at least. */
    uint32_t distance = (TEAMS * (line_lag(team_rows) / CHUNK + 2) + 2) * CHUNK;
    plan->at_once = plan->width / distance + 2;
}

cudaError_t ht_gpu_floyd_diffuse(const struct ht_gpu_plan *plan,
                                 const struct ht_gpu_band *band,
                                 cudaStream_t stream)
{
    const bool deep = plan->bits == 16, looks = plan->inks > 1;
    auto kernel = deep    ? looks ? floyd<true, true> : floyd<true, false>
                     : looks ? floyd<false, true>
                          : floyd<false, false>;
    uint32_t tickets = (band->rows + plan->rows - 1) / plan->rows;

    return launch(kernel, min(tickets, plan->at_once), WARPS * LANES, 0, stream,
                  *plan, *band, tickets);
}
