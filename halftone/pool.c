/*
 * pool.c - POSIX threads that sleep on a semaphore.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "halftone/pool.h"

struct member {
    struct ht_pool *pool;
    unsigned number; /* 1.. */
    pthread_t thread;
};

struct ht_pool {
    void (*work)(void *context, unsigned i);
    void *context;
    sem_t wanted;      /* posted once for each thread that is to wake up */
    atomic_uint awake; /* threads that are, or were told to wake up */
    atomic_bool quit;
    unsigned most, started;
    struct member member[];
};

static void *live(void *context)
{
    struct member *member = context;
    struct ht_pool *pool = member->pool;

    while (!atomic_load(&pool->quit)) {
        pool->work(pool->context, member->number);
        atomic_fetch_sub(&pool->awake, 1);
        while (sem_wait(&pool->wanted) != 0)
            ;
    }
    return NULL;
}

/* Starts a thread with all signals blocked: these are for the program's own. */
static bool start(struct ht_pool *pool)
{
    struct member *member = &pool->member[pool->started];
    sigset_t all, before;

    *member = (struct member){.pool = pool, .number = pool->started + 1};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&member->thread, NULL, live, member);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

ht_status_t ht_pool_open(struct ht_pool **out, unsigned most,
                         void (*work)(void *context, unsigned i), void *context)
{
    struct ht_pool *pool =
        calloc(1, sizeof *pool + most * sizeof pool->member[0]);

    assert(most <= HT_POOL_MOST);
    if (pool == NULL)
        return HT_ERR_MEMORY;
    sem_init(&pool->wanted, 0, 0);
    pool->work = work;
    pool->context = context;
    pool->most = most;
    *out = pool;
    return HT_OK;
}

void ht_pool_close(struct ht_pool *pool)
{
    if (pool == NULL)
        return;
    atomic_store(&pool->quit, true);
    for (unsigned i = 0; i < pool->started; i++)
        sem_post(&pool->wanted);
    for (unsigned i = 0; i < pool->started; i++)
        pthread_join(pool->member[i].thread, NULL);
    sem_destroy(&pool->wanted);
    free(pool);
}

void ht_pool_wake(struct ht_pool *pool)
{
    if (atomic_load(&pool->awake) < pool->started) {
        atomic_fetch_add(&pool->awake, 1);
        sem_post(&pool->wanted);
    } else if (pool->started < pool->most) {
        atomic_fetch_add(&pool->awake, 1);
        if (start(pool)) {
            pool->started++;
        } else {
            atomic_fetch_sub(&pool->awake, 1);
            pool->most = pool->started;
        }
    }
}
