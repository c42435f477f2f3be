/*
 * test_collections.c - no two threads are in those functions of libcups at once
 * that count who has a collection; a thread may be in them twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "pappl-fixes/collections.h"
#include "pappl-fixes/pappl.h"
#include "test/cases.h"

#define THREADS 4
#define TURNS 500
#define FUNCTIONS 5

static atomic_int inside, met, calls[FUNCTIONS];

/* A function of libcups that takes its time. */
static void visit(int function)
{
    calls[function]++;
    if (atomic_fetch_add(&inside, 1) > 0)
        met++;
    for (int i = 0; i < 10; i++)
        sched_yield();
    inside--;
}

static ipp_attribute_t *copy(ipp_t *to, ipp_attribute_t *from, int quick)
{
    (void)to, (void)from, (void)quick;
    visit(0);
    return NULL;
}

/* With the collections that the message has. */
static void delete_message(ipp_t *ipp)
{
    visit(1);
    if (ipp != NULL)
        ippDelete(NULL);
}

static ipp_attribute_t *add(ipp_t *to, ipp_tag_t group, const char *name,
                            ipp_t *collection)
{
    (void)to, (void)group, (void)name, (void)collection;
    visit(2);
    return NULL;
}

static ipp_attribute_t *add_all(ipp_t *to, ipp_tag_t group, const char *name,
                                int count, const ipp_t **collections)
{
    (void)to, (void)group, (void)name, (void)count, (void)collections;
    visit(3);
    return NULL;
}

static int set(ipp_t *in, ipp_attribute_t **attribute, int element,
               ipp_t *collection)
{
    (void)in, (void)attribute, (void)element, (void)collection;
    visit(4);
    return 0;
}

/* In place of pappl.c: finds the functions above. */
void override_find(void *function, const char *name)
{
    static const char *const names[FUNCTIONS] = {
        "ippCopyAttribute", "ippDelete", "ippAddCollection",
        "ippAddCollections", "ippSetCollection"};
    void (*const found[FUNCTIONS])(void) = {
        (void (*)(void))copy, (void (*)(void))delete_message,
        (void (*)(void))add, (void (*)(void))add_all, (void (*)(void))set};

    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(name, names[i]) == 0)
            memcpy(function, &found[i], sizeof found[i]);
}

static void *call_all(void *message)
{
    for (int i = 0; i < TURNS; i++) {
        ippCopyAttribute(NULL, NULL, 1);
        ippDelete(message);
        ippAddCollection(NULL, IPP_TAG_ZERO, "a", NULL);
        ippAddCollections(NULL, IPP_TAG_ZERO, "a", 0, NULL);
        ippSetCollection(NULL, NULL, 0, NULL);
        collections_lock();
        visit(0);
        collections_unlock();
    }
    return NULL;
}

TEST(threads_come_one_after_the_other)
{
    pthread_t thread[THREADS];
    char message;

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, call_all, &message),
                         0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(met, 0);
    for (int i = 0; i < FUNCTIONS; i++)
        assert_int_equal(calls[i], THREADS * TURNS * (i < 2 ? 2 : 1));
}
