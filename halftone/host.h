/*
 * host.h - the part of engines that keep a page's state in the host's memory:
 * the state, the finished rows, and the calls that need no more than these.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_HOST_H
#define HT_HOST_H

#include "halftone/definition.h"
#include "halftone/engine.h"

/* The first member of such an engine's `own`. */
struct ht_host {
    struct ht_scan scan;
    struct ht_place place; /* of the first row that is not halftoned */
    int16_t *error;  /* the state, [ht_state_lines()][width], for that row: the
                        first [inks] are the inks' errors */
    uint8_t *unseen; /* [inks][ht_row_bytes()]: a row for dots of the pre-roll,
                        which nobody collects */
    /* The finished rows, a ring, first in, first out. */
    size_t row_bytes; /* of one row's dots, all inks */
    size_t capacity;  /* rows */
    size_t first, rows;
    uint8_t *queue; /* [capacity][inks][ht_row_bytes()] */
};

/* Begins the page of `engine`, whose engine holds back at most `held` rows.
 * HT_ERR_MEMORY; free with ht_host_free() either way. */
ht_status_t ht_host_init(struct ht_host *host, const ht_engine_t *engine,
                         size_t held);

void ht_host_free(struct ht_host *host);

/* Adds the row `row`, counted with the pre-roll, to the queue, where it is
 * ready at once; those of the pre-roll go to `unseen`. Returns the row's dots
 * to be, [row_bytes], with old content. */
uint8_t *ht_host_add_row(struct ht_host *host, uint64_t row);

/* Calls of struct ht_engine_ops. */
size_t ht_host_ready(const ht_engine_t *engine);
ht_status_t ht_host_collect(ht_engine_t *engine, uint8_t *dots, size_t rows);
ht_status_t ht_host_take_state(ht_engine_t *engine, uint64_t *row,
                               int16_t *errors);
ht_status_t ht_host_give_state(ht_engine_t *engine, uint64_t row,
                               const int16_t *errors);

#endif
