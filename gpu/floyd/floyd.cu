/*
 * floyd.cu - Floyd-Steinberg on the GPU, in exact raster order.
 *
 * A block does a strip of rows, its teams the rows of the strip in turn. A
 * lane of a team's diffusing warp walks along a row, some columns behind the
 * lane of the row above and the ink before, so that what it needs of them
 * comes by shuffle, off the chain from pixel to pixel. The other warps carry.
 *
 * All warps work in periods between barriers of the block. A chunk of columns
 * is prepared by one of a team's two feeders in one period, put into a stage in
 * the next, loaded at the end of the third, when the errors above it must be
 * there, and diffused in the fourth; its dots and errors are taken away in the
 * one after. A team is some chunks behind the team above, whose errors it finds
 * in shared memory.
 *
 * Strips hand the error on through the line in device memory, word by word:
 * an error shares its word with the number of the strip that it is for, so a
 * reader that finds the right number has the right error, and neither needs a
 * fence or a flag. A block takes strips by ticket, in order, and each waits
 * only for the strip before it, which some block has: no number of resident
 * blocks can deadlock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/floyd/floyd.h"
#include "gpu/floyd/carry.cuh"
#include "gpu/floyd/kernel.cuh"

namespace
{

/* Warps go to the schedulers of a multiprocessor in turn. The first ones are
 * the teams', which keep a scheduler busy; others that would share it leave. */
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

/* What helper `helper` does of a strip. */
template <bool DEEP, bool LOOKS>
__device__ void help(Shared &shared, const ht_gpu_plan &plan,
                     const ht_gpu_band &band, const Strip &strip, int helper)
{
    const int team = helper % TEAMS, index = helper / TEAMS;

    if (index < FEEDERS && team < strip.teams)
        feed_strip<DEEP, LOOKS>(shared, plan, band, strip, team, index);
    else if (index == FEEDERS && team < strip.teams)
        print_strip(shared, plan, band, strip, team);
    else if (helper == TEAMS * TEAM_HELPERS)
        fetch_strip<LOOKS>(shared, plan, band, strip);
    else if (helper == TEAMS * TEAM_HELPERS + 1)
        take_strip<LOOKS>(shared, plan, band, strip);
    else
        rest(strip.periods);
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

        const Strip strip = find_strip(plan, band, ticket);
        if (scheduler >= TEAMS)
            help<DEEP, LOOKS>(shared, plan, band, strip,
                              turn * (SCHEDULERS - TEAMS) + scheduler - TEAMS);
        else if (scheduler < strip.teams)
            diffuse_strip<LOOKS>(
                shared, strip,
                place_lane(plan, band, strip, scheduler, threadIdx.x % LANES),
                scheduler);
        else
            rest(strip.periods);
    }
}

} // namespace

void ht_gpu_floyd_plan(struct ht_gpu_plan *plan)
{
    uint32_t team_rows = 1;

    while (team_rows * 2 * plan->inks <= LANES)
        team_rows *= 2;
    plan->rows = TEAMS * team_rows;
    plan->segments = plan->groups = 1;

    /* So many columns a strip runs behind the one before, at least. */
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
