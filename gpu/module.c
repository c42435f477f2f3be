/*
 * module.c - what the CUDA module exports.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "gpu/buffers.h"
#include "gpu/device.h"
#include "gpu/engine.h"

static bool rest(void)
{
    ht_gpu_buffers_forget();
    return !ht_gpu_any_hangs();
}

__attribute__((visibility("default")))
const struct ht_module ht_module_cuda = {.version = PACKAGE_VERSION,
                                         .ops = &ht_cuda_engine,
                                         .warm = ht_gpu_warm,
                                         .rest = rest};
