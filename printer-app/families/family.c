/*
 * family.c - the families of all files, one behind the other, and paper that
 * several of them have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "printer-app/families/family.h"

const struct family_paper family_one_source[] = {{"main", 0}, {.name = NULL}};
const struct family_paper family_one_roll[] = {{"main-roll", 0},
                                               {.name = NULL}};
const struct family_paper family_plain[] = {{"stationery", 0}, {.name = NULL}};
const struct family_paper family_labels[] = {
    {"labels", 0}, {"continuous", 0}, {.name = NULL}};

const struct family *family_at(size_t number)
{
    for (size_t i = 0; families_list[i] != NULL; i++) {
        if (number < families_list[i]->count)
            return &families_list[i]->family[number];
        number -= families_list[i]->count;
    }
    return NULL;
}

const struct family *family_named(const char *name)
{
    const struct family *family;

    for (size_t i = 0; (family = family_at(i)) != NULL; i++)
        if (strcmp(family->name, name) == 0)
            return family;
    return NULL;
}
