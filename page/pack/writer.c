/*
 * writer.c - the languages by their names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/pack/packing.h"
#include "page/pack/writer.h"

const struct language *language_at(size_t number)
{
    size_t i = 0;

    while (i < number && languages_list[i] != NULL)
        i++;
    return languages_list[i];
}

const struct language *language_named(const char *name)
{
    for (size_t i = 0; languages_list[i] != NULL; i++)
        if (strcmp(languages_list[i]->name, name) == 0)
            return languages_list[i];
    return NULL;
}
