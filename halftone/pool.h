/*
 * pool.h - helper threads, which sleep until they are woken to work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_POOL_H
#define HT_POOL_H

#include "halftone/halftone.h"

#define HT_POOL_MOST 64u /* threads */

struct ht_pool;

/*
 * Makes a pool of up to `most` threads, 0..HT_POOL_MOST, none of which is
 * started yet. A thread that is woken calls work(context, i), with its number
 * i = 1..most, and sleeps again. HT_ERR_MEMORY; free it with ht_pool_close().
 */
ht_status_t ht_pool_open(struct ht_pool **out, unsigned most,
                         void (*work)(void *context, unsigned i),
                         void *context);

/* Waits until the threads' work returns. NULL is allowed. */
void ht_pool_close(struct ht_pool *pool);

/* Wakes a thread, or starts one, unless all are awake or the system refuses.
 * Only for the thread that made the pool. */
void ht_pool_wake(struct ht_pool *pool);

#endif
