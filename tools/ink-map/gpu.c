/*
 * gpu.c - a table of a batch's dots from the module, of which the pieces'
 * knots take what they need.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/dot_sums.h"
#include "tools/ink-map/gpu.h"

struct ink_gpu {
    const struct dot_sums *module;
    struct dot_sums_device *device; /* NULL when it has failed */
    uint32_t width;
};

/* Loads it for good: threads of its runtime may outlive any use of it. */
static const struct dot_sums *load(const char *path, const char **why)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const struct dot_sums *module =
        handle == NULL ? NULL : dlsym(handle, DOT_SUMS_SYMBOL);

    if (handle == NULL)
        *why = "the CUDA module is not installed, or cannot be loaded";
    else if (module == NULL || strcmp(module->version, PACKAGE_VERSION) != 0)
        *why = "the CUDA module is of another version";
    else
        return module;
    return NULL;
}

struct ink_gpu *ink_gpu_open(const char *path, uint32_t width, uint32_t inks,
                             const char **why)
{
    struct dot_rows rows = {.width = width,
                            .rows = INK_BATCH_ROWS,
                            .inks = inks,
                            .line = ink_count_words(width) * sizeof(uint64_t)};
    const struct dot_sums *module = load(path, why);
    struct dot_sums_device *device =
        module != NULL ? module->open(&rows, why) : NULL;
    struct ink_gpu *gpu = device != NULL ? malloc(sizeof *gpu) : NULL;

    if (gpu == NULL) {
        if (device != NULL) {
            module->close(device);
            *why = "not enough memory";
        }
        return NULL;
    }
    *gpu = (struct ink_gpu){.module = module, .device = device, .width = width};
    return gpu;
}

void ink_gpu_close(struct ink_gpu *gpu)
{
    if (gpu != NULL)
        gpu->module->close(gpu->device);
    free(gpu);
}

/* Returns the dots left of column `x` in rows begin..end-1. */
static uint32_t dots_left(const uint32_t *table, size_t pitch, uint32_t begin,
                          uint32_t end, uint32_t x)
{
    if (x == 0)
        return 0;
    table += x - 1;
    return table[(size_t)(end - 1) * pitch] -
           (begin > 0 ? table[(size_t)(begin - 1) * pitch] : 0);
}

bool ink_gpu_count(void *context, const struct ink_count *count,
                   struct ink_batch *batch)
{
    struct ink_gpu *gpu = context;
    const uint32_t *table = NULL;
    uint32_t begin = 0;
    size_t pitch;

    assert(count->ranges == 1);
    if (gpu->device != NULL)
        table = gpu->module->add(gpu->device, (const uint8_t *)batch->dots,
                                 batch->rows, count->counted, &pitch);
    if (table == NULL) {
        gpu->module->close(gpu->device);
        gpu->device = NULL;
        return false;
    }
    for (uint32_t piece = 0; piece < batch->pieces; piece++) {
        uint32_t *ranks = batch->ranks + (size_t)piece * count->knots;
        uint32_t end = batch->end[piece];

        for (uint32_t i = 0; i < count->knots; i++)
            ranks[i] =
                dots_left(table, pitch, begin, end, count->knot[i].column);
        batch->totals[piece] = dots_left(table, pitch, begin, end, gpu->width);
        begin = end;
    }
    ink_count_inks(count, batch, 0);
    return true;
}
