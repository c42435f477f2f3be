/*
 * diffuse.cu - error diffusion on the GPU, doc/halftone.md "A pixel".
 *
 * A block does a strip of rows of some segments, all inks, chunk by chunk of
 * columns. One of its warps diffuses: a lane walks along a row, some columns
 * behind the lane of the row above and the ink before, so that what it needs
 * of them comes by shuffle, off the chain from pixel to pixel. The other warps
 * carry: a feeder finds the entries of the pixels' levels; a keeper for each
 * chunk on the way brings the errors that the strip before has left, and
 * takes away errors and dots.
 *
 * Strips hand the error on through the line in device memory, word by word:
 * an error shares its word with the number of the strip that it is for, so a
 * reader that finds the right number has the right error, and neither needs a
 * fence or a flag. A block takes strips by ticket, in order, and each waits
 * only for strips of smaller tickets, which some block has: no number of
 * resident blocks can deadlock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/carry.cuh"
#include "gpu/chain.cuh"
#include "gpu/floyd.cuh"

namespace
{

/* ---- The kernel --------------------------------------------------------- */

/*
 * The hardware gives warps to the four schedulers in turn. The diffusing warps
 * of a multiprocessor's blocks shall not share one: of three blocks they have
 * 1, 0 and 3, and if there is only this block one for themselves. The feeders,
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

template <int CHUNK>
__device__ void begin_block(Shared<CHUNK> &shared, const ht_gpu_band &band)
{
    const uint32_t *pattern = (const uint32_t *)band.pattern;

    for (int i = threadIdx.x; i < HT_PATTERN_BYTES / 4; i += blockDim.x)
        shared.pattern[i] = __byte_perm(pattern[i], 0, 0x0123);
    for (int i = threadIdx.x; i < STAGES * CHUNK; i += blockDim.x)
        shared.stage[i / CHUNK].none[i % CHUNK] = 0;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            make_gate(shared.full[i], 1 + i, 2, 1);
            make_gate(shared.done[i], 1 + STAGES + i, 1, 2);
        }
        choose_roles(shared);
        shared.stopped = false;
    }
}

template <class K>
__global__ __launch_bounds__(WARPS *LANES, K::BLOCKS) void diffuse(
    const __grid_constant__ ht_gpu_plan plan,
    const __grid_constant__ ht_gpu_band band, uint32_t tickets, int copies)
{
    using Shared = typename K::Shared;
    Shared &shared = *(Shared *)shared_memory();
    const typename K::Tables tables = {(char *)(&shared + 1), copies};
    Passages passages = 0;
    uint32_t next = 0;

    if (threadIdx.x == 0)
        next = atomicAdd(band.ticket, 1);
    begin_block(shared, band);
    tables.fill(band.entries, K::LOOKS);
    for (;;) {
        if (threadIdx.x == 0)
            shared.ticket = next;
        __syncthreads();
        uint32_t ticket = uniform(shared.ticket);
        if (ticket >= tickets || shared.stopped)
            return;
        if (threadIdx.x == 0)
            next = atomicAdd(band.ticket, 1);

        Strip strip = find_strip(plan, band, ticket);
        Lane lane = place_lane(plan, band, strip);
        int chunks = uniform(count_chunks<K::CHUNK>(plan, lane));
        int warp = uniform((int)threadIdx.x / LANES);
        if (warp == shared.diffuser)
            diffuse_strip<K>(shared, tables, plan, lane, chunks, passages);
        else if (warp == shared.feeder)
            feed_strip<K::DEEP>(shared, tables, plan, band, lane, chunks,
                                passages);
        else
            keep_strip(shared, plan, band, strip, lane, chunks,
                       warp - (warp > shared.diffuser) - (warp > shared.feeder),
                       passages);
        __syncthreads();
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
    int copies;    /* of the tables */
    size_t shared; /* bytes of shared memory */
};

size_t attribute(cudaDeviceAttr what)
{
    int device = 0, value = 0;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&value, what, device) != cudaSuccess)
        return 0;
    return (size_t)value;
}

template <class K> Choice choice_of(int copies)
{
    return {diffuse<K>, copies,
            sizeof(typename K::Shared) + K::Tables::bytes(copies)};
}

/* Halves for a page that is alone. Packed tables on small devices and in a
 * crowd, there with so many copies that K::BLOCKS fit on a multiprocessor. */
template <bool DEEP, bool LOOKS, int CHUNK> Choice choose_tables(bool crowded)
{
    using Halves = Kind<DEEP, LOOKS, CHUNK, false>;
    using Packed = Kind<DEEP, LOOKS, CHUNK, true>;
    constexpr size_t reserved = 1024; /* of each block, by the system */
    const size_t most =
        crowded ? attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) /
                      Packed::BLOCKS
                : attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const Choice alone = choice_of<Halves>(Halves::Tables::MOST_COPIES);

    if (!crowded && alone.shared <= most)
        return alone;
    int copies = Packed::Tables::MOST_COPIES;
    while (copies > 1 && choice_of<Packed>(copies).shared + reserved > most)
        copies /= 2;
    return choice_of<Packed>(copies);
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

/* In a crowd a page has only as many as have work most of the time. */
uint32_t blocks_for(const struct ht_gpu_plan *plan)
{
    return plan->crowded ? plan->groups + max(plan->groups / 2, 1u)
                         : plan->blocks;
}

} // namespace

void ht_gpu_plan_make(struct ht_gpu_plan *plan, uint32_t width, uint32_t inks,
                      uint32_t bits, uint32_t swath, uint32_t segment)
{
    *plan = {};
    plan->width = width;
    plan->inks = inks;
    plan->bits = bits;
    plan->segment = segment;
    while (plan->swath_log2 < 31 && 1u << plan->swath_log2 != swath)
        plan->swath_log2++;
    if (swath == 0) {
        ht_gpu_floyd_plan(plan);
        return;
    }
    plan->rows =
        min(min(swath, (uint32_t)MOST_ROWS), power_of_two(LANES / inks));
    plan->segments = segment > 0 ? LANES / (plan->rows * inks) : 1;
    plan->groups = 1;
    if (segment > 0) {
        uint32_t cut = (width + segment - 1) / segment + 1;
        plan->groups = (cut + plan->segments - 1) / plan->segments;
    }
    plan->blocks = SWATHS * plan->groups;
}

uint32_t ht_gpu_strips(const struct ht_gpu_plan *plan, uint32_t rows)
{
    return (rows + plan->rows - 1) / plan->rows;
}

cudaError_t ht_gpu_prepare(const struct ht_gpu_plan *plan)
{
    if (plan->swath_log2 == 31)
        return cudaSuccess;
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

cudaError_t ht_gpu_diffuse(const struct ht_gpu_plan *plan,
                           const struct ht_gpu_band *band, cudaStream_t stream)
{
    if (plan->swath_log2 == 31)
        return ht_gpu_floyd_diffuse(plan, band, stream);
    uint32_t tickets = ht_gpu_strips(plan, band->rows) * plan->groups;
    uint32_t blocks = min(tickets, blocks_for(plan));
    const Choice choice = choose(plan, plan->crowded);

    return launch(choice.kernel, blocks, WARPS * LANES, choice.shared, stream,
                  *plan, *band, tickets, choice.copies);
}
