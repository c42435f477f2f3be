/*
 * owner.h - the owner of a thread's work: a filter has one job, a printer
 * application many at a time. The owner hears the messages of its threads, and
 * cancels their work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_OWNER_H
#define PAGE_OWNER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Any thread of the owner may call its functions. */
struct owner {
    /* Takes a line "PREFIX: TEXT", message.h; NULL: it goes to standard error.
     */
    void (*hear)(struct owner *owner, const char *prefix, const char *text);
    bool (*is_canceled)(struct owner *owner); /* NULL: never */
    /* Whether a wait has been told so, for reads, which come often: cheap, and
     * perhaps late. NULL: as is_canceled. */
    bool (*was_told)(struct owner *owner);
    /* Waits until `fd` can be read or the work is canceled. False with errno
     * set, EINTR if it is to be tried again. NULL: poll(). */
    bool (*wait)(struct owner *owner, int fd);
    atomic_flag error_said; /* ATOMIC_FLAG_INIT; message.h */
};

/* Makes the calling thread work for `owner`, the caller's; NULL, as at the
 * beginning, is nobody: messages go to standard error, nothing is canceled. */
void owner_set(struct owner *owner);

/* Returns whose work the calling thread does; NULL = nobody's. */
struct owner *owner_of_thread(void);

/* Does pthread_create() with default attributes; the new thread works for the
 * calling one's owner. Returns an errno, or 0. */
int owner_thread(pthread_t *thread, void *(*run)(void *), void *context);

/* Whether the work of the calling thread is canceled. */
bool canceled(void);

/* owner->was_told and owner->wait, for the calling thread. */
bool owner_was_told(void);
bool owner_wait(int fd);

#endif
