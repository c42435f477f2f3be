/*
 * queue.c - the finished rows of an engine, first in, first out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/queue.h"

/* The page's limits keep the product far inside size_t: 2 * 65536 rows of
 * 15 x 32768 bytes are the largest. */
ht_status_t ht_queue_init(struct ht_queue *queue, const ht_page_t *page,
                          size_t held)
{
    *queue = (struct ht_queue){.row_bytes =
                                   page->inks * (((size_t)page->width + 7) / 8),
                               .capacity = 2 * (size_t)page->band + held};
    queue->data = calloc(queue->capacity, queue->row_bytes);
    return queue->data != NULL ? HT_OK : HT_ERR_MEMORY;
}

void ht_queue_free(struct ht_queue *queue)
{
    free(queue->data);
    queue->data = NULL;
}

uint8_t *ht_queue_append(struct ht_queue *queue)
{
    size_t slot = (queue->first + queue->rows++) % queue->capacity;

    return queue->data + slot * queue->row_bytes;
}

void ht_queue_take(struct ht_queue *queue, uint8_t *dots, size_t rows)
{
    for (size_t row = 0; row < rows; row++, dots += queue->row_bytes) {
        memcpy(dots, queue->data + queue->first * queue->row_bytes,
               queue->row_bytes);
        queue->first = (queue->first + 1) % queue->capacity;
    }
    queue->rows -= rows;
}
