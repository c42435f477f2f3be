/*
 * copies.c - answers to two clients at once are whole.
 *
 * PAPPL 1.3 copies what it says of a printer, the server and jobs into each
 * answer by ippCopyAttributes() (_papplCopyAttributes, util.c:45). libcups
 * copies no collections: the answers share those of the printer, and what
 * ippWrite() has written of a collection it notes in that. Two threads that
 * answer at once leave out members of "media-size-supported" or
 * "media-col-database", so a client waits for bytes that never come, until
 * PAPPL closes the connection 30 s later, and `submit` loses its job.
 *
 * Walking through a message by ippNextAttribute() changes it, too, so that is
 * left to libcups, which knows its structs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>

#include "pappl-fixes/capabilities.h"
#include "pappl-fixes/collections.h"
#include "pappl-fixes/pappl.h"

typedef int copy(ipp_t *to, ipp_t *from, int quick, ipp_copycb_t callback,
                 void *context);

struct copying {
    ipp_copycb_t callback; /* says what is to be copied; NULL = all */
    void *context;
    bool well; /* until memory is short */
};

static bool copy_from(ipp_t *to, ipp_t *from, int quick, ipp_copycb_t callback,
                      void *context);

static bool copy_all(ipp_t *to, ipp_attribute_t *from)
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
    return well;
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
    copying->well = copying->well && copy_all(to, attribute);
    return 0;
}

/* As ippCopyAttributes() of libcups, with collections of their own. */
static bool copy_from(ipp_t *to, ipp_t *from, int quick, ipp_copycb_t callback,
                      void *context)
{
    struct copying copying = {
        .callback = callback, .context = context, .well = true};
    copy *cups;

    override_find(&cups, "ippCopyAttributes");
    return cups != NULL && cups(to, from, quick, is_left, &copying) &&
           copying.well;
}

int ippCopyAttributes(ipp_t *to, ipp_t *from, int quick, ipp_copycb_t callback,
                      void *context)
{
    collections_lock();
    const bool well = copy_from(to, from, quick, callback, context);

    collections_unlock();
    capabilities_correct(to, from);
    return well;
}
