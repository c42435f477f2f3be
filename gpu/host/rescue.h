/*
 * rescue.h - the rescuer of a page whose device has failed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_RESCUE_H
#define HT_RESCUE_H

#include "gpu/host/ring.h"

/* Goes on without the device, which failed: engine->trouble says so, and `why`,
 * static; NULL = ops->error(). Returns the status of the rescuer. */
ht_status_t ht_ring_rescue(ht_engine_t *engine, const char *why);

/* Submits to the rescuer the rows that it has not got and has room for; ends it
 * after the page's last row. */
ht_status_t ht_rescuer_feed(ht_engine_t *engine);

/* Collects the next `rows` rows from the rescuer, feeding it on the way: rows
 * that ht_engine_ready() counted, before the device failed or since. */
ht_status_t ht_rescuer_collect(ht_engine_t *engine, uint8_t *dots, size_t rows);

#endif
