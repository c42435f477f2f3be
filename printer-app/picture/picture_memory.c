/*
 * picture_memory.c - pictures of many printers at once do not take all memory.
 *
 * A picture has its pixels until it is printed, perhaps all night on a printer
 * without paper: so the next one does not wait for them, but has its own in a
 * file, whose pages the system writes to the disk when it needs the memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* mkostemp(), pthread_cond_clockwait() */

#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "printer-app/picture/picture_memory.h"

#define MAX_PATH 1024
#define SMALL ((size_t)4 << 20) /* bytes of a picture that is not counted */
#define PART 8                  /* of the computer's memory */
#define LOOKS 4                 /* a second, whether a reader is canceled */

static size_t limit; /* 0 = not set; before there are pictures */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* Queue of waiting readers, the first one first. */
struct waiter {
    struct waiter *next;
};

/* With the lock. */
static size_t pixels, readers; /* bytes that there are of each */
static struct waiter *waiters;

void picture_memory_limit(size_t bytes)
{
    limit = bytes;
}

static size_t most(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

    if (limit > 0)
        return limit;
    if (pages <= 0 || bytes <= 0)
        return PICTURE_MOST_BYTES;
    return (size_t)pages / PART * (size_t)bytes;
}

/* ---- Pixels -------------------------------------------------------------- */

static size_t bytes_of(const struct picture *picture)
{
    return (size_t)picture->width * picture->height * picture->depth;
}

/* Returns memory that is a file's; NULL = there is none. */
static uint8_t *map_file(size_t bytes)
{
    const char *folder = getenv("TMPDIR");
    char path[MAX_PATH];
    void *map = MAP_FAILED;

    snprintf(path, sizeof path, "%s/picture-XXXXXX",
             folder != NULL ? folder : "/tmp");
    const int fd = mkostemp(path, O_CLOEXEC);

    if (fd < 0)
        return NULL;
    unlink(path);
    /* A disk that is full is found out here, and not by SIGBUS. */
    if (posix_fallocate(fd, 0, (off_t)bytes) == 0)
        map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return map != MAP_FAILED ? map : NULL;
}

bool picture_memory_take(struct picture *picture)
{
    const size_t bytes = bytes_of(picture);

    pthread_mutex_lock(&lock);
    picture->is_file = bytes > SMALL &&
                       (bytes > PICTURE_MOST_BYTES || pixels + bytes > most());
    if (bytes > SMALL && !picture->is_file)
        pixels += bytes;
    pthread_mutex_unlock(&lock);
    picture->pixels = picture->is_file ? map_file(bytes) : malloc(bytes);
    return picture->pixels != NULL;
}

void picture_memory_give(struct picture *picture)
{
    const size_t bytes = bytes_of(picture);

    if (picture->is_file && picture->pixels != NULL)
        munmap(picture->pixels, bytes);
    if (!picture->is_file)
        free(picture->pixels);
    if (!picture->is_file && bytes > SMALL) {
        pthread_mutex_lock(&lock);
        pixels -= bytes;
        pthread_mutex_unlock(&lock);
    }
    *picture = (struct picture){.pixels = NULL};
}

/* ---- Readers ------------------------------------------------------------- */

/* Whether it is a waiter's turn, and there is memory. Needs the lock. */
static bool may_go(const struct waiter *waiter, size_t bytes)
{
    return waiters == waiter && (readers == 0 || readers + bytes <= most());
}

/* Needs the lock. */
static void add(struct waiter *waiter)
{
    struct waiter **at = &waiters;

    while (*at != NULL)
        at = &(*at)->next;
    *at = waiter;
}

/* Needs the lock. */
static void take_out(struct waiter *waiter)
{
    struct waiter **at = &waiters;

    while (*at != waiter)
        at = &(*at)->next;
    *at = waiter->next;
    pthread_cond_broadcast(&changed);
}

static void wait_a_moment(void)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 1000000000L / LOOKS;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &until);
}

bool picture_memory_wait(size_t bytes, const struct picture_reader *reader)
{
    struct waiter waiter = {.next = NULL};
    bool goes, told = false;

    if (bytes == 0)
        return true;
    pthread_mutex_lock(&lock);
    add(&waiter);
    while (!(goes = may_go(&waiter, bytes))) {
        pthread_mutex_unlock(&lock);
        if (!told && reader->waits != NULL)
            reader->waits(reader->context);
        told = true;
        const bool canceled = reader->is_canceled(reader->context);

        pthread_mutex_lock(&lock);
        if (canceled)
            break;
        if (!may_go(&waiter, bytes))
            wait_a_moment();
    }
    if (goes)
        readers += bytes;
    take_out(&waiter);
    pthread_mutex_unlock(&lock);
    return goes;
}

void picture_memory_done(size_t bytes)
{
    pthread_mutex_lock(&lock);
    readers -= bytes;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
