/*
 * floyd.cu - Floyd-Steinberg on the GPU, in exact raster order: the kernel,
 * floyd(), and how it is launched. doc/dev/halftone.md "Floyd-Steinberg".
 *
 *     grid     a block for each sweep of the band, at most plan.at_once
 *     block    512 threads: 16 warps, of which 6 leave at once
 *     warps    0 and 1    a team each: diffuse half of the rows, a lane a row:
 *                         sweep.cuh, or inks_sweep.cuh for several inks
 *              8 helpers  2 feeders and a printer for each team: feed.cuh, or
 *                         inks_feed.cuh; a fetcher and a taker: carry.cuh
 *     reads    band.level, band.tone [rows][planes][width], band.below
 *              [planes][width]
 *     updates  band.line [ht_state_lines()][width], band.ticket
 *     writes   band.dots [rows][planes][(width+7)/8], by atomicOr()
 *     shared   sizeof(Shared), dynamic; at most 64 KiB
 *
 * All warps of a block wait for each other at its barrier, between periods, and
 * the fetcher for the lines of the sweep before, gpu/cuda/line.cuh, the one
 * wait for another block. What becomes of chunk n of the first team, in period
 *
 *     n - 1    a feeder prepares it, n > 0               a single ink
 *     n        the feeder puts it into a stage
 *     n + 1    the team loads it                         several inks: a feeder
 *              the fetcher brings the lines above it     fills a stage
 *     n + 2    the team diffuses it
 *     n + 3    the printer takes its dots, the taker its lines
 *
 * A team is Sweep::team_lag chunks behind the team above, whose lines it finds
 * in shared memory. sizes.cuh has the kernel for drops of several sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/cuda/floyd/floyd.h"
#include "gpu/cuda/floyd/feed.cuh"
#include "gpu/cuda/floyd/inks_sweep.cuh"
#include "gpu/cuda/floyd/sizes.cuh"

namespace
{

constexpr int TEAM_HELPERS = FEEDERS + 1;
constexpr int HELPERS = TEAMS * TEAM_HELPERS + 2;
constexpr int TURNS = (HELPERS + SCHEDULERS - TEAMS - 1) / (SCHEDULERS - TEAMS);
constexpr int WARPS = TURNS * SCHEDULERS;

/* ---- Kinds of pages ----------------------------------------------------- */

/* A single ink, with tones of 16 bits (DEEP) or samples of 8. */
template <bool DEEP> struct Single {
    typedef ::Shared Shared;
    static constexpr int ROWS = LANES; /* of a team */
    static constexpr int ROW_LAG = LAG;

    static __device__ void begin(Shared &shared)
    {
        if (threadIdx.x < CHUNK) {
            shared.zeros[threadIdx.x] = 0;
            shared.no_errors[threadIdx.x] = NO_ERROR;
        }
    }

    static __device__ void feed(Shared &shared, const ht_gpu_plan &plan,
                                const ht_gpu_band &band, const Sweep &sweep,
                                int team, int index)
    {
        feed_sweep<DEEP>(shared, plan, band, sweep, team, index);
    }

    static __device__ void diffuse(Shared &shared, const ht_gpu_plan &plan,
                                   const ht_gpu_band &band, const Sweep &sweep,
                                   int team)
    {
        const int row = threadIdx.x % LANES;

        diffuse_sweep(shared, sweep, find_lane(plan, band, sweep, team, row, 0),
                      team);
    }

    static __device__ void print(const Shared &shared, const ht_gpu_plan &plan,
                                 const ht_gpu_band &band, const Sweep &sweep,
                                 int team)
    {
        print_sweep(shared, plan, band, sweep, team);
    }
};

/* Kernel for several inks, in up to GROUPS groups. */
template <int GROUPS> struct Several {
    typedef InksShared<GROUPS> Shared;
    static constexpr int ROWS = InksStage<GROUPS>::ROWS;
    static constexpr int ROW_LAG = INKS_LAG;

    static __device__ void begin(Shared &)
    {
    }

    static __device__ void feed(Shared &shared, const ht_gpu_plan &plan,
                                const ht_gpu_band &band, const Sweep &sweep,
                                int team, int index)
    {
        if (plan.bits == 16)
            feed_inks<true>(shared, plan, band, sweep, team, index);
        else
            feed_inks<false>(shared, plan, band, sweep, team, index);
    }

    static __device__ void diffuse(Shared &shared, const ht_gpu_plan &plan,
                                   const ht_gpu_band &band, const Sweep &sweep,
                                   int team)
    {
        diffuse_inks(shared, plan, band, sweep, team);
    }

    static __device__ void print(const Shared &shared, const ht_gpu_plan &plan,
                                 const ht_gpu_band &band, const Sweep &sweep,
                                 int team)
    {
        print_inks(shared, plan, band, sweep, team);
    }
};

/* ---- The kernel --------------------------------------------------------- */

/* The part of helper 0..HELPERS-1 of a sweep; those without a part only keep
 * time. */
template <class Kind>
__device__ void help(typename Kind::Shared &shared, const ht_gpu_plan &plan,
                     const ht_gpu_band &band, const Sweep &sweep, int helper)
{
    const int team = helper % TEAMS, index = helper / TEAMS;

    if (index < FEEDERS && team < sweep.teams)
        Kind::feed(shared, plan, band, sweep, team, index);
    else if (index == FEEDERS && team < sweep.teams)
        Kind::print(shared, plan, band, sweep, team);
    else if (helper == TEAMS * TEAM_HELPERS)
        fetch_sweep(shared, plan, band, sweep);
    else if (helper == TEAMS * TEAM_HELPERS + 1)
        take_sweep(shared, plan, band, sweep);
    else
        rest(sweep.periods);
}

template <class Kind>
__global__ __launch_bounds__(WARPS *LANES, 1) void floyd(
    const __grid_constant__ ht_gpu_plan plan,
    const __grid_constant__ ht_gpu_band band, uint32_t tickets)
{
    auto &shared = *(typename Kind::Shared *)shared_memory();
    const int warp = uniform((int)threadIdx.x / LANES);
    const int turn = warp / SCHEDULERS, scheduler = warp % SCHEDULERS;

    if (scheduler < TEAMS && turn > 0)
        return;
    Kind::begin(shared);
    if (threadIdx.x == 0)
        shared.stopped = false;
    for (;;) {
        if (threadIdx.x == 0)
            shared.ticket =
                shared.stopped ? tickets : atomicAdd(band.ticket, 1);
        __syncthreads();
        uint32_t ticket = uniform(shared.ticket);
        if (ticket >= tickets)
            return;

        const Sweep sweep =
            find_sweep(plan, band, ticket, Kind::ROW_LAG, Kind::Shared::PIECE);
        if (scheduler >= TEAMS)
            help<Kind>(shared, plan, band, sweep,
                       turn * (SCHEDULERS - TEAMS) + scheduler - TEAMS);
        else if (scheduler < sweep.teams)
            Kind::diffuse(shared, plan, band, sweep, scheduler);
        else
            rest(sweep.periods);
    }
}

/* ---- Launches ----------------------------------------------------------- */

/* Parameters of a launch, by kind. */
struct Choice {
    void (*kernel)(const ht_gpu_plan, const ht_gpu_band, uint32_t);
    size_t shared; /* bytes */
    int warps;
    int rows;     /* of a sweep */
    int distance; /* columns that a sweep is behind the one before, at least */
};

template <class Kind> Choice choice_of()
{
    constexpr int PIECE = Kind::Shared::PIECE;
    constexpr int LAG = line_lag(Kind::ROWS, Kind::ROW_LAG) / PIECE + 2;

    return {floyd<Kind>, sizeof(typename Kind::Shared), WARPS,
            TEAMS * Kind::ROWS, (TEAMS * LAG + 2) * PIECE};
}

template <int MOST> Choice choice_of_sizes()
{
    return {floyd_sizes<MOST>, sizeof(SizedShared<MOST>), SIZED_WARPS,
            SIZED_ROWS, line_lag(SIZED_ROWS, INKS_LAG)};
}

Choice choose(const struct ht_gpu_plan *plan)
{
    static_assert(4 * GROUP >= HT_MAX_INKS, "inks have a group");
    if (plan->sizes.levels > 2)
        return plan->inks == 1       ? choice_of_sizes<1>()
               : plan->inks <= GROUP ? choice_of_sizes<GROUP>()
                                     : choice_of_sizes<HT_MAX_INKS>();
    if (plan->inks > 1)
        return plan->inks <= GROUP       ? choice_of<Several<1>>()
               : plan->inks <= 2 * GROUP ? choice_of<Several<2>>()
                                         : choice_of<Several<4>>();
    return plan->bits == 16 ? choice_of<Single<true>>()
                            : choice_of<Single<false>>();
}

} // namespace

void ht_gpu_floyd_plan(struct ht_gpu_plan *plan)
{
    const Choice choice = choose(plan);

    plan->rows = choice.rows;
    plan->segments = plan->tasks = 1;
    plan->at_once = plan->width / choice.distance + 2;
}

cudaError_t ht_gpu_floyd_prepare(const struct ht_gpu_plan *plan)
{
    const Choice choice = choose(plan);

    return cudaFuncSetAttribute((const void *)choice.kernel,
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)choice.shared);
}

cudaError_t ht_gpu_floyd_diffuse(const struct ht_gpu_plan *plan,
                                 const struct ht_gpu_band *band,
                                 cudaStream_t stream)
{
    const Choice choice = choose(plan);
    uint32_t tickets = (band->rows + plan->rows - 1) / plan->rows;

    return launch(choice.kernel, min(tickets, plan->at_once),
                  choice.warps * LANES, choice.shared, stream, *plan, *band,
                  tickets);
}
