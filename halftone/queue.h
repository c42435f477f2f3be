/*
 * queue.h - the finished rows of an engine, first in, first out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_QUEUE_H
#define HT_QUEUE_H

#include "halftone/halftone.h"

struct ht_queue {
    size_t row_bytes; /* of one row's dots, all inks */
    size_t capacity;  /* rows */
    size_t first, rows;
    uint8_t *data; /* [capacity][inks][(width+7)/8], a ring */
};

/* Makes room for what halftone.h lets wait: two bands and `held` rows.
 * HT_ERR_MEMORY; free with ht_queue_free() either way. */
ht_status_t ht_queue_init(struct ht_queue *queue, const ht_page_t *page,
                          size_t held);

void ht_queue_free(struct ht_queue *queue);

/* Appends a row and returns where its dots go, [row_bytes], old content. */
uint8_t *ht_queue_append(struct ht_queue *queue);

/* Takes the `rows` oldest rows out, into dots [rows][row_bytes]. */
void ht_queue_take(struct ht_queue *queue, uint8_t *dots, size_t rows);

#endif
