/*
 * test_arrays.c - a thread that reads an array gets its own element, whatever
 * another one reads meanwhile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

#include "pappl-fixes/replaced.h"
#include "test/cases.h"

#define PATIENCE 100 /* ms for the other thread, which should wait */

static char elements[][2] = {"a", "b", "c"};
static cups_array_t *array;
static sem_t between, other_has_read;
static _Thread_local bool stops; /* this thread, once */

/* libcups's second step of cupsArrayIndex(), which calls it by its name. */
void *cupsArrayCurrent(cups_array_t *of)
{
    void *(*const real)(cups_array_t *) =
        (void *(*)(cups_array_t *))dlsym(RTLD_NEXT, "cupsArrayCurrent");
    struct timespec until;

    if (stops) {
        stops = false;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PATIENCE * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        sem_post(&between);
        (void)sem_timedwait(&other_has_read, &until);
    }
    return real(of);
}

static void *count(void *unused)
{
    (void)unused;
    sem_wait(&between);
    void *element = cupsArrayIndex(array, 1);

    sem_post(&other_has_read);
    return element;
}

static void *find(void *unused)
{
    char wanted[] = "c";

    (void)unused;
    sem_wait(&between);
    void *element = cupsArrayFind(array, wanted);

    sem_post(&other_has_read);
    return element;
}

static int compare(void *a, void *b, void *unused)
{
    (void)unused;
    return strcmp(a, b);
}

/* Reads the first element while another thread reads one. */
static void read_beside(void *(*other)(void *), const char *others)
{
    pthread_t thread;
    void *element = NULL;

    array = cupsArrayNew(compare, NULL);
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        cupsArrayAdd(array, elements[i]);
    sem_init(&between, 0, 0);
    sem_init(&other_has_read, 0, 0);
    assert_int_equal(pthread_create(&thread, NULL, other, NULL), 0);
    stops = true;
    assert_ptr_equal(cupsArrayIndex(array, 0), elements[0]);
    pthread_join(thread, &element);
    assert_ptr_equal(element, others);
    cupsArrayDelete(array);
}

TEST(threads_that_count_get_their_own_elements)
{
    read_beside(count, elements[1]);
}

TEST(a_thread_that_counts_does_not_get_what_another_finds)
{
    read_beside(find, elements[2]);
}
