/*
 * inks.c - the names and the looks of a page's inks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "tools/inks.h"

/* Inks of other colors. */
static const struct {
    const char *name;
    double share[COLOR_INKS];
} others[] = {{"O", {0, 0, 0.5, 1}}, {"R", {0, 0, 1, 0.9}},
              {"G", {0, 0.9, 0, 1}}, {"B", {0, 1, 0.9, 0}},
              {"V", {0, 0.7, 1, 0}}, {"", {0.4, 0, 0, 0}}};

const char *inks_name(const struct layout *layout, uint32_t ink,
                      char name[INK_SET_NAME])
{
    if (layout->letters[0] == '\0')
        memcpy(name, layout->set.ink[ink].name, INK_SET_NAME);
    else
        memcpy(name, (char[INK_SET_NAME]){layout->letters[ink]}, INK_SET_NAME);
    return name;
}

unsigned inks_look(const struct layout *layout, uint32_t ink,
                   double share[COLOR_INKS])
{
    static const char colors[] = "KCMY";
    const struct set_ink *of = &layout->set.ink[ink];
    const bool named = layout->letters[0] != '\0';
    const char color = named ? layout->letters[ink] : of->color;
    unsigned most = 0, other = 0;

    memset(share, 0, COLOR_INKS * sizeof *share);
    if (color != 0) {
        most = (unsigned)(strchr(colors, color) - colors);
        share[most] = named ? 1 : of->strength;
        return most;
    }
    while (others[other].name[0] != '\0' &&
           strcmp(others[other].name, of->name) != 0)
        other++;
    memcpy(share, others[other].share, COLOR_INKS * sizeof *share);
    for (unsigned i = 1; i < COLOR_INKS; i++)
        most = share[i] > share[most] ? i : most;
    return most;
}
