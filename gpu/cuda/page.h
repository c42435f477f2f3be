/*
 * page.h - a page on its way through a CUDA device, beside its ring.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_PAGE_H
#define HT_GPU_PAGE_H

#include "gpu/host/ring.h"
#include "gpu/cuda/band.h"
#include "gpu/cuda/buffers.h"

/* Inks first..end-1. */
struct ht_gpu_inks {
    uint32_t first, end;
};

/* A page on its way, ht_engine.own. */
struct ht_gpu_page {
    struct ht_ring ring;
    struct ht_gpu_plan plan;
    struct ht_gpu_buffers *buffers;
    uint32_t sweep;          /* number of the next launch's first one */
    struct ht_gpu_inks inks; /* that launches diffuse now */
};

#endif
