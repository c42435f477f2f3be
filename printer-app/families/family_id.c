/*
 * family_id.c - the family that a printer's IEEE 1284 identification names, by
 * the rules of families on its languages, maker and model.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* FNM_CASEFOLD */

#include "config.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <cups/cups.h>
#include <pappl/pappl.h>

#include "printer-app/families/family_id.h"

#define MOST_TEXT 256u /* PAPPL cuts the values of an id to 255 bytes */

/* ---- Matching ----------------------------------------------------------- */

/* Whether one of the patterns, of `length` bytes with their '|', matches. */
static bool matches(const char *patterns, const char *text)
{
    char pattern[MOST_TEXT];

    for (;;) {
        const size_t length = strcspn(patterns, "|");

        snprintf(pattern, sizeof pattern, "%.*s", (int)length, patterns);
        if (fnmatch(pattern, text, FNM_CASEFOLD) == 0)
            return true;
        if (patterns[length] == '\0')
            return false;
        patterns += length + 1;
    }
}

/* Whether one of the languages of the list "A, B,C" matches; an empty list is
 * one empty word. */
static bool speaks(const char *list, const char *patterns)
{
    char word[MOST_TEXT];

    for (;;) {
        list += strspn(list, " ");
        const size_t length = strcspn(list, ",");
        size_t used = length;

        while (used > 0 && list[used - 1] == ' ')
            used--;
        snprintf(word, sizeof word, "%.*s", (int)used, list);
        if (matches(patterns, word))
            return true;
        if (list[length] == '\0')
            return false;
        list += length + 1;
    }
}

/* Identification of a device that rules are compared with. */
struct named_device {
    const char *commands, *maker, *model, *uri; /* "" = it does not say */
};

static bool fits(const struct family_rule *rule,
                 const struct named_device *device)
{
    char model[MOST_TEXT + 2];

    snprintf(model, sizeof model, " %s ", device->model);
    return (rule->uri == NULL || matches(rule->uri, device->uri)) &&
           (rule->commands == NULL ||
            speaks(device->commands, rule->commands)) &&
           (rule->unless == NULL || !speaks(device->commands, rule->unless)) &&
           (rule->maker == NULL || matches(rule->maker, device->maker)) &&
           (rule->model == NULL || matches(rule->model, model));
}

/* ---- The id ------------------------------------------------------------- */

/* The first rule that fits; NULL = none. */
static const struct family_rule *rule_of(const struct named_device *device)
{
    for (size_t i = 0; families_list[i] != NULL; i++)
        for (size_t rule = 0; rule < families_list[i]->rules; rule++)
            if (fits(&families_list[i]->rule[rule], device))
                return &families_list[i]->rule[rule];
    return NULL;
}

/* The value of the first of three keys that the id has, or "". */
static const char *value_of(const char *const keys[3], int count,
                            cups_option_t *pairs)
{
    for (int i = 0; i < 3 && keys[i] != NULL; i++) {
        const char *value = cupsGetOption(keys[i], count, pairs);

        if (value != NULL)
            return value;
    }
    return "";
}

/* Says that there is no family, without what a terminal or a log would take for
 * more than text. */
static void refuse(const struct named_device *device, char why[FAMILY_REFUSAL])
{
    const char *maker = device->maker, *model = device->model,
               *commands = device->commands;

    if (strncasecmp(model, maker, strlen(maker)) == 0)
        maker = "";
    if (maker[0] == '\0' && model[0] == '\0')
        snprintf(why, FAMILY_REFUSAL,
                 "No driver for this printer: it is not reached, or does not "
                 "identify itself. Choose one of the drivers.");
    else
        snprintf(why, FAMILY_REFUSAL,
                 "No driver for %.100s%s%.100s: it %s%.120s.", maker,
                 maker[0] != '\0' && model[0] != '\0' ? " " : "", model,
                 commands[0] != '\0' ? "understands " : "names no language",
                 commands);
    for (char *at = why; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
}

const struct family *family_of_id(const char *id, const char *uri,
                                  char why[FAMILY_REFUSAL])
{
    static const char *const commands[3] = {"COMMAND SET", "CMD"},
                             *const makers[3] = {"MANUFACTURER", "MFG"},
                             *const models[3] = {"MODEL", "MDL", "DES"};
    cups_option_t *pairs = NULL;
    const int count = papplDeviceParseID(id, &pairs);
    const struct named_device device = {.commands =
                                            value_of(commands, count, pairs),
                                        .maker = value_of(makers, count, pairs),
                                        .model = value_of(models, count, pairs),
                                        .uri = uri != NULL ? uri : ""};
    const struct family_rule *rule = rule_of(&device);
    const struct family *found = NULL;

    if (rule != NULL && rule->family != NULL)
        found = family_named(rule->family);
    else
        refuse(&device, why);
    cupsFreeOptions(count, pairs);
    return found;
}
