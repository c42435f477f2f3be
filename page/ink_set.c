/*
 * ink_set.c - parses the inks of a printer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "halftone/base/text.h"
#include "page/ink_set.h"

/* The part of a lighter ink's light that all inks together are told of: of all,
 * the few dark dots upon it would leave their own even pattern to fill its
 * holes, and the grain of sky would be 1.2 x (lab/doc/ink-contest). */
#define SEEN 0.4

static const char colors[] = "KCMY";

/* Returns the index of an ink; the count if there is none of that name. */
static unsigned find(const struct ink_set *set, const char *name)
{
    unsigned i = 0;

    while (i < set->count && strcmp(set->ink[i].name, name) != 0)
        i++;
    return i;
}

/* Finds the color of a name; false unless it goes with its strength, which is 0
 * if none was given. */
static bool color_ink(struct set_ink *ink)
{
    const size_t letters = strlen(ink->name);
    const char last = ink->name[letters - 1];
    const bool light =
        letters > 1 && strchr(colors, last) != NULL &&
        (ink->name[0] == 'L' || (ink->name[0] == 'V' && letters == 3)) &&
        (letters == 2 || ink->name[1] == 'L');

    if (light || (letters == 1 && strchr(colors, last) != NULL))
        ink->color = last;
    if (light)
        return ink->strength > 0;
    if (ink->strength != 0)
        return false;
    ink->strength = 1;
    return true;
}

static bool parse_ink(struct set_ink *ink, char *word)
{
    char *percent = strchr(word, ':');

    *ink = (struct set_ink){.color = 0};
    if (percent != NULL) {
        *percent++ = '\0';
        if (!text_decimal(percent, 1, 99, &ink->strength))
            return false;
        ink->strength /= 100;
        ink->strength += 0.8 * ink->strength * (1 - ink->strength);
    }
    const size_t letters = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (letters < 1 || letters >= sizeof ink->name || word[letters] != '\0')
        return false;
    memcpy(ink->name, word, letters);
    return color_ink(ink);
}

bool ink_set_parse(struct ink_set *set, const char *text)
{
    char copy[INK_SET_BYTES] = "", *rest = copy, *word;

    *set = (struct ink_set){.count = 0};
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return false;
    memcpy(set->text, copy, sizeof copy);
    while ((word = strtok_r(rest, TEXT_BLANKS, &rest)) != NULL) {
        struct set_ink ink;

        if (set->count == HT_MAX_INKS || !parse_ink(&ink, word) ||
            find(set, ink.name) < set->count)
            return false;
        set->ink[set->count++] = ink;
    }
    for (const char *color = colors; *color != '\0'; color++)
        if (find(set, (char[]){*color, '\0'}) == set->count)
            return false;
    return true;
}

void ink_set_order(const struct ink_set *set, uint8_t order[HT_MAX_INKS])
{
    unsigned more = 4;

    for (unsigned i = 0; i < set->count; i++) {
        const bool dark = set->ink[i].color != 0 && set->ink[i].strength == 1;
        const char *color = dark ? strchr(colors, set->ink[i].color) : NULL;

        order[dark ? (unsigned)(color - colors) : more++] = (uint8_t)i;
    }
}

void ink_set_lighter(const struct ink_set *set,
                     ht_lighter_t lighter[HT_MAX_INKS])
{
    uint8_t order[HT_MAX_INKS];

    ink_set_order(set, order);
    for (unsigned i = 4; i < set->count; i++) {
        const struct set_ink *ink = &set->ink[order[i]];

        if (ink->color != 0)
            lighter[i] = (ht_lighter_t){
                .share = (uint16_t)lround(32768 * SEEN * ink->strength),
                .of = (uint8_t)(strchr(colors, ink->color) - colors)};
    }
}
