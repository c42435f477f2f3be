/*
 * diffuse.cuh - tone-dependent error diffusion on the GPU, doc/dev/halftone.md
 * "A pixel": the kernel, diffuse(), and what a block of it needs. tdfed.cu and
 * together.cu have its kinds.
 *
 *     grid     blocks_for(): the page's share of the multiprocessors; but for a
 *              sweep and one more task at least, and no more than have work
 *     block    K::TEAMS teams of 5 or 6 warps: 1 team; in a crowd 3
 *     warps    of a team, choose_roles():
 *              diffuser   diffuses, a lane a row of a strip: kernel.cuh
 *              feeder     takes tickets, looks pixels up: carry.cuh
 *              wisher     where inks meet and a team is alone: nearness.cuh
 *              3 keepers  errors in and out, dots out; one a stage: carry.cuh
 *     reads    band.level, band.tone [rows][planes][width], band.shifts
 *              [swaths], band.entries [HT_GPU_ENTRIES], band.pattern
 *     updates  band.line [planes][width], where inks meet [2 * planes][width];
 *              band.ticket
 *     writes   band.dots [rows][planes][ht_row_bytes()], by atomicOr()
 *     shared   K::TEAMS * sizeof(Shared<CHUNK>) + HT_PATTERN_BYTES +
 *              Tables::bytes(copies) bytes, dynamic, in that order; where up
 *              to four inks meet and tables are in halves, 182272 for one
 *              team and 215040 for three
 *
 * Who waits for whom:
 *
 *     all others  for the feeder to announce a task: a barrier each, announce()
 *     feeder      for all others to have read the last ticket: Shared::heard
 *     diffuser    for feeder and keeper to fill a stage: Shared::full, tape.cuh
 *     feeder,     for the diffuser to be done with a stage: Shared::done
 *     keepers
 *     keepers     for the errors of the sweep before: gpu/cuda/line.cuh, the
 * one wait for another block
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_DIFFUSE_CUH
#define HT_GPU_TDFED_DIFFUSE_CUH

#include "gpu/cuda/tdfed/kernel.cuh"
#include "gpu/cuda/tdfed/lines.cuh"
#include "gpu/cuda/tdfed/together.cuh"

/* A kernel, and what a block of it needs. */
struct TdfedChoice {
    void (*kernel)(ht_gpu_plan, ht_gpu_band, uint32_t tickets, int copies);
    unsigned teams, threads; /* of a block */
    unsigned blocks;         /* of a multiprocessor */
    int copies;              /* of the entries, Tables */
    size_t shared;           /* dynamic shared memory, bytes */
};

/* Return the kernel for inks that meet, alone or in a crowd, and for drops of
 * several sizes. */
TdfedChoice ht_gpu_tdfed_together(const struct ht_gpu_plan *plan, bool crowded);
TdfedChoice ht_gpu_tdfed_sizes(const struct ht_gpu_plan *plan, bool crowded);

namespace
{

/* ---- The kernel --------------------------------------------------------- */

/*
 * Chooses the team's diffuser and feeder. The hardware gives warps to the four
 * schedulers in turn. Diffusers of a multiprocessor's teams must not share a
 * scheduler: those of three teams get 1, 0 and 3; of a team alone, one without
 * other warps. Feeders, who have more to do than keepers, get one where no warp
 * diffuses.
 */
template <class K> __device__ void choose_roles(typename K::Shared &shared)
{
    const unsigned slot = warp_slot();

    shared.diffuser = (K::WARPS - slot / K::WARPS - slot) % 4;
    shared.feeder = K::MEETS ? (shared.diffuser + 2) % 4 : (2 - slot) % 4;
    if (shared.feeder == shared.diffuser)
        shared.feeder++;
    shared.wisher = K::WISHES ? (shared.diffuser + 1) % 4 : K::WARPS;
}

/* The pattern in shared memory: the leftmost column of each word in its top
 * bit. */
constexpr int PATTERN_WORDS = HT_PATTERN_BYTES / 4;

__device__ void fill_pattern(uint32_t *words, const ht_gpu_band &band)
{
    const uint32_t *pattern = (const uint32_t *)band.pattern;

    for (int i = threadIdx.x; i < PATTERN_WORDS; i += blockDim.x)
        words[i] = __byte_perm(pattern[i], 0, 0x0123);
}

/* Prepares what a team shares; all its threads do. `thread`: 0.. of the team;
 * `number`: the first of its 2 * STAGES + 1 gates. */
template <class K>
__device__ void begin_team(typename K::Shared &shared, const ht_gpu_plan &plan,
                           int thread, int number)
{
    if (thread < (int)Dots::WORDS)
        shared.dots_above.fill(thread, K::MISSES);
    if constexpr (K::SIZES)
        if (thread < SPANS)
            shared.fill(plan.sizes, thread);
    if constexpr (K::MEETS) {
        for (int i = thread; i < STAGES * LANES * K::CHUNK; i += K::THREADS)
            shared.stage[i / K::CHUNK / LANES]
                .line[i / K::CHUNK % LANES][i % K::CHUNK] = 0;
        for (int i = thread; i < (int)(sizeof shared.light / sizeof(int));
             i += K::THREADS)
            shared.light[0][i] = 0;
    } else
        for (int i = thread; i < STAGES * K::CHUNK; i += K::THREADS)
            shared.stage[i / K::CHUNK].none[NONE_AT + i % K::CHUNK] = 0;
    if (thread == 0) {
        for (int i = 0; i < STAGES; i++) {
            make_gate(shared.full[i], number + i, 2 + K::WISHES, 1);
            make_gate(shared.done[i], number + STAGES + i, 1, 2 + K::WISHES);
        }
        make_gate(shared.heard, number + 2 * STAGES, K::WARPS - 1, 1);
        choose_roles<K>(shared);
        shared.stopped = false;
    }
}

/* Takes a ticket; only lane 0 has it. */
__device__ uint32_t take_ticket(const ht_gpu_band &band)
{
    return threadIdx.x % LANES == 0 ? atomicAdd(band.ticket, 1) : 0;
}

/* Announces a ticket to the other warps of the team, each of which waits at a
 * barrier of its own. */
template <class K>
__device__ void announce(typename K::Shared &shared, uint32_t ticket,
                         int barriers)
{
    shared.ticket = ticket;
    for (int i = 0; i < K::WARPS - 1; i++)
        pass_by(barriers + i, 2 * LANES);
}

/*
 * The kernel's work; the head of this file has its grid, block and memory.
 * Takes tasks by ticket until these reach `tickets`, the band's number of
 * tasks, or the host gives up.
 *
 * The feeder is done with a task before the others are. It announces the next
 * one at once, and each warp begins it when it can.
 */
template <class K>
__device__ void do_tasks(const ht_gpu_plan &plan, const ht_gpu_band &band,
                         uint32_t tickets, int copies)
{
    using Shared = typename K::Shared;
    Shared *const first = (Shared *)shared_memory();
    const int team = uniform((int)threadIdx.x / K::THREADS);
    const int thread = (int)threadIdx.x - team * K::THREADS;
    const int warp = uniform(thread / LANES);
    const int barriers = team * (K::WARPS - 1); /* the team's first one */
    constexpr Lags lags = K::LAGS;
    Shared &shared = first[team];
    uint32_t *const pattern = (uint32_t *)(first + K::TEAMS);
    typename K::Tables tables = {(char *)(pattern + PATTERN_WORDS), copies,
                                 team * EDGE_SETS};
    Passages passages = 0;

    static_assert(K::TEAMS * (K::WARPS - 1) <= 16,
                  "all warps but the feeders have a barrier of their own");
    begin_team<K>(shared, plan, thread,
                  K::TEAMS * (K::WARPS - 1) + team * (2 * STAGES + 1));
    fill_pattern(pattern, band);
    tables.fill(band.entries, K::DEEP, K::MEETS, K::SIZES);
    __syncthreads();

    const int diffuser = uniform(shared.diffuser);
    const int feeder = uniform(shared.feeder);
    const int wisher = uniform(shared.wisher);
    const int keeper =
        warp - (warp > diffuser) - (warp > feeder) - (warp > wisher);
    uint32_t next = warp == feeder ? take_ticket(band) : 0;
    int turn = 0;   /* number of the next chunk, modulo TURN */
    int filled = 0; /* of feeder and wisher: stages not yet waited for */

    for (bool begun = false;; begun = true) {
        uint32_t ticket;

        if (warp == feeder) {
            ticket = uniform(next);
            if (begun)
                pass_gate(shared.heard, passages, TICKET);
            ticket = uniform((int)shared.stopped) ? tickets : ticket;
            announce<K>(shared, ticket, barriers);
        } else {
            const int barrier = warp == diffuser ? STAGES
                                : warp == wisher ? STAGES + 1
                                                 : keeper;
            meet(barriers + barrier, 2 * LANES);
            ticket = uniform(shared.ticket);
        }
        if (ticket >= tickets)
            break;
        if (warp == feeder)
            next = take_ticket(band);
        else
            arrive(shared.heard);

        Task task = find_task(plan, band, ticket);
        Lane lane = find_lane<K::SIZES>(plan, band, task, lags);
        int chunks = uniform(count_chunks<K::CHUNK>(plan, lane, lags));
        if (warp == diffuser) {
            if constexpr (K::MEETS)
                diffuse_task_together<K>(shared, tables, plan, band, task, lane,
                                         chunks, turn, passages);
            else
                diffuse_task<K>(shared, tables, band, task, lane, chunks, turn,
                                passages);
        } else if (warp == feeder) {
            feed_task<K>(shared, tables, pattern, plan, band, lane, chunks,
                         turn % STAGES, filled, passages);
        } else if (warp == wisher) {
            if constexpr (K::WISHES)
                wish_task<K>(shared, plan, lane, chunks, turn % STAGES, filled,
                             passages);
        } else {
            keep_task<K>(shared,
                         Carrier<K>(shared, keeper, plan, band, task, lane),
                         band, lane, chunks, turn, keeper, passages);
        }
        turn = (turn + chunks) % TURN;
        tables.edges ^= 1;
    }
    pass_last_gates(shared, turn % STAGES, filled, passages);
}

/* Returns the bytes of shared memory of a block. */
template <class K> __host__ __device__ constexpr size_t shared_bytes(int copies)
{
    return K::TEAMS * sizeof(typename K::Shared) +
           PATTERN_WORDS * sizeof(uint32_t) + K::Tables::bytes(copies);
}

/* Diffuses a band. Only an empty kernel is made for an architecture whose GPUs
 * have no memory for it: choose_copies() shows the host that they do not. */
template <class K>
__global__ __launch_bounds__(K::TEAMS *K::THREADS, K::BLOCKS) void diffuse(
    const __grid_constant__ ht_gpu_plan plan,
    const __grid_constant__ ht_gpu_band band, uint32_t tickets, int copies)
{
    if constexpr (shared_bytes<K>(K::COPIES > 0 ? K::COPIES : 1) <= MOST_SHARED)
        do_tasks<K>(plan, band, tickets, copies);
    else
        trap();
}

/* ---- Choices ------------------------------------------------------------- */

size_t attribute(cudaDeviceAttr what)
{
    int device = 0, value = 0;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&value, what, device) != cudaSuccess)
        return 0;
    return (size_t)value;
}

/* Returns the kernel K with the most copies of its entries for which `most`
 * bytes of shared memory have room, or with one. */
template <class K> TdfedChoice choose_copies(size_t most, unsigned blocks)
{
    int copies = K::Tables::MOST_COPIES;

    while (K::COPIES == 0 && copies > 1 && shared_bytes<K>(copies) > most)
        copies /= 2;
    return {diffuse<K>, K::TEAMS, K::TEAMS * K::THREADS,
            blocks,     copies,   shared_bytes<K>(copies)};
}

} // namespace

#endif
