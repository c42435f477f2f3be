/*
 * engine.h - the host's side of every accelerator: what an engine's calls do
 * with a page's rows, on their way through a device and back.
 *
 * The host keeps the rows of a page in a ring until their dots are collected:
 * samples on their way in, dots on their way out. A launch takes some rows
 * through the device and brings the errors behind its last row along; several
 * launches are under way. When the device fails, a CPU engine, the rescuer,
 * goes on from the last state that came, with the rows that the ring still has.
 *
 * The way of a row, from ht_engine_submit():
 *
 *     ht_ring_submit()      engine.c: into the ring; launches what is worth it
 *     ops->send, run, fetch the device's: samples in, kernels, dots out
 *     ht_ring_collect()     engine.c: waits for the launch, copies its dots
 *     ht_ring_rescue()      rescue.c: or the CPU, from the last state on
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_ACCELERATOR_ENGINE_H
#define HT_ACCELERATOR_ENGINE_H

#include "gpu/host/device.h"

/* Does ht_engine_ops.open() with a device. */
ht_status_t ht_ring_open(ht_engine_t *engine, const struct ht_device_ops *ops);

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
