/*
 * device.h - the calls of a device, which an accelerator's module fills in.
 * engine.h does all else.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_DEVICE_H
#define HT_DEVICE_H

#include "halftone/engine.h"

/* Rows that go through a device together. Without a pre-roll, in = rows = out;
 * with one, in = 1, rows = HT_PREROLL and out = 0. */
struct ht_launch {
    size_t number;   /* of its memory on the device, 0..launches-1 */
    size_t slot;     /* of its first row, in the ring */
    size_t in;       /* rows of samples */
    size_t rows;     /* rows that are halftoned */
    size_t out;      /* rows of dots */
    bool preroll;    /* HT_PREROLL rows like the page's first */
    bool below;      /* the row below its samples is in the ring, too */
    uint64_t end;    /* the page's row behind its last one */
    int16_t *errors; /* the state behind that row; of the host */
};

/*
 * The calls of a page's device. Functions that return bool return false if the
 * device has failed: engine.c then calls none of them any more but error() and
 * close(). Only wait() waits.
 *
 * A launch is sent, run and fetched in this order, and begins where the one
 * before it ends. The device's memory of a launch is free again after wait().
 */
struct ht_device_ops {
    const char *name;  /* for people, as in "the GPU failed" */
    size_t page_bytes; /* of engine->own, which begins with a struct ht_ring */

    /* Allocates what the page needs, fills in the ring's sizes, samples, dots
     * and launches' errors, and readies the device for the page's first row.
     * close() is called after a failure, too. */
    ht_status_t (*open)(ht_engine_t *engine);
    /* Frees it. Returns false if a device that hangs may still write to
     * engine->own, which then is never freed. */
    bool (*close)(ht_engine_t *engine);
    /* Makes the page's device that of this thread; NULL: threads have none.
     * Called before all that follows. */
    void (*select)(ht_engine_t *engine);
    /* Sends the samples of a launch, and of the row below them. */
    bool (*send)(ht_engine_t *engine, const struct ht_launch *launch);
    /* Halftones its rows, and moves the ring's `place` behind them. */
    bool (*run)(ht_engine_t *engine, const struct ht_launch *launch);
    /* Brings its dots into the ring, and its errors. */
    bool (*fetch)(ht_engine_t *engine, const struct ht_launch *launch);
    /* Returns whether wait() would take no time: the launch is over, or the
     * device has failed. */
    bool (*is_over)(ht_engine_t *engine, const struct ht_launch *launch);
    /* Waits until a launch is over, for so long as one may take. */
    bool (*wait)(ht_engine_t *engine, const struct ht_launch *launch);
    /* Sends a launch's errors: the next launch begins with them. */
    bool (*send_state)(ht_engine_t *engine, const struct ht_launch *launch);
    /* Returns why the device failed, static. */
    const char *(*error)(ht_engine_t *engine);
};

#endif
