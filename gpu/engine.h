/*
 * engine.h - a page on its way through the device, which engine.c, launch.c and
 * rescue.c share, and the engine itself, which module.c exports.
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

#define HT_GPU_PART_ROWS 64 /* worth a launch while others are on the way */
#define HT_GPU_BUSY_BYTES ((size_t)8 << 20) /* samples keep a device busy */
#define HT_GPU_MOST_PART_ROWS 1024       /* of a launch, which has a deadline */
#define HT_GPU_MOST_ROWS ((size_t)16384) /* of a page that waits whole */
#define HT_GPU_SWATH 4                   /* rows of the tallest swath */

/* Inks first..end-1. */
struct ht_gpu_inks {
    uint32_t first, end;
};

/* An engine's own. Rows are the page's; collected <= finished <= launched <=
 * submitted <= collected + ring. With a rescuer, collected <= fed <= submitted,
 * and the device's counts stand still. */
struct ht_gpu_page {
    struct ht_scan scan;
    struct ht_place place; /* of the next row to launch */
    struct ht_gpu_plan plan;
    struct ht_gpu_sizes sizes;
    struct ht_gpu_buffers *at;
    uint64_t submitted, launched, finished, collected;
    uint64_t launches, finished_launches;
    uint32_t strip;          /* number of the next */
    const int16_t *state;    /* behind `finished`; NULL: nothing yet */
    uint16_t *inked;         /* [ring] inks that a row may have, a bit each */
    uint16_t troubled;       /* inks with an error behind `finished` */
    struct ht_gpu_inks inks; /* that launches are of now */
    uint64_t fed;            /* row behind the last that the rescuer has */
    bool given;              /* a state was given: there is no pre-roll */
    bool failed;             /* the device, in this page */
    ht_engine_t *rescuer;    /* goes on then */
};

/* Puts an engine of the host in the device's place, with the state behind the
 * last finished launch; engine->trouble says why. */
ht_status_t ht_gpu_rescue(ht_engine_t *engine);

/* Gives the rescuer as many of the rows that it has not got as it has room
 * for, and tells it when these were the page's last. */
ht_status_t ht_gpu_feed_rescuer(ht_engine_t *engine);

/* Collects the next `rows` rows, which were ready when the device failed or
 * are, from the rescuer, and goes on to feed it. */
ht_status_t ht_gpu_collect_rescued(ht_engine_t *engine, uint8_t *dots,
                                   size_t rows);

extern const struct ht_engine_ops ht_cuda_engine;

#endif
