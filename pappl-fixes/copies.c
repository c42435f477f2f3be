/*
 * copies.c - messages of several threads share no collections.
 *
 * A copy of an attribute shares its collections with the attribute: libcups
 * counts without a lock who has each, and what ippWrite() has written of one it
 * notes in that. PAPPL 1.3 copies what it says of a printer, the server and
 * jobs into each answer (_papplCopyAttributes, util.c:45), under a lock of
 * readers. So of two threads that answer at once one leaves out members of
 * "media-size-supported" or "media-col-database", whose client waits for bytes
 * that never come, until PAPPL closes the connection 30 s later, and `submit`
 * loses its job; or two counts become one, and a collection is freed while the
 * printer still has it. Here each copy has collections of its own.
 *
 * Walking through a message by ippNextAttribute() changes it, too. So copies
 * are made one at a time, and the walk is left to libcups, which knows its
 * structs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */

#include "config.h"

#include <pthread.h>
#include <stdbool.h>

#include "pappl-fixes/capabilities.h"
#include "pappl-fixes/replaced.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

struct copying {
    ipp_copycb_t callback; /* says what is to be copied; NULL = all */
    void *context;
    bool well; /* until memory is short */
};

static bool copy_from(ipp_t *to, ipp_t *from, int quick, ipp_copycb_t callback,
                      void *context);

/* Copies an attribute of collections; NULL = no memory. */
static ipp_attribute_t *copy_all(ipp_t *to, ipp_attribute_t *from)
{
    const int count = ippGetCount(from);
    ipp_attribute_t *made = NULL;
    bool well = true;

    for (int i = 0; well && i < count; i++) {
        ipp_t *collection = ippNew();

        well = copy_from(collection, ippGetCollection(from, i), 0, NULL, NULL);
        if (well && made == NULL)
            made = ippAddCollection(to, ippGetGroupTag(from), ippGetName(from),
                                    collection);
        else if (well)
            well = ippSetCollection(to, &made, i, collection);
        well = well && made != NULL;
        ippDelete(collection); /* of which `to` has its share */
    }
    return well ? made : NULL;
}

/* Returns whether libcups is to copy the attribute. */
static int is_left(void *data, ipp_t *to, ipp_attribute_t *attribute)
{
    struct copying *copying = data;

    if (copying->callback != NULL &&
        !copying->callback(copying->context, to, attribute))
        return 0;
    if (ippGetValueTag(attribute) != IPP_TAG_BEGIN_COLLECTION)
        return 1;
    copying->well = copying->well && copy_all(to, attribute) != NULL;
    return 0;
}

static bool copy_from(ipp_t *to, ipp_t *from, int quick, ipp_copycb_t callback,
                      void *context)
{
    struct copying copying = {
        .callback = callback, .context = context, .well = true};

    return REAL(ippCopyAttributes)(to, from, quick, is_left, &copying) &&
           copying.well;
}

int ippCopyAttributes(ipp_t *to, ipp_t *from, int quick, ipp_copycb_t callback,
                      void *context)
{
    pthread_mutex_lock(&lock);
    const bool well = copy_from(to, from, quick, callback, context);

    pthread_mutex_unlock(&lock);
    capabilities_correct(to, from);
    return well;
}

ipp_attribute_t *ippCopyAttribute(ipp_t *to, ipp_attribute_t *from, int quick)
{
    if (to == NULL || ippGetValueTag(from) != IPP_TAG_BEGIN_COLLECTION)
        return REAL(ippCopyAttribute)(to, from, quick);
    pthread_mutex_lock(&lock);
    ipp_attribute_t *made = copy_all(to, from);

    pthread_mutex_unlock(&lock);
    return made;
}
