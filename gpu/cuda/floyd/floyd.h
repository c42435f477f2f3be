/*
 * floyd.h - Floyd-Steinberg on the GPU, for pages that are one swath in raster
 * order. Only plan.c calls these.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_H
#define HT_GPU_FLOYD_H

#include "gpu/cuda/band.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Completes a plan as ht_gpu_plan_make() does. */
void ht_gpu_floyd_plan(struct ht_gpu_plan *plan);

/* Do what ht_gpu_prepare() and ht_gpu_diffuse() do. */
cudaError_t ht_gpu_floyd_prepare(const struct ht_gpu_plan *plan);
cudaError_t ht_gpu_floyd_diffuse(const struct ht_gpu_plan *plan,
                                 const struct ht_gpu_band *band,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
