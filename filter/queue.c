/*
 * queue.c - bands in a ring, one lock, one condition.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>

#include "filter/queue.h"

bool queue_open(struct queue *queue, size_t rows, size_t row_bytes)
{
    bool ok = true;

    *queue = (struct queue){.first = 0};
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    for (unsigned i = 0; i < QUEUE_BANDS; i++) {
        queue->band[i].data = calloc(rows, row_bytes);
        queue->band[i].inked = calloc(rows, sizeof *queue->band[i].inked);
        ok = ok && queue->band[i].data != NULL && queue->band[i].inked != NULL;
    }
    return ok;
}

void queue_close(struct queue *queue)
{
    for (unsigned i = 0; i < QUEUE_BANDS; i++) {
        free(queue->band[i].data);
        free(queue->band[i].inked);
    }
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
}

struct band *queue_space(struct queue *queue)
{
    struct band *band = NULL;

    pthread_mutex_lock(&queue->lock);
    while (queue->waiting == QUEUE_BANDS && !queue->ended)
        pthread_cond_wait(&queue->changed, &queue->lock);
    if (!queue->ended)
        band = &queue->band[(queue->first + queue->waiting) % QUEUE_BANDS];
    pthread_mutex_unlock(&queue->lock);
    return band;
}

struct band *queue_next(struct queue *queue)
{
    struct band *band = NULL;

    pthread_mutex_lock(&queue->lock);
    while (queue->waiting == 0 && !queue->ended)
        pthread_cond_wait(&queue->changed, &queue->lock);
    if (queue->waiting > 0)
        band = &queue->band[queue->first];
    pthread_mutex_unlock(&queue->lock);
    return band;
}

void queue_put(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->waiting++;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void queue_done(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->first = (queue->first + 1) % QUEUE_BANDS;
    queue->waiting--;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void queue_end(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->ended = true;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}
