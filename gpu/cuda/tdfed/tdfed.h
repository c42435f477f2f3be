/*
 * tdfed.h - tone-dependent error diffusion on the GPU, for pages whose swaths
 * have 1 or 4 rows. Only plan.c and tdfed.cu call these.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_H
#define HT_GPU_TDFED_H

#include "gpu/cuda/band.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Completes a plan as ht_gpu_plan_make() does, for swaths of 1..4 rows, a power
 * of two. */
void ht_gpu_tdfed_plan(struct ht_gpu_plan *plan, uint32_t swath);

/* ht_gpu_prepare() for TDFED. */
cudaError_t ht_gpu_tdfed_prepare(const struct ht_gpu_plan *plan);

/* ht_gpu_diffuse() for TDFED. */
cudaError_t ht_gpu_tdfed_diffuse(const struct ht_gpu_plan *plan,
                                 const struct ht_gpu_band *band,
                                 cudaStream_t stream);

/* Launches the kernel that finds the spans of a band's pixels, where drops have
 * several sizes: band.spans. Otherwise as ht_gpu_diffuse(). */
cudaError_t ht_gpu_tdfed_find_spans(const struct ht_gpu_plan *plan,
                                    const struct ht_gpu_band *band,
                                    cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
