/*
 * pool.c - POSIX threads that wait for work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "halftone/pool.h"

#define TRIES 1000 /* to see the others finish before sleeping */
#define LOOKS 200  /* for the next round before that */

struct member {
    struct ht_pool *pool;
    unsigned number; /* 1.. */
    pthread_t thread;
};

struct ht_pool {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    atomic_ulong round;  /* of work */
    atomic_uint working; /* members that have not finished this round */
    atomic_bool rest;    /* the next round does not come soon */
    bool quit;
    void (*work)(void *context, unsigned i);
    void *context;
    unsigned members; /* that were started: threads without the caller */
    struct member member[];
};

unsigned ht_pool_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
#endif
    if (count < 1)
        return 1;
    return count > (long)HT_POOL_MOST ? HT_POOL_MOST : (unsigned)count;
}

/* Waits a moment for the next round, as falling asleep and waking up takes
 * longer. Yields to those who want the processor. */
static void look_for_round(struct ht_pool *pool, unsigned long done)
{
    for (unsigned i = 0; i < LOOKS && !atomic_load(&pool->rest) &&
                         atomic_load(&pool->round) == done;
         i++)
        sched_yield();
}

static void *life_of_member(void *context)
{
    struct member *member = context;
    struct ht_pool *pool = member->pool;
    unsigned long done = 0;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->quit && pool->round == done)
            pthread_cond_wait(&pool->begin, &pool->lock);
        if (pool->quit)
            break;
        done = pool->round;
        pthread_mutex_unlock(&pool->lock);
        pool->work(pool->context, member->number);
        pthread_mutex_lock(&pool->lock);
        if (atomic_fetch_sub(&pool->working, 1) == 1)
            pthread_cond_signal(&pool->end);
        pthread_mutex_unlock(&pool->lock);
        look_for_round(pool, done);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Starts threads with all signals blocked: these are for the program's own. */
static void start_members(struct ht_pool *pool, unsigned count)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->members < count) {
        struct member *member = &pool->member[pool->members];

        *member = (struct member){.pool = pool, .number = pool->members + 1};
        if (pthread_create(&member->thread, NULL, life_of_member, member) != 0)
            break;
        pool->members++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

ht_status_t ht_pool_open(struct ht_pool **out, unsigned threads)
{
    assert(threads >= 1 && threads <= HT_POOL_MOST);

    struct ht_pool *pool =
        calloc(1, sizeof *pool + (threads - 1) * sizeof pool->member[0]);

    if (pool == NULL)
        return HT_ERR_MEMORY;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->end, NULL);
    start_members(pool, threads - 1);
    *out = pool;
    return HT_OK;
}

void ht_pool_close(struct ht_pool *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pool->rest = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->members; i++)
        pthread_join(pool->member[i].thread, NULL);
    pthread_cond_destroy(&pool->end);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void ht_pool_run(struct ht_pool *pool, void (*work)(void *context, unsigned i),
                 void *context)
{
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->context = context;
    pool->working = pool->members;
    pool->rest = false;
    pool->round++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);

    work(context, 0);

    for (unsigned i = 0; i < TRIES && atomic_load(&pool->working) > 0; i++)
        sched_yield();
    pthread_mutex_lock(&pool->lock);
    while (pool->working > 0)
        pthread_cond_wait(&pool->end, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void ht_pool_rest(struct ht_pool *pool)
{
    atomic_store(&pool->rest, true);
}
