/*
 * tdfed.cu - error diffusion on the GPU, doc/halftone.md "A pixel".
 *
 * A team of warps does a strip of rows of some segments, the plan's inks, chunk
 * by chunk of columns; teams of a block share tables. One warp diffuses: a lane
 * walks along a row, some columns behind the lane of the row above and the ink
 * before, so that what it needs of them comes by shuffle, off the chain from
 * pixel to pixel. The other warps carry: a feeder finds the entries of the
 * pixels' levels; a keeper for each chunk on the way brings the errors that the
 * strip before has left, and takes away errors and dots.
 *
 * Strips hand the error on through the line in device memory, word by word:
 * an error shares its word with the number of the strip that it is for, so a
 * reader that finds the right number has the right error, and neither needs a
 * fence or a flag. A team takes strips by ticket, in order, and each waits
 * only for strips of smaller tickets, which some team has: no number of
 * resident blocks can deadlock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/tdfed/carry.cuh"
#include "gpu/tdfed/kernel.cuh"
#include "gpu/tdfed/tdfed.h"

namespace
{

/* ---- The kernel --------------------------------------------------------- */

/*
 * The hardware gives warps to the four schedulers in turn. The diffusing warps
 * of a multiprocessor's teams shall not share one: of three teams they have
 * 1, 0 and 3, and if there is only this team one for themselves. The feeders,
 * who have more to do than keepers, shall be where no warp diffuses.
 */
template <int CHUNK> __device__ void choose_roles(Shared<CHUNK> &shared)
{
    const unsigned slot = warp_slot();

    shared.diffuser = (WARPS - slot / WARPS - slot) % 4;
    shared.feeder = (2 - slot) % 4;
    if (shared.feeder == shared.diffuser)
        shared.feeder++;
}

/* The pattern's words, the leftmost column in the top bit. */
constexpr int PATTERN_WORDS = HT_PATTERN_BYTES / 4;

__device__ void fill_pattern(uint32_t *words, const ht_gpu_band &band)
{
    const uint32_t *pattern = (const uint32_t *)band.pattern;

    for (int i = threadIdx.x; i < PATTERN_WORDS; i += blockDim.x)
        words[i] = __byte_perm(pattern[i], 0, 0x0123);
}

/* `thread`: of the team; `number`: that its gates may have, from there on. */
template <int CHUNK>
__device__ void begin_team(Shared<CHUNK> &shared, int thread, int number)
{
    for (int i = thread; i < STAGES * CHUNK; i += THREADS)
        shared.stage[i / CHUNK].none[NONE_AT + i % CHUNK] = 0;
    if (thread == 0) {
        for (int i = 0; i < STAGES; i++) {
            make_gate(shared.full[i], number + i, 2, 1);
            make_gate(shared.done[i], number + STAGES + i, 1, 2);
        }
        make_gate(shared.heard, number + 2 * STAGES, WARPS - 1, 1);
        choose_roles(shared);
        shared.stopped = false;
    }
}

/* Takes a ticket, for lane 0. */
__device__ uint32_t take_ticket(const ht_gpu_band &band)
{
    return threadIdx.x % LANES == 0 ? atomicAdd(band.ticket, 1) : 0;
}

/* Tells the other warps of the team, who wait for it at a barrier each. */
template <int CHUNK>
__device__ void call(Shared<CHUNK> &shared, uint32_t ticket, int barriers)
{
    shared.ticket = ticket;
    for (int i = 0; i < WARPS - 1; i++)
        pass_by(barriers + i, 2 * LANES);
}

/*
 * The feeder, which is done with a strip before the others, calls the next one,
 * and each warp begins it as soon as it can. A band's strips have the tickets
 * below `tickets`.
 */
template <class K>
__global__ __launch_bounds__(K::TEAMS *THREADS, K::BLOCKS) void diffuse(
    const __grid_constant__ ht_gpu_plan plan,
    const __grid_constant__ ht_gpu_band band, uint32_t tickets, int copies)
{
    using Shared = typename K::Shared;
    Shared *const first = (Shared *)shared_memory();
    const int team = uniform((int)threadIdx.x / THREADS);
    const int thread = (int)threadIdx.x - team * THREADS;
    const int warp = uniform(thread / LANES);
    const int barriers = team * (WARPS - 1); /* the team's first */
    const Lags lags = lags_of(K::DELAY);
    Shared &shared = first[team];
    uint32_t *const pattern = (uint32_t *)(first + K::TEAMS);
    typename K::Tables tables = {(char *)(pattern + PATTERN_WORDS), copies,
                                 team * EDGE_SETS};
    Passages passages = 0;

    begin_team(shared, thread,
               K::TEAMS * (WARPS - 1) + team * (2 * STAGES + 1));
    fill_pattern(pattern, band);
    tables.fill(band.entries, K::LOOKS);
    __syncthreads();

    const int diffuser = uniform(shared.diffuser);
    const int feeder = uniform(shared.feeder);
    const int keeper = warp - (warp > diffuser) - (warp > feeder);
    uint32_t next = warp == feeder ? take_ticket(band) : 0;
    int turn = 0;   /* the stage of the next chunk */
    int filled = 0; /* stages, by the feeder */

    for (bool begun = false;; begun = true) {
        uint32_t ticket;

        if (warp == feeder) {
            ticket = uniform(next);
            if (begun)
                pass_gate(shared.heard, passages, TICKET);
            ticket = uniform((int)shared.stopped) ? tickets : ticket;
            call(shared, ticket, barriers);
        } else {
            meet(barriers + (warp == diffuser ? STAGES : keeper), 2 * LANES);
            ticket = uniform(shared.ticket);
        }
        if (ticket >= tickets)
            break;
        if (warp == feeder)
            next = take_ticket(band);
        else
            arrive(shared.heard);

        Strip strip = find_strip(plan, band, ticket);
        Lane lane = place_lane(plan, band, strip, lags);
        int chunks = uniform(count_chunks<K::CHUNK>(plan, lane, lags));
        if (warp == diffuser)
            diffuse_strip<K>(shared, tables, plan, band, strip, lane, chunks,
                             turn, passages);
        else if (warp == feeder)
            feed_strip<K>(shared, tables, pattern, plan, band, lane, chunks,
                          turn, filled, passages);
        else
            keep_strip<K>(shared, plan, band, strip, lane, chunks, turn, keeper,
                          passages);
        turn = (turn + chunks) % STAGES;
        tables.edges ^= 1;
    }
    for (; filled > 0; filled--) {
        int last = (turn + STAGES - filled) % STAGES;

        pass_gate(shared.done[last], passages, last);
    }
}

/* A power of two, at most `most`. */
uint32_t power_of_two(uint32_t most)
{
    uint32_t power = 1;

    while (power * 2 <= most)
        power *= 2;
    return power;
}

/* Of a page at the same time: a strip begins where the one before ends, and so
 * overlaps with it only in other segments. One of these is about to begin. */
constexpr int SWATHS = 4;

using Kernel = void (*)(ht_gpu_plan, ht_gpu_band, uint32_t, int);

/* A kernel, and what a block of it has. */
struct Choice {
    Kernel kernel;
    unsigned teams;
    unsigned blocks; /* that a multiprocessor is meant to have at once */
    int copies;      /* of the tables */
    size_t shared;   /* bytes of shared memory */
};

size_t attribute(cudaDeviceAttr what)
{
    int device = 0, value = 0;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&value, what, device) != cudaSuccess)
        return 0;
    return (size_t)value;
}

/* With the most copies of its tables that `most` bytes of shared memory have
 * room for, or else one. */
template <class K> Choice choose_copies(size_t most, unsigned blocks)
{
    int copies = K::Tables::MOST_COPIES;
    auto bytes = [](int copies) {
        return K::TEAMS * sizeof(typename K::Shared) +
               PATTERN_WORDS * sizeof(uint32_t) + K::Tables::bytes(copies);
    };

    while (K::PACKED && copies > 1 && bytes(copies) > most)
        copies /= 2;
    return {diffuse<K>, K::TEAMS, blocks, copies, bytes(copies)};
}

/* A page that is not in a crowd has multiprocessors for each of its strips. In
 * a crowd teams share them, and a block's tables where it has room for so
 * many. */
template <bool DEEP, bool LOOKS, int CHUNK> Choice choose_tables(bool crowded)
{
    using Halves = Kind<DEEP, LOOKS, CHUNK, false, 1>;
    using Packed = Kind<DEEP, LOOKS, CHUNK, true, 1>;
    using Teams = Kind<DEEP, LOOKS, SEGMENT_CHUNK, false, CROWD_TEAMS>;
    using PackedTeams = Kind<DEEP, LOOKS, SEGMENT_CHUNK, true, PACKED_TEAMS>;
    constexpr size_t reserved = 1024; /* of each block, by the system */
    const size_t most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const size_t all = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const Choice alone = choose_copies<Halves>(most, 1);

    if (!crowded)
        return alone.shared <= most ? alone : choose_copies<Packed>(most, 1);
    if (CHUNK == SEGMENT_CHUNK)
        for (const Choice &together : {choose_copies<Teams>(most, 1),
                                       choose_copies<PackedTeams>(most, 1)})
            if (together.shared <= most)
                return together;
    return choose_copies<Packed>(all / Packed::BLOCKS - reserved,
                                 Packed::BLOCKS);
}

template <int CHUNK>
Choice choose_chunk(const struct ht_gpu_plan *plan, bool crowded)
{
    if (plan->bits == 8)
        return plan->inks == 1 ? choose_tables<false, false, CHUNK>(crowded)
                               : choose_tables<false, true, CHUNK>(crowded);
    return plan->inks == 1 ? choose_tables<true, false, CHUNK>(crowded)
                           : choose_tables<true, true, CHUNK>(crowded);
}

Choice choose(const struct ht_gpu_plan *plan, bool crowded)
{
    return plan->segment > 0 ? choose_chunk<SEGMENT_CHUNK>(plan, crowded)
                             : choose_chunk<ROW_CHUNK>(plan, crowded);
}

/* Strips, of all pages, that have work at the same time, most of the time. */
uint64_t count_busy(const struct ht_gpu_plan *plan)
{
    return (uint64_t)plan->pages * (plan->groups + max(plan->groups / 2, 1u));
}

/* Lets a team do so many segments at once. */
void set_segments(struct ht_gpu_plan *plan, uint32_t segments)
{
    uint32_t cut = (plan->width + plan->segment - 1) / plan->segment + 1;

    plan->segments = segments;
    plan->groups = (cut + segments - 1) / segments;
    plan->at_once = SWATHS * plan->groups;
}

/* The plan with as few segments a team as there are multiprocessors for: those
 * that a team does at once wait for each other. */
struct ht_gpu_plan spread_out(const struct ht_gpu_plan *plan,
                              uint32_t multiprocessors)
{
    struct ht_gpu_plan wide = *plan;

    for (uint32_t segments = 1; segments < plan->segments; segments++) {
        set_segments(&wide, segments);
        if (count_busy(&wide) <= multiprocessors)
            return wide;
    }
    return *plan;
}

/* The page's share, but enough for a swath and another strip, and no more than
 * are of use. */
uint32_t blocks_for(const struct ht_gpu_plan *plan, const Choice &choice,
                    uint32_t tickets, uint32_t share)
{
    auto blocks_of = [&](uint32_t strips) {
        return (strips + choice.teams - 1) / choice.teams;
    };
    uint32_t most = blocks_of(min(tickets, plan->at_once));

    return min(max(share, blocks_of(plan->groups + 1)), most);
}

} // namespace

void ht_gpu_tdfed_plan(struct ht_gpu_plan *plan, uint32_t swath)
{
    plan->rows =
        min(min(swath, (uint32_t)MOST_ROWS), power_of_two(LANES / plan->inks));
    plan->segments = plan->groups = 1;
    plan->at_once = SWATHS;
    if (plan->segment > 0)
        set_segments(plan, LANES / (plan->rows * plan->inks));
}

cudaError_t ht_gpu_tdfed_prepare(const struct ht_gpu_plan *plan)
{
    for (bool crowded : {true, false}) {
        const Choice choice = choose(plan, crowded);
        cudaError_t error = cudaFuncSetAttribute(
            (const void *)choice.kernel,
            cudaFuncAttributeMaxDynamicSharedMemorySize, (int)choice.shared);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

cudaError_t ht_gpu_tdfed_diffuse(const struct ht_gpu_plan *plan,
                                 const struct ht_gpu_band *band,
                                 cudaStream_t stream)
{
    const uint32_t multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
    const struct ht_gpu_plan spread = spread_out(plan, multiprocessors);
    const Choice choice =
        choose(&spread, count_busy(&spread) > multiprocessors);
    uint32_t tickets = ht_gpu_strips(plan, band->rows) * spread.groups;
    uint32_t share = multiprocessors * choice.blocks / plan->pages;

    return launch(choice.kernel, blocks_for(&spread, choice, tickets, share),
                  choice.teams * THREADS, choice.shared, stream, spread, *band,
                  tickets, choice.copies);
}
