/*
 * lists.c - attributes of the printer or job that came last into a message.
 *
 * libcups 2.4 cannot be asked to change them in place: of texts and words that
 * PAPPL has as constants it keeps the pointers, ippDeleteValues() deletes no
 * last value, and behind it ippSetString() frees the last one where it adds
 * another. So here they are made again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "pappl-fixes/lists.h"

ipp_attribute_t *lists_find(ipp_t *in, const char *name)
{
    ipp_attribute_t *found = NULL;

    for (ipp_attribute_t *at = ippFirstAttribute(in); at != NULL;
         at = ippNextAttribute(in)) {
        const char *its = ippGetName(at);

        if (its == NULL) /* between two */
            found = NULL;
        else if (strcmp(its, name) == 0)
            found = at;
    }
    return found;
}

void lists_add(ipp_t *in, const char *name, const char *word)
{
    ipp_attribute_t *list = lists_find(in, name);

    if (list != NULL && !ippContainsString(list, word))
        (void)ippSetString(in, &list, ippGetCount(list), word);
}

/* Makes the list again without the word, behind what is made of it already. */
static void make_again(ipp_t *in, ipp_attribute_t *list, ipp_attribute_t *made,
                       const char *word)
{
    for (int i = 0; i < ippGetCount(list); i++) {
        const char *other = ippGetString(list, i, NULL);

        if (strcmp(other, word) == 0)
            continue;
        if (made == NULL)
            made = ippAddString(in, ippGetGroupTag(list), ippGetValueTag(list),
                                ippGetName(list), NULL, other);
        else
            (void)ippSetString(in, &made, ippGetCount(made), other);
    }
    ippDeleteAttribute(in, list);
}

void lists_remove(ipp_t *in, const char *name, const char *word)
{
    ipp_attribute_t *list = lists_find(in, name);

    if (list != NULL && ippContainsString(list, word))
        make_again(in, list, NULL, word);
}

void lists_put_first(ipp_t *in, const char *name, const char *word)
{
    ipp_attribute_t *list = lists_find(in, name);

    if (list != NULL && ippContainsString(list, word))
        make_again(in, list,
                   ippAddString(in, ippGetGroupTag(list), ippGetValueTag(list),
                                name, NULL, word),
                   word);
}

void lists_clear(ipp_t *answer)
{
    ipp_attribute_t *at = ippFirstAttribute(answer), *gone;

    while ((gone = at) != NULL) {
        at = ippNextAttribute(answer);
        if (ippGetGroupTag(gone) != IPP_TAG_OPERATION ||
            strcmp(ippGetName(gone), "status-message") == 0)
            ippDeleteAttribute(answer, gone);
    }
}

void lists_say(ipp_t *in, const char *name, const char *text)
{
    ipp_attribute_t *said = lists_find(in, name);

    if (said == NULL)
        return;
    ippAddString(in, ippGetGroupTag(said), IPP_TAG_TEXT, name, NULL, text);
    ippDeleteAttribute(in, said);
}
