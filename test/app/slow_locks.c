/*
 * slow_locks.c - a library to be preloaded: a thread that has one lock for
 * readers and writers waits 20 ms before it takes the next. Two threads that
 * take two locks in two orders then meet, and wait for ever. While there is a
 * file $SLOW_LOCKS_HANG, whoever gets a lock to write keeps it. With
 * $SLOW_LOCKS_END a process takes a second to end, in which its threads go on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int use_lock(pthread_rwlock_t *lock);

static _Thread_local unsigned held;

static use_lock *find(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    use_lock *function;

    memcpy(&function, &symbol, sizeof function);
    return function;
}

static int take(use_lock *function, pthread_rwlock_t *lock)
{
    static const struct timespec pause = {.tv_nsec = 20000000};

    if (held > 0)
        nanosleep(&pause, NULL);
    const int error = function(lock);

    held += error == 0;
    return error;
}

__attribute__((destructor)) static void end(void)
{
    if (getenv("SLOW_LOCKS_END") != NULL)
        sleep(1);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return take(find("pthread_rwlock_rdlock"), lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    static const struct timespec pause = {.tv_nsec = 20000000};
    const char *path = getenv("SLOW_LOCKS_HANG");
    const int error = take(find("pthread_rwlock_wrlock"), lock);

    while (path != NULL && access(path, F_OK) == 0)
        nanosleep(&pause, NULL);
    return error;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    held -= held > 0;
    return find("pthread_rwlock_unlock")(lock);
}
