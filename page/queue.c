/*
 * queue.c - bands in a ring, one lock, one condition.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "page/queue.h"

bool queue_open(struct queue *queue, unsigned more, size_t rows,
                size_t row_bytes)
{
    pthread_condattr_t monotonic;

    *queue = (struct queue){.bands = QUEUE_BANDS + more,
                            .spares = QUEUE_BANDS + more};
    pthread_mutex_init(&queue->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    queue->band = calloc(queue->bands, sizeof *queue->band);
    queue->spare = calloc(queue->bands, sizeof *queue->spare);
    queue->ring = calloc(queue->bands, sizeof *queue->ring);
    bool ok =
        queue->band != NULL && queue->spare != NULL && queue->ring != NULL;
    for (unsigned i = 0; ok && i < queue->bands; i++) {
        struct band *band = &queue->band[i];

        queue->spare[queue->bands - i - 1] = band;
        band->data = malloc(rows * row_bytes);
        band->inked = malloc(rows * sizeof *band->inked);
        ok = ok && band->data != NULL && band->inked != NULL;
        for (size_t row = 0; ok && row < rows; row++)
            band->inked[row] = UINT16_MAX;
    }
    return ok;
}

void queue_close(struct queue *queue)
{
    for (unsigned i = 0; queue->band != NULL && i < queue->bands; i++) {
        free(queue->band[i].data);
        free(queue->band[i].inked);
    }
    free(queue->band);
    free(queue->spare);
    free(queue->ring);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
}

/* Call these two with the lock held. */
static bool has_space(const struct queue *queue)
{
    return queue->full < queue->bands || queue->ended;
}

static bool has_next(const struct queue *queue)
{
    return queue->taken < queue->full || queue->ended;
}

struct band *queue_space(struct queue *queue)
{
    struct band *band = NULL;

    pthread_mutex_lock(&queue->lock);
    while (!has_space(queue))
        pthread_cond_wait(&queue->changed, &queue->lock);
    if (!queue->ended && queue->filling == NULL)
        queue->filling = queue->spare[--queue->spares];
    if (!queue->ended)
        band = queue->filling;
    pthread_mutex_unlock(&queue->lock);
    return band;
}

struct band *queue_next(struct queue *queue)
{
    struct band *band = NULL;

    pthread_mutex_lock(&queue->lock);
    while (!has_next(queue))
        pthread_cond_wait(&queue->changed, &queue->lock);
    if (queue->taken < queue->full)
        band = queue->ring[(queue->first + queue->taken++) % queue->bands];
    pthread_mutex_unlock(&queue->lock);
    return band;
}

bool queue_has_space(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    bool space = has_space(queue);
    pthread_mutex_unlock(&queue->lock);
    return space;
}

bool queue_has_next(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    bool next = has_next(queue);
    pthread_mutex_unlock(&queue->lock);
    return next;
}

bool queue_await(struct queue *queue, unsigned ms)
{
    struct timespec end;
    int late = 0;

    assert(ms < 1000);
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += 1000000L * ms;
    end.tv_sec += end.tv_nsec / 1000000000L;
    end.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&queue->lock);
    while (!has_next(queue) && late != ETIMEDOUT)
        late = pthread_cond_timedwait(&queue->changed, &queue->lock, &end);
    bool next = has_next(queue);
    pthread_mutex_unlock(&queue->lock);
    return next;
}

void queue_put(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    assert(queue->full < queue->bands);
    queue->ring[(queue->first + queue->full) % queue->bands] = queue->filling;
    queue->filling = NULL;
    queue->full++;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void queue_done(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    assert(queue->taken > 0);
    queue->taken--;
    queue->full--;
    queue->spare[queue->spares++] = queue->ring[queue->first];
    queue->first = (queue->first + 1) % queue->bands;
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
