/*
 * tdfed.h - the kernel for tone-dependent error diffusion.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_TDFED_H
#define HT_GPU_TDFED_H

#include "gpu/band.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Completes a plan that has its width, inks, bits and segment, for swaths of
 * so many rows. */
void ht_gpu_tdfed_plan(struct ht_gpu_plan *plan, uint32_t swath);

/* As ht_gpu_prepare(). */
cudaError_t ht_gpu_tdfed_prepare(const struct ht_gpu_plan *plan);

/* As ht_gpu_diffuse(). */
cudaError_t ht_gpu_tdfed_diffuse(const struct ht_gpu_plan *plan,
                                 const struct ht_gpu_band *band,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
