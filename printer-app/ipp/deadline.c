/*
 * deadline.c - ends what a connection does when its time is over: a thread
 * waits, and shuts the socket down.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "printer-app/ipp/deadline.h"

struct deadline {
    http_t *http;
    pthread_t thread;
    pthread_mutex_t lock; /* for all below */
    pthread_cond_t changed;
    bool is_set, is_over, ends;
    struct timespec at; /* of CLOCK_MONOTONIC */
};

static void *watch(void *context)
{
    struct deadline *deadline = context;

    pthread_mutex_lock(&deadline->lock);
    while (!deadline->ends) {
        int late = 0;
        if (deadline->is_set)
            late = pthread_cond_timedwait(&deadline->changed, &deadline->lock,
                                          &deadline->at);
        else
            pthread_cond_wait(&deadline->changed, &deadline->lock);
        if (late != ETIMEDOUT || !deadline->is_set || deadline->ends)
            continue;

        /* Not yet connected, it would connect after its deadline: so again
         * every second until the owner has seen that it is over. */
        const int fd = httpGetFd(deadline->http);
        if (fd >= 0)
            shutdown(fd, SHUT_RDWR);
        deadline->is_over = true;
        deadline->at.tv_sec++;
    }
    pthread_mutex_unlock(&deadline->lock);
    return NULL;
}

struct deadline *deadline_open(http_t *http)
{
    struct deadline *deadline = calloc(1, sizeof *deadline);
    pthread_condattr_t monotonic;

    if (deadline == NULL)
        return NULL;
    deadline->http = http;
    pthread_mutex_init(&deadline->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&deadline->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&deadline->thread, NULL, watch, deadline) == 0)
        return deadline;

    pthread_cond_destroy(&deadline->changed);
    pthread_mutex_destroy(&deadline->lock);
    free(deadline);
    return NULL;
}

void deadline_set(struct deadline *deadline, unsigned seconds)
{
    pthread_mutex_lock(&deadline->lock);
    clock_gettime(CLOCK_MONOTONIC, &deadline->at);
    deadline->at.tv_sec += seconds;
    deadline->is_set = seconds > 0;
    pthread_cond_signal(&deadline->changed);
    pthread_mutex_unlock(&deadline->lock);
}

bool deadline_over(struct deadline *deadline)
{
    pthread_mutex_lock(&deadline->lock);
    const bool is_over = deadline->is_over;
    pthread_mutex_unlock(&deadline->lock);
    return is_over;
}

void deadline_close(struct deadline *deadline)
{
    if (deadline == NULL)
        return;
    pthread_mutex_lock(&deadline->lock);
    deadline->ends = true;
    pthread_cond_signal(&deadline->changed);
    pthread_mutex_unlock(&deadline->lock);
    pthread_join(deadline->thread, NULL);
    pthread_cond_destroy(&deadline->changed);
    pthread_mutex_destroy(&deadline->lock);
    free(deadline);
}
