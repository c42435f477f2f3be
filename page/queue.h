/*
 * queue.h - a bounded queue of bands from one thread to another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_QUEUE_H
#define PAGE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The least of a queue: the taker keeps up to two and works on a third; one is
 * filled, and one evens out the speeds. */
#define QUEUE_BANDS 5u

struct band {
    uint8_t *data; /* of the queue */
    /* The thread that fills the band sets these. */
    size_t rows;
    uint16_t *inked; /* [rows] the inks, a bit each, that a row may have; all at
                        first, as the data may be anything */
    const uint8_t *lines; /* [rows] what the taker has to make the data of;
                             NULL = it is made */
};

/* One thread fills bands, another one takes them; either may end it. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* at most one of the two ever waits */
    struct band *band;      /* [bands] */
    unsigned bands;
    /* [spares] to be filled: the one that was given back last is next, and
     * still in a cache. */
    struct band **spare;
    unsigned spares;
    struct band *filling; /* NULL = none */
    struct band **ring;   /* [bands] that are not given back yet */
    unsigned first, full; /* of the ring */
    unsigned taken;       /* of these, the oldest */
    bool ended;
};

/* Makes a queue of QUEUE_BANDS bands, and `more`, of `rows` times `row_bytes`.
 * False without memory; queue_close() either way. */
bool queue_open(struct queue *queue, unsigned more, size_t rows,
                size_t row_bytes);

void queue_close(struct queue *queue); /* when no thread uses it any more */

/* Waits for a band to fill; NULL when the queue was ended. */
struct band *queue_space(struct queue *queue);

/* Whether queue_space() would not wait. */
bool queue_has_space(struct queue *queue);

/* Hands over the band that queue_space() gave. */
void queue_put(struct queue *queue);

/* Waits for the oldest band that is not taken; NULL when the queue was ended
 * and all of its bands are taken. */
struct band *queue_next(struct queue *queue);

/* Whether queue_next() would not wait. */
bool queue_has_next(struct queue *queue);

/* Waits until queue_next() would not wait, but at most `ms` milliseconds,
 * 0..999. Returns whether it would not. */
bool queue_await(struct queue *queue, unsigned ms);

/* Gives back the oldest band that queue_next() gave. */
void queue_done(struct queue *queue);

/* No more bands are coming, or no more are wanted. */
void queue_end(struct queue *queue);

#endif
