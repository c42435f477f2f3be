/*
 * owner.c - the owner of a thread's work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "page/owner.h"

static _Thread_local struct owner *mine;

void owner_set(struct owner *owner)
{
    mine = owner;
}

struct owner *owner_of_thread(void)
{
    return mine;
}

/* Arguments of a new thread. */
struct thread_start {
    struct owner *owner;
    void *(*run)(void *);
    void *context;
};

static void *begin(void *context)
{
    const struct thread_start how = *(struct thread_start *)context;

    free(context);
    owner_set(how.owner);
    return how.run(how.context);
}

int owner_thread(pthread_t *thread, void *(*run)(void *), void *context)
{
    struct thread_start *how = malloc(sizeof *how);

    if (how == NULL)
        return ENOMEM;
    *how = (struct thread_start){mine, run, context};

    int error = pthread_create(thread, NULL, begin, how);
    if (error != 0)
        free(how);
    return error;
}

bool canceled(void)
{
    return mine != NULL && mine->is_canceled != NULL && mine->is_canceled(mine);
}

bool owner_was_told(void)
{
    return mine != NULL && mine->was_told != NULL ? mine->was_told(mine)
                                                  : canceled();
}

bool owner_wait(int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};

    return mine != NULL && mine->wait != NULL ? mine->wait(mine, fd)
                                              : poll(&input, 1, -1) >= 0;
}
