/*
 * floyd.cuh - the kernel for Floyd-Steinberg, which band.h's calls use for
 * pages that are one swath.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_CUH
#define HT_GPU_FLOYD_CUH

#include "gpu/band.h"

/* Completes a plan that has its width, inks and bits. */
void ht_gpu_floyd_plan(struct ht_gpu_plan *plan);

/* As ht_gpu_diffuse(). */
cudaError_t ht_gpu_floyd_diffuse(const struct ht_gpu_plan *plan,
                                 const struct ht_gpu_band *band,
                                 cudaStream_t stream);

#endif
