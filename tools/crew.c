/*
 * crew.c - does numbered pieces of work in several threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tools/crew.h"

struct crew {
    pthread_t helper[CREW_THREADS];
    uint32_t helpers;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t changed;
    void (*piece)(void *context, uint32_t number);
    void *context;
    uint32_t count, next, done; /* pieces */
    bool quit;
};

/* Does pieces until none is left to begin. The mutex is held before and
 * after. */
static void work(struct crew *crew)
{
    while (crew->next < crew->count) {
        const uint32_t number = crew->next++;

        pthread_mutex_unlock(&crew->mutex);
        crew->piece(crew->context, number);
        pthread_mutex_lock(&crew->mutex);
        if (++crew->done == crew->count)
            pthread_cond_broadcast(&crew->changed);
    }
}

static void *help(void *context)
{
    struct crew *crew = context;

    pthread_mutex_lock(&crew->mutex);
    while (!crew->quit) {
        work(crew);
        pthread_cond_wait(&crew->changed, &crew->mutex);
    }
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

struct crew *crew_open(uint32_t threads)
{
    struct crew *crew = calloc(1, sizeof *crew);
    sigset_t all, before;

    if (crew == NULL)
        return NULL;
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->changed, NULL);
    sigfillset(&all); /* signals are for the caller's thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (crew->helpers + 1 < threads && crew->helpers < CREW_THREADS &&
           pthread_create(&crew->helper[crew->helpers], NULL, help, crew) == 0)
        crew->helpers++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return crew;
}

void crew_begin(struct crew *crew, uint32_t count,
                void (*piece)(void *context, uint32_t number), void *context)
{
    pthread_mutex_lock(&crew->mutex);
    crew->piece = piece;
    crew->context = context;
    crew->count = count;
    crew->next = crew->done = 0;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
}

void crew_finish(struct crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    work(crew);
    while (crew->done < crew->count)
        pthread_cond_wait(&crew->changed, &crew->mutex);
    pthread_mutex_unlock(&crew->mutex);
}

void crew_close(struct crew *crew)
{
    if (crew == NULL)
        return;
    crew_finish(crew);
    pthread_mutex_lock(&crew->mutex);
    crew->quit = true;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
    for (uint32_t i = 0; i < crew->helpers; i++)
        pthread_join(crew->helper[i], NULL);
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->mutex);
    free(crew);
}
