/*
 * engine.h - a page on its way through the device, which engine.c, launch.c and
 * rescue.c share; and the engine, which module.c exports.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_ENGINE_H
#define HT_GPU_ENGINE_H

#include "gpu/band.h"
#include "gpu/buffers.h"
#include "gpu/device.h"
#include "halftone/definition.h"
#include "halftone/engine.h"
#include "halftone/method.h"

#define HT_GPU_SWATH 4 /* rows of the tallest swath */

/* Rows of a launch: as few while others are under way; as many, since it has a
 * deadline (device.c). */
#define HT_GPU_PART_ROWS 64
#define HT_GPU_MOST_PART_ROWS 1024

#define HT_GPU_MOST_ROWS ((size_t)16384)    /* of a ring for a whole page */
#define HT_GPU_BUSY_BYTES ((size_t)8 << 20) /* samples keep a device busy */

/* Inks first..end-1. */
struct ht_gpu_inks {
    uint32_t first, end;
};

/* A page on its way, ht_engine.own. Rows count from the page's first: collected
 * <= finished <= launched <= submitted <= collected + ring. With a rescuer,
 * collected <= fed <= submitted, and `launched` and `finished` stand still. */
struct ht_gpu_page {
    struct ht_scan scan;
    struct ht_place place; /* in the scan, of the next row to launch */
    struct ht_gpu_plan plan;
    struct ht_gpu_sizes sizes;
    struct ht_gpu_buffers *buffers;
    uint64_t submitted, launched, finished, collected;
    uint64_t launches, finished_launches;
    uint32_t sweep; /* number of the next launch's first one */
    /* Errors [inks][width] behind row `finished`; NULL = 0. */
    const int16_t *state;
    uint16_t *inked;   /* [ring] inks that a row may have, a bit each */
    uint16_t troubled; /* inks with an error behind `finished`, a bit each */
    struct ht_gpu_inks inks; /* that launches diffuse now */
    uint64_t fed;            /* row behind the last one that the rescuer has */
    bool given;              /* a state was given, so there is no pre-roll */
    bool failed;             /* the device failed in this page */
    ht_engine_t *rescuer;    /* then goes on with the page; owned */
};

/* Opens the rescuer, a CPU engine, gives it the state behind the last finished
 * launch and feeds it from the ring; engine->trouble says why. Returns the
 * status of opening or feeding it. */
ht_status_t ht_gpu_rescue(ht_engine_t *engine);

/* Submits to the rescuer the rows that it has not got and has room for; ends it
 * after the page's last row. */
ht_status_t ht_gpu_feed_rescuer(ht_engine_t *engine);

/* Collects the next `rows` rows from the rescuer, feeding it on the way: rows
 * that ht_engine_ready() counted, before the device failed or since. */
ht_status_t ht_gpu_collect_rescued(ht_engine_t *engine, uint8_t *dots,
                                   size_t rows);

extern const struct ht_engine_ops ht_cuda_engine;

#endif
