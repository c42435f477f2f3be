/*
 * ring.h - the host's side of every accelerator: a page's rows, on their way
 * through a device and back, and what goes on with them when it fails.
 *
 * The host keeps the rows of a page in a ring until their dots are collected:
 * samples on their way in, dots on their way out. A launch takes a run of rows
 * through the device and brings the errors behind its last row along; several
 * launches are under way. When the device fails, a CPU engine, the rescuer,
 * goes on from the last state that came, with the rows that the ring still has.
 *
 * The way of a row, from ht_engine_submit():
 *
 *     ht_ring_submit()      ring.c: into the ring; launches what is worth it
 *     ops->send, run, fetch the device's: samples in, kernels, dots out
 *     ht_ring_collect()     ring.c: waits for the launch, copies its dots
 *     ht_ring_rescue()      rescue.c: or the CPU, from the last state on
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_RING_H
#define HT_RING_H

#include "accelerator/device.h"
#include "halftone/definition.h"
#include "halftone/method.h"

#define HT_RING_SWATH 4          /* rows of the tallest swath */
#define HT_RING_MOST_LAUNCHES 21 /* at a time, and one at rest */

/* How much a page needs of the host and, for a launch, of the device. */
struct ht_ring_sizes {
    size_t rows;       /* of the ring */
    size_t part;       /* rows of a launch, at most */
    size_t worth;      /* rows that are worth a launch of a device that has
                          nothing to do, while more come in */
    size_t launches;   /* 2..HT_RING_MOST_LAUNCHES: one is at rest, and holds
                          the last state */
    size_t sample_row; /* bytes of a row's samples */
    size_t dot_row;    /* bytes of a row's dots */
    size_t state;      /* bytes of a page's state between two rows */
};

/* A page on its way, ht_engine.own; the device's own part is behind it. Rows
 * count from the page's first: collected <= finished <= launched <= submitted
 * <= collected + sizes.rows. With a rescuer, collected <= fed <= submitted, and
 * `launched` and `finished` stand still. */
struct ht_ring {
    const struct ht_device_ops *ops;
    struct ht_scan scan;
    struct ht_place place; /* in the scan, of the next row to launch */
    struct ht_ring_sizes sizes;
    uint8_t *samples; /* [rows][sample_row], the device's */
    uint8_t *dots;    /* [rows][dot_row], likewise */
    uint16_t *inked;  /* [rows] inks that a row may have, a bit each */
    struct ht_launch launch[HT_RING_MOST_LAUNCHES];
    uint64_t submitted, launched, finished, collected;
    uint64_t launches, finished_launches;
    const int16_t *state; /* behind row `finished`; NULL = 0 */
    bool given;           /* a state was given, so there is no pre-roll */
    bool failed;          /* the device failed in this page */
    uint64_t fed;         /* row behind the last one that the rescuer has */
    ht_engine_t *rescuer; /* then goes on with the page; owned */
};

/* Returns a number of rows, made up to whole swaths. */
size_t ht_ring_whole_swaths(size_t rows);

/* Returns the sizes of a page whose ring has as few rows as it can: what a
 * caller may leave uncollected, and a swath that is not whole or whose last row
 * waits. `part`, `worth` and `launches` are left to the device. */
struct ht_ring_sizes ht_ring_least(const ht_page_t *page);

/* Does ht_engine_ops.open() with a device. */
ht_status_t ht_ring_open(ht_engine_t *engine, const struct ht_device_ops *ops);

/* Goes on without the device, which failed: engine->trouble says so, and `why`,
 * static; NULL = ops->error(). Returns the status of the rescuer. */
ht_status_t ht_ring_rescue(ht_engine_t *engine, const char *why);

/* The other calls of ht_engine_ops. */
#define HT_RING_CALLS                                                          \
    .close = ht_ring_close, .buffer = ht_ring_buffer, .room = ht_ring_room,    \
    .submit = ht_ring_submit, .end = ht_ring_end, .ready = ht_ring_ready,      \
    .done = ht_ring_done, .collect = ht_ring_collect,                          \
    .take_state = ht_ring_take_state, .give_state = ht_ring_give_state
void ht_ring_close(ht_engine_t *engine);
void *ht_ring_buffer(ht_engine_t *engine, size_t *rows);
size_t ht_ring_room(const ht_engine_t *engine);
ht_status_t ht_ring_submit(ht_engine_t *engine, const void *tones,
                           const uint16_t *inked, size_t rows);
ht_status_t ht_ring_end(ht_engine_t *engine);
size_t ht_ring_ready(const ht_engine_t *engine);
size_t ht_ring_done(ht_engine_t *engine);
ht_status_t ht_ring_collect(ht_engine_t *engine, uint8_t *dots, size_t rows);
ht_status_t ht_ring_take_state(ht_engine_t *engine, uint64_t *row,
                               int16_t *errors);
ht_status_t ht_ring_give_state(ht_engine_t *engine, uint64_t row,
                               const int16_t *errors);

#endif
