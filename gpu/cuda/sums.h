/*
 * sums.h - tables of sums on a device: for each pixel how many pixels above and
 * left of it, and itself, have a property (Lee & Choe, "Improved Parallel Image
 * Processing Algorithms by CUDA in GPU Environment").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_SUMS_H
#define HT_GPU_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HT_SUMS_MOST_WIDTH 32768u /* a row is a block's */
#define HT_SUMS_PIXELS 4u         /* `pitch` is a multiple of it */

/* Tables of a page: uint32_t [planes][height][pitch], of which columns from
 * `width` on mean nothing. A pixel counts at most 4, and a table's last sum is
 * below 2^32. */
struct ht_sums {
    uint32_t width, height; /* 1.., width up to HT_SUMS_MOST_WIDTH */
    uint32_t pitch;         /* at least width */
    uint32_t planes;        /* 1.. */
};

/* Returns the bytes of scratch memory that a call needs. */
size_t ht_sums_scratch(const struct ht_sums *sums);

/*
 * An integral histogram: plane b counts the pixels of image [height][pitch]
 * with pixel * planes / 256 == b. `image`, `scratch` and `table` are the
 * device's, and begin at a multiple of 16 bytes. Does not wait; returns the
 * error of a launch.
 */
cudaError_t ht_sums_histogram(const struct ht_sums *sums, const uint8_t *image,
                              void *scratch, uint32_t *table,
                              cudaStream_t stream);

/*
 * ht_sums_histogram() for dots [height][inks][line], `line` bytes with the
 * first pixel in the top bit, at least (width+7)/8: the only plane counts the
 * dots of the inks whose bit in `counted` is set, at most four.
 */
cudaError_t ht_sums_dots(const struct ht_sums *sums, const uint8_t *dots,
                         uint32_t inks, size_t line, unsigned counted,
                         void *scratch, uint32_t *table, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
