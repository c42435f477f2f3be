/*
 * module.c - exports the OpenCL module.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "gpu/opencl/device.h"
#include "gpu/opencl/engine.h"

static double no_gain(const ht_page_t *page)
{
    (void)page;
    return 0;
}

static void start(void)
{
    (void)ht_cl_device();
}

static bool rest(void)
{
    return !ht_cl_hangs();
}

__attribute__((visibility("default")))
const struct ht_module ht_exported_module = {.version = PACKAGE_VERSION,
                                             .ops = &ht_opencl_engine,
                                             .gain = no_gain,
                                             .start = start,
                                             .rest = rest};
