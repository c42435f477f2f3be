/*
 * gpu_inkmap.h - ways to make integral histograms on a GPU, to measure
 * gpu/cuda/ sums.cu against: scans of all rows, and of all columns as rows of a
 * transpose (Harris, Sengupta & Owens, "Parallel Prefix Sum (Scan) with CUDA").
 *
 * All take image [height][pitch] of the device and make table
 * [planes][height][pitch] as ht_sums_histogram() does, with scratch memory of
 * at least inkmap_scratch() bytes. None waits; each returns the error of a
 * launch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef GPU_INKMAP_H
#define GPU_INKMAP_H

#include "gpu/cuda/sums.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lines longer than this the paper's scan cannot do: shared memory. */
#define INKMAP_MOST_LINE 8192u

typedef cudaError_t inkmap_method(const struct ht_sums *sums,
                                  const uint8_t *image, void *scratch,
                                  uint32_t *table, cudaStream_t stream);

/* Harris: blocks of up to 2048 pixels, two a thread, whose sums are carried to
 * the blocks right of them through global memory. */
inkmap_method inkmap_harris;

/* Lee & Choe: the same scan, but a whole line in a block's shared memory, and
 * as many pixels a thread as that takes. */
inkmap_method inkmap_paper;

/* CUB's scan by key, the key being the line. */
inkmap_method inkmap_cub;

size_t inkmap_scratch(const struct ht_sums *sums);

/* Between these: table [planes][height][pitch] to lines [planes][width][down],
 * and back; `down` is inkmap_down() of the height. */
uint32_t inkmap_down(uint32_t height);
cudaError_t inkmap_transpose(const uint32_t *from, uint32_t planes,
                             uint32_t width, uint32_t height, uint32_t pitch,
                             uint32_t down, uint32_t *to, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
