/*
 * engine.h - a page on its way through the device: what engine.c, rescue.c
 * and device.c share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_ENGINE_H
#define HT_GPU_ENGINE_H

#include "gpu/band.h"
#include "gpu/buffers.h"
#include "gpu/device.h"
#include "halftone/internal.h"

#define HT_GPU_LAUNCH_ROWS 64 /* worth one while others are on the way */
#define HT_GPU_SWATH 4        /* rows of the tallest swath */
#define HT_GPU_CROWD 4        /* more pages at the same time are a crowd */

/* An engine's own. Rows are the page's; collected <= finished <= launched <=
 * submitted <= collected + ring. */
struct ht_gpu_page {
    struct ht_scan scan;
    struct ht_place place; /* of the next row to launch */
    struct ht_gpu_plan plan;
    struct ht_gpu_sizes sizes;
    struct ht_gpu_buffers *at;
    uint64_t submitted, launched, finished, collected;
    uint64_t launches, finished_launches;
    uint32_t strip;       /* number of the next */
    const int16_t *state; /* behind `finished`; NULL: nothing yet */
    bool given;           /* a state was given: there is no pre-roll */
    bool failed;          /* the device, in this page; */
    bool hung;            /* it does not even answer */
    ht_engine_t *rescuer; /* goes on then */
};

/* Waits for the oldest launch. False: the device has failed. */
bool ht_gpu_finish(ht_engine_t *engine);

/* Puts an engine of the host in the device's place, with the state behind the
 * last finished launch and the rows since; engine->trouble says why. */
ht_status_t ht_gpu_rescue(ht_engine_t *engine);

extern const struct ht_engine_ops ht_cuda_engine;

#endif
