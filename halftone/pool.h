/*
 * pool.h - a few threads that do a piece of work together.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_POOL_H
#define HT_POOL_H

#include "halftone/halftone.h"

#define HT_POOL_MOST 64u /* threads */

struct ht_pool;

/* Returns how many processors this process may use, 1..HT_POOL_MOST. */
unsigned ht_pool_processors(void);

/*
 * Makes a pool of `threads`, the caller's own included; 1 starts none. When
 * the system refuses threads, the pool has fewer. HT_ERR_MEMORY; free it with
 * ht_pool_close().
 */
ht_status_t ht_pool_open(struct ht_pool **out, unsigned threads);

void ht_pool_close(struct ht_pool *pool); /* NULL is allowed */

/* Calls work(context, i) once for each thread i that the pool has, 0 in the
 * caller's thread and each other in one of its own, and returns when all have.
 */
void ht_pool_run(struct ht_pool *pool, void (*work)(void *context, unsigned i),
                 void *context);

/* Says that the next call of ht_pool_run() does not come soon: threads that
 * wait for it sleep. */
void ht_pool_rest(struct ht_pool *pool);

#endif
