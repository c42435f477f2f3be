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

/* What a pixel needs, out of its entry. */
__device__ Pixel pixel_of(const uint4 &entry, bool looks)
{
    int threshold = (int16_t)entry.x;
    int avoid = looks ? (int)(entry.y >> 16) : 0;

    return {threshold * LIMIT_ONE + LIMIT_ONE / 2 - avoid * HT_ONE,
            (int)entry.x >> 16, (int)(entry.y & 0xffff), avoid};
}

__device__ Spread spread_of(const uint4 &entry)
{
    int plus1 = entry.w >> 7 & 1, minus2 = entry.w >> 15 & 1;

    return {(int)(entry.z >> 16), (int)(entry.z & 0xffff), plus1 | minus2 << 16,
            1 - plus1 - minus2};
}

template <int CHUNK>
__device__ void begin_block(Shared<CHUNK> &shared, const Tables &tables,
                            const ht_gpu_band &band, bool looks)
{
    const uint32_t *pattern = (const uint32_t *)band.pattern;
    const uint4 *entries = (const uint4 *)band.entries;

    for (int i = threadIdx.x; i < HT_GPU_ENTRIES * tables.copies;
         i += blockDim.x) {
        uint4 entry = __ldg(entries + i / tables.copies);
        ((Pixel *)tables.pixel)[i] = pixel_of(entry, looks);
        ((Spread *)tables.spread)[i] = spread_of(entry);
    }
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

/* On a multiprocessor. Four would fit, and take longer for as many pages. */
constexpr int CROWD_BLOCKS = 3;

template <class K>
__global__ __launch_bounds__(WARPS *LANES, CROWD_BLOCKS) void diffuse(
    const __grid_constant__ ht_gpu_plan plan,
    const __grid_constant__ ht_gpu_band band, uint32_t tickets, int copies)
{
    using Shared = typename K::Shared;
    Shared &shared = *(Shared *)shared_memory();
    const Tables tables = find_tables(shared, copies);
    Passages passages = 0;
    uint32_t next = 0;

    if (threadIdx.x == 0)
        next = atomicAdd(band.ticket, 1);
    begin_block(shared, tables, band, K::LOOKS);
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
constexpr int CROWDED_COPIES = 2;

using Kernel = void (*)(ht_gpu_plan, ht_gpu_band, uint32_t, int);

template <int CHUNK> Kernel kernel_of_chunk(const struct ht_gpu_plan *plan)
{
    if (plan->bits == 8)
        return plan->inks == 1 ? diffuse<Kind<false, false, CHUNK>>
                               : diffuse<Kind<false, true, CHUNK>>;
    return plan->inks == 1 ? diffuse<Kind<true, false, CHUNK>>
                           : diffuse<Kind<true, true, CHUNK>>;
}

Kernel kernel_for(const struct ht_gpu_plan *plan)
{
    return plan->segment > 0 ? kernel_of_chunk<SEGMENT_CHUNK>(plan)
                             : kernel_of_chunk<ROW_CHUNK>(plan);
}

size_t shared_bytes(const struct ht_gpu_plan *plan, int copies)
{
    size_t shared = plan->segment > 0 ? sizeof(Shared<SEGMENT_CHUNK>)
                                      : sizeof(Shared<ROW_CHUNK>);

    return shared + 2 * table_bytes(copies);
}

/* Of the table in a block's shared memory, as many as the device allows. */
int most_copies(const struct ht_gpu_plan *plan)
{
    int device = 0, most = 0;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                               device) != cudaSuccess)
        return 1;
    return shared_bytes(plan, MOST_COPIES) <= (size_t)most ? MOST_COPIES : 1;
}

/* In a crowd, CROWD_BLOCKS shall fit on a multiprocessor, and a page has only
 * as many as nearly always have work. */
int copies_for(const struct ht_gpu_plan *plan)
{
    const int most = most_copies(plan);

    return plan->crowded ? min(CROWDED_COPIES, most) : most;
}

uint32_t blocks_for(const struct ht_gpu_plan *plan)
{
    return plan->crowded ? plan->groups + 1 : plan->blocks;
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
    return cudaFuncSetAttribute((const void *)kernel_for(plan),
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)shared_bytes(plan, most_copies(plan)));
}

cudaError_t ht_gpu_diffuse(const struct ht_gpu_plan *plan,
                           const struct ht_gpu_band *band, cudaStream_t stream)
{
    if (plan->swath_log2 == 31)
        return ht_gpu_floyd_diffuse(plan, band, stream);
    uint32_t tickets = ht_gpu_strips(plan, band->rows) * plan->groups;
    uint32_t blocks = min(tickets, blocks_for(plan));
    int copies = copies_for(plan);

    return launch(kernel_for(plan), blocks, WARPS * LANES,
                  shared_bytes(plan, copies), stream, *plan, *band, tickets,
                  copies);
}
