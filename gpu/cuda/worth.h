/*
 * worth.h - estimates whether a device is worth it for a page, without asking
 * the machine or CUDA.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_WORTH_H
#define HT_GPU_WORTH_H

#include "gpu/cuda/load.h"
#include "halftone/halftone.h"

/* Says whether the device prints drops of several sizes by a method: its
 * kernels of Floyd-Steinberg, Threshold and Screen know whole dots alone. */
bool ht_gpu_prints_sizes(ht_method_t method);

/* Returns how many seconds a device that has been started saves for a page,
 * with `pages` such pages on it at the same time, 1.., against the processors
 * under this load. 0 if it is hardly faster, or not at all. A page of unknown
 * height counts as a square one. */
double ht_gpu_gain(const ht_page_t *page, unsigned pages,
                   const struct ht_gpu_load *load);

/* Returns whether a device takes more than twice as long for a page as its
 * samples take to come, so that the next page can come in meanwhile. */
bool ht_gpu_slower_than_input(const ht_page_t *page);

#endif
