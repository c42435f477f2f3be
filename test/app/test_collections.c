/*
 * test_collections.c - copies of attributes have collections of their own, and
 * threads that copy from one message at once each get all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>

#include "pappl-fixes/replaced.h"
#include "test/cases.h"

#define THREADS 4
#define TURNS 2000
#define SIZES 8

static ipp_t *source; /* has "sizes", each of which has two members */

static void make_source(void)
{
    source = ippNew();
    ipp_attribute_t *sizes = NULL;

    for (int i = 0; i < SIZES; i++) {
        ipp_t *size = ippNew(), *media = ippNew();

        ippAddInteger(size, IPP_TAG_ZERO, IPP_TAG_INTEGER, "x", i);
        ippAddInteger(size, IPP_TAG_ZERO, IPP_TAG_INTEGER, "y", 10 * i);
        ippAddCollection(media, IPP_TAG_ZERO, "size", size);
        ippDelete(size);
        if (sizes == NULL)
            sizes = ippAddCollection(source, IPP_TAG_PRINTER, "sizes", media);
        else
            ippSetCollection(source, &sizes, i, media);
        ippDelete(media);
    }
}

/* Whether a copy of "sizes" is whole, and none of it the source's. */
static bool is_right(ipp_attribute_t *copy, ipp_attribute_t *from)
{
    if (ippGetCount(copy) != SIZES || ippGetGroupTag(copy) != IPP_TAG_PRINTER)
        return false;
    for (int i = 0; i < SIZES; i++) {
        ipp_t *media = ippGetCollection(copy, i);
        ipp_attribute_t *size =
            ippFindAttribute(media, "size", IPP_TAG_BEGIN_COLLECTION);
        ipp_t *members = ippGetCollection(size, 0);

        if (media == ippGetCollection(from, i) ||
            ippGetInteger(ippFindAttribute(members, "x", IPP_TAG_INTEGER), 0) !=
                i ||
            ippGetInteger(ippFindAttribute(members, "y", IPP_TAG_INTEGER), 0) !=
                10 * i)
            return false;
    }
    return true;
}

static void *copy_all(void *data)
{
    ipp_attribute_t *sizes = data;
    uintptr_t wrong = 0;

    for (int i = 0; i < TURNS; i++) {
        ipp_t *all = ippNew(), *one = ippNew();

        ippCopyAttributes(all, source, i % 2, NULL, NULL);
        wrong += !is_right(
            ippFindAttribute(all, "sizes", IPP_TAG_BEGIN_COLLECTION), sizes);
        wrong += !is_right(ippCopyAttribute(one, sizes, i % 2), sizes);
        ippDelete(all);
        ippDelete(one);
    }
    return (void *)wrong;
}

TEST(copies_share_nothing)
{
    pthread_t thread[THREADS];
    void *wrong;

    make_source();
    ipp_attribute_t *sizes =
        ippFindAttribute(source, "sizes", IPP_TAG_BEGIN_COLLECTION);

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, copy_all, sizes), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], &wrong);
        assert_null(wrong);
    }
    ippDelete(source);
}
