/*
 * module.c - exports the CUDA module.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "gpu/cuda/buffers.h"
#include "gpu/cuda/choice.h"
#include "gpu/cuda/device.h"
#include "gpu/cuda/engine.h"
#include "gpu/cuda/start.h"

static void start(void)
{
    if (ht_gpu_started(0) < 0)
        ht_gpu_start_another();
}

/* While a device is being started, the driver may keep calls for others
 * waiting. */
static bool rest(void)
{
    if (ht_gpu_is_starting())
        return false;
    ht_gpu_buffers_forget();
    return !ht_gpu_any_hangs();
}

__attribute__((visibility("default")))
const struct ht_module ht_exported_module = {.version = PACKAGE_VERSION,
                                             .ops = &ht_cuda_engine,
                                             .gain = ht_gpu_most_gain,
                                             .start = start,
                                             .rest = rest};
