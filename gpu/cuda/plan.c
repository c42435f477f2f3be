/*
 * plan.c - plans, and which method's kernel does a band: TDFED's, or
 * Floyd-Steinberg's for a page that is one swath.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>

#include "gpu/cuda/band.h"
#include "gpu/cuda/floyd/floyd.h"
#include "gpu/cuda/tdfed/tdfed.h"

static bool is_one_swath(const struct ht_gpu_plan *plan)
{
    return plan->swath_log2 == HT_GPU_ONE_SWATH;
}

void ht_gpu_plan_make(struct ht_gpu_plan *plan, uint32_t swath)
{
    assert(plan->inks > 0 && plan->first + plan->inks <= plan->planes &&
           plan->planes <= HT_MAX_INKS && plan->width > 0 &&
           (plan->bits == 8 || plan->bits == 16));
    assert((swath & (swath - 1)) == 0);
    assert(plan->sizes.levels <= 2 || plan->bits == 16);
    plan->pages = 1;
    plan->meets = plan->meets && plan->inks > 1;
    plan->swath_log2 = 0;
    while (plan->swath_log2 < HT_GPU_ONE_SWATH &&
           1u << plan->swath_log2 != swath)
        plan->swath_log2++;
    if (is_one_swath(plan))
        ht_gpu_floyd_plan(plan);
    else
        ht_gpu_tdfed_plan(plan, swath);
}

uint32_t ht_gpu_sweeps(const struct ht_gpu_plan *plan, uint32_t rows)
{
    return (rows + plan->rows - 1) / plan->rows;
}

cudaError_t ht_gpu_prepare(const struct ht_gpu_plan *plan)
{
    return is_one_swath(plan) ? ht_gpu_floyd_prepare(plan)
                              : ht_gpu_tdfed_prepare(plan);
}

cudaError_t ht_gpu_diffuse(const struct ht_gpu_plan *plan,
                           const struct ht_gpu_band *band, cudaStream_t stream)
{
    assert(band->rows > 0 && plan->pages > 0 &&
           (band->tone != NULL) == (plan->bits == 16));
    assert(band->spans != NULL || plan->sizes.levels <= 2);
    if (plan->sizes.levels > 2) {
        cudaError_t error = ht_gpu_tdfed_find_spans(plan, band, stream);
        if (error != cudaSuccess)
            return error;
    }
    return is_one_swath(plan) ? ht_gpu_floyd_diffuse(plan, band, stream)
                              : ht_gpu_tdfed_diffuse(plan, band, stream);
}
