/*
 * engine.h - a page on its way through the device: what engine.c, rescue.c
 * and device.c share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_ENGINE_H
#define HT_GPU_ENGINE_H

#include "gpu/band.h"
#include "gpu/device.h"
#include "halftone/internal.h"

#define HT_GPU_LAUNCHES 4     /* on the way at the same time */
#define HT_GPU_LAUNCH_ROWS 64 /* worth one while others are on the way */
#define HT_GPU_SWATH 4        /* rows of the tallest swath */

/* Rows on their way through the device, with what they bring back. */
struct ht_gpu_launch {
    uint64_t end;         /* the page row behind its last */
    uint8_t *dots;        /* device: [ring][dot_row] */
    uint32_t *ticket;     /* device */
    uint32_t *shifts;     /* device: [swaths] */
    int16_t *errors;      /* device: [inks][width], behind the last row */
    uint32_t *host_shifts;
    int16_t *host_errors;
    cudaEvent_t copied, ran, done;
};

/* An engine's own. Rows are the page's; collected <= finished <= launched <=
 * submitted <= collected + ring. */
struct ht_gpu_page {
    struct ht_scan scan;
    struct ht_place place; /* of the next row to launch */
    struct ht_gpu_plan plan;
    int device;
    bool hung;  /* it does not answer; its memory is lost */
    bool given; /* a state was given: there is no pre-roll */
    size_t sample_row, dot_row, state_bytes; /* bytes */
    size_t ring;                             /* rows */
    size_t swaths;                           /* most of a launch */
    uint64_t submitted, launched, finished, collected;
    uint64_t launches, finished_launches;
    uint32_t strip;               /* number of the next */
    const int16_t *state;         /* behind `finished`; NULL: nothing yet */
    uint8_t *samples;             /* device: [ring][sample_row], padded */
    uint8_t *level;               /* device: of 16-bit samples, padded */
    int16_t *tone;                /* the same */
    uint32_t *line;               /* device: [inks][width] */
    struct ht_gpu_entry *entries; /* device */
    uint8_t *pattern;             /* device */
    uint8_t *host_samples;        /* [ring][sample_row], pinned */
    uint8_t *host_dots;           /* [ring][dot_row], pinned */
    int *stop;                    /* pinned: 1 ends the kernels */
    cudaStream_t in, run, out;
    struct ht_gpu_launch launch[HT_GPU_LAUNCHES];
    ht_engine_t *rescuer; /* goes on when the device has failed */
};

/* Waits for the oldest launch. False: the device has failed. */
bool ht_gpu_finish(ht_engine_t *engine);

/* Puts an engine of the host in the device's place, with the state behind the
 * last finished launch and the rows since; engine->trouble says why. */
ht_status_t ht_gpu_rescue(ht_engine_t *engine);

extern const struct ht_engine_ops ht_cuda_engine;

#endif
