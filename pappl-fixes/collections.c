/*
 * collections.c - a collection that several messages share stays until none of
 * them has it.
 *
 * A copy of an attribute shares its collections with the attribute, and libcups
 * counts without a lock who has each (ipp.c: "use"). PAPPL answers many clients
 * at once, each with a copy of what a printer has (_papplPrinterCopyAttributes,
 * printer-support.c, under a lock of readers): two counts at the same time
 * become one, and the collection is freed while the printer still has it. So
 * one thread at a time shares collections or lets them go.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */

#include "pappl-fixes/collections.h"

#include <pthread.h>

#include "pappl-fixes/pappl.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* libcups's own. */
static struct {
    ipp_attribute_t *(*copy)(ipp_t *to, ipp_attribute_t *from, int quick);
    void (*delete)(ipp_t *ipp);
    ipp_attribute_t *(*add)(ipp_t *to, ipp_tag_t group, const char *name,
                            ipp_t *collection);
    ipp_attribute_t *(*add_all)(ipp_t *to, ipp_tag_t group, const char *name,
                                int count, const ipp_t **collections);
    int (*set)(ipp_t *in, ipp_attribute_t **attribute, int element,
               ipp_t *collection);
} cups;

static void find(void)
{
    override_find(&cups.copy, "ippCopyAttribute");
    override_find(&cups.delete, "ippDelete");
    override_find(&cups.add, "ippAddCollection");
    override_find(&cups.add_all, "ippAddCollections");
    override_find(&cups.set, "ippSetCollection");
}

void collections_lock(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find);
    pthread_mutex_lock(&lock);
}

void collections_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

ipp_attribute_t *ippCopyAttribute(ipp_t *to, ipp_attribute_t *from, int quick)
{
    collections_lock();
    ipp_attribute_t *made = cups.copy(to, from, quick);

    collections_unlock();
    return made;
}

void ippDelete(ipp_t *ipp)
{
    collections_lock();
    cups.delete(ipp);
    collections_unlock();
}

ipp_attribute_t *ippAddCollection(ipp_t *to, ipp_tag_t group, const char *name,
                                  ipp_t *collection)
{
    collections_lock();
    ipp_attribute_t *made = cups.add(to, group, name, collection);

    collections_unlock();
    return made;
}

ipp_attribute_t *ippAddCollections(ipp_t *to, ipp_tag_t group, const char *name,
                                   int count, const ipp_t **collections)
{
    collections_lock();
    ipp_attribute_t *made = cups.add_all(to, group, name, count, collections);

    collections_unlock();
    return made;
}

int ippSetCollection(ipp_t *in, ipp_attribute_t **attribute, int element,
                     ipp_t *collection)
{
    collections_lock();
    const int done = cups.set(in, attribute, element, collection);

    collections_unlock();
    return done;
}
