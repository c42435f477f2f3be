/*
 * tdfed.cu - tone-dependent error diffusion on the GPU: how the kernel of
 * diffuse.cuh is launched, and its kinds for whole dots of inks that do not
 * meet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/cuda/tdfed/diffuse.cuh"
#include "gpu/cuda/tdfed/tdfed.h"

namespace
{

/* Returns the largest power of two that is at most `most`, which is at least
 * 1. */
uint32_t power_of_two(uint32_t most)
{
    uint32_t power = 1;

    while (power * 2 <= most)
        power *= 2;
    return power;
}

/* Swaths of a page that have work at the same time, at most: a sweep begins
 * where the one before ends, so the two overlap only in other segments; and one
 * is about to begin. */
constexpr int SWATHS = 4;

/* Returns the kernel for pages with multiprocessors for each of their tasks, or
 * for a crowd: there teams share multiprocessors, and a block's tables where it
 * has room for as many. */
template <bool DEEP, int CHUNK> TdfedChoice choose_tables(bool crowded)
{
    using Halves = Kind<DEEP, CHUNK, false, 1>;
    using Packed = Kind<DEEP, CHUNK, true, 1>;
    using Teams = Kind<DEEP, SEGMENT_CHUNK, false, CROWD_TEAMS>;
    constexpr size_t reserved =
        1024; /* bytes of each block that the system takes */
    const size_t most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const size_t all = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const TdfedChoice alone = choose_copies<Halves>(most, 1);
    const TdfedChoice together = choose_copies<Teams>(most, 1);

    if (!crowded)
        return alone.shared <= most ? alone : choose_copies<Packed>(most, 1);
    if (CHUNK == SEGMENT_CHUNK && together.shared <= most)
        return together;
    return choose_copies<Packed>(all / Packed::BLOCKS - reserved,
                                 Packed::BLOCKS);
}

template <int CHUNK>
TdfedChoice choose_kind(const struct ht_gpu_plan *plan, bool crowded)
{
    return plan->bits == 8 ? choose_tables<false, CHUNK>(crowded)
                           : choose_tables<true, CHUNK>(crowded);
}

TdfedChoice choose(const struct ht_gpu_plan *plan, bool crowded)
{
    if (plan->sizes.levels > 2)
        return ht_gpu_tdfed_sizes(plan, crowded);
    if (plan->meets)
        return ht_gpu_tdfed_together(plan, crowded);
    return plan->segment > 0 ? choose_kind<SEGMENT_CHUNK>(plan, crowded)
                             : choose_kind<ROW_CHUNK>(plan, crowded);
}

/* Strips, of all pages, that have work at the same time, most of the time. */
uint64_t count_busy(const struct ht_gpu_plan *plan)
{
    return (uint64_t)plan->pages * (plan->tasks + max(plan->tasks / 2, 1u));
}

/* Makes tasks of `segments` segments. */
void set_segments(struct ht_gpu_plan *plan, uint32_t segments)
{
    uint32_t cut = (plan->width + plan->segment - 1) / plan->segment + 1;

    plan->segments = segments;
    plan->tasks = (cut + segments - 1) / segments;
    plan->at_once = SWATHS * plan->tasks;
}

/* Returns the plan with the fewest segments a task for which there are
 * multiprocessors: segments of a task wait for each other. */
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

/* Returns how many blocks to launch: the page's share of the multiprocessors,
 * but enough for a sweep and one more task, and no more than can have work. */
uint32_t blocks_for(const struct ht_gpu_plan *plan, const TdfedChoice &choice,
                    uint32_t tickets, uint32_t share)
{
    auto blocks_of = [&](uint32_t tasks) {
        return (tasks + choice.teams - 1) / choice.teams;
    };
    uint32_t most = blocks_of(min(tickets, plan->at_once));

    return min(max(share, blocks_of(plan->tasks + 1)), most);
}

} // namespace

void ht_gpu_tdfed_plan(struct ht_gpu_plan *plan, uint32_t swath)
{
    plan->rows =
        min(min(swath, (uint32_t)MOST_ROWS), power_of_two(LANES / plan->inks));
    if (plan->meets && plan->inks > MOST_INKS)
        plan->rows = 1;
    plan->segments = plan->tasks = 1;
    plan->at_once = SWATHS;
    if (plan->segment > 0)
        set_segments(plan, LANES / (plan->rows * plan->inks));
}

cudaError_t ht_gpu_tdfed_prepare(const struct ht_gpu_plan *plan)
{
    for (bool crowded : {true, false}) {
        const TdfedChoice choice = choose(plan, crowded);
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
    const TdfedChoice choice =
        choose(&spread, count_busy(&spread) > multiprocessors);
    uint32_t tickets = ht_gpu_sweeps(plan, band->rows) * spread.tasks;
    uint32_t share = multiprocessors * choice.blocks / plan->pages;

    return launch(choice.kernel, blocks_for(&spread, choice, tickets, share),
                  choice.threads, choice.shared, stream, spread, *band, tickets,
                  choice.copies);
}
