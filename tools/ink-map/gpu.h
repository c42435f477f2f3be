/*
 * gpu.h - counts dots on a GPU, where the package has the CUDA module.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INK_MAP_GPU_H
#define INK_MAP_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/ink-map/count.h"

struct ink_gpu;

/* Loads the module at `path` and starts a device for batches of a page so wide.
 * NULL with the reason, a static text, in `why`. */
struct ink_gpu *ink_gpu_open(const char *path, uint32_t width, uint32_t inks,
                             const char **why);

/* Does what ink_count_range() does with range 0, which has to be the only one.
 * `context` is the struct ink_gpu. False, and nothing is done, when the device
 * has failed; then or before. */
bool ink_gpu_count(void *context, const struct ink_count *count,
                   struct ink_batch *batch);

/* NULL is allowed. The module stays loaded. */
void ink_gpu_close(struct ink_gpu *gpu);

#endif
