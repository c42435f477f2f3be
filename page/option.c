/*
 * option.c - the table of options, which the build makes of options.txt, and
 * the only place where values of a job and a PPD are checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "page/header.h"
#include "page/message.h"
#include "page/option.h"
#include "halftone/base/text.h"
#include "halftone/halftone.h"

static const struct option options[OPTIONS] = {
#include "page/options.inc"
};

const struct option *option_info(enum option_id id)
{
    assert(id < OPTIONS);
    return &options[id];
}

const char *option_choice(enum option_id id, unsigned i)
{
    assert(id < OPTIONS);
    return i < OPTION_MAX_CHOICES ? options[id].choices[i] : NULL;
}

const struct option_offer *option_offer(enum option_id id, unsigned i)
{
    assert(id < OPTIONS);
    return i < OPTION_MAX_OFFERS && options[id].offers[i].value != NULL
               ? &options[id].offers[i]
               : NULL;
}

int option_find(enum option_id id, const char *text)
{
    const char *choice;

    for (unsigned i = 0; (choice = option_choice(id, i)) != NULL; i++)
        if (choice_is(text, choice))
            return (int)i;
    return OPTION_NO_CHOICE;
}

/* ---- Values that are no choices ------------------------------------------ */

static bool unknown(const struct option *option, const char *text)
{
    message("ERROR", "%s has no choice \"%.*s\"", option->name,
            CHOICE_MAX_VALUE, text);
    return false;
}

static bool is_plain_name(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    return length > 0 && length <= OPTION_MAX_NAME && text[length] == '\0';
}

static bool read_number(const struct option *option, const char *text,
                        double *number)
{
    if (text_decimal(text, option->low, option->high, number))
        return true;
    message("ERROR", "%s is a number from %g to %g, not \"%.*s\"", option->name,
            option->low, option->high, CHOICE_MAX_VALUE, text);
    return false;
}

static bool read_whole(const struct option *option, const char *text,
                       double *number)
{
    size_t digits = strspn(text, "0123456789");

    if (digits >= 1 && digits <= 9 && text[digits] == '\0' &&
        text_decimal(text, option->low, option->high, number))
        return true;
    message("ERROR", "%s is a whole number from %.0f to %.0f, not \"%.*s\"",
            option->name, option->low, option->high, CHOICE_MAX_VALUE, text);
    return false;
}

/* Asks for an ink that is more than half, or paper might be taken for black. */
static bool parse_cmyk(const char *text, uint8_t cmyk[OPTION_INKS])
{
    bool dark = false;

    for (unsigned i = 0; i < OPTION_INKS; i++) {
        size_t digits = strspn(text, "0123456789");
        char end = i + 1 < OPTION_INKS ? ',' : '\0';

        if (digits < 1 || digits > 3 || text[digits] != end ||
            strtoul(text, NULL, 10) > UINT8_MAX)
            return false;
        cmyk[i] = (uint8_t)strtoul(text, NULL, 10);
        dark = dark || cmyk[i] > UINT8_MAX / 2;
        text += digits + 1;
    }
    return dark;
}

static bool read_cmyk(const struct option *option, const char *text,
                      uint8_t cmyk[OPTION_INKS])
{
    if (parse_cmyk(text, cmyk))
        return true;
    message("ERROR",
            "%s is %s, %s or C,M,Y,K, numbers from 0 to 255 and one above 127, "
            "not \"%.*s\"",
            option->name, option->choices[0], option->choices[1],
            CHOICE_MAX_VALUE, text);
    return false;
}

bool option_job_takes(const char *name, const char *text)
{
    uint8_t cmyk[OPTION_INKS];
    double number;

    for (enum option_id id = 0; id < OPTIONS; id++) {
        const struct option *o = &options[id];

        if (!choice_is(name, o->name) || (o->from & OPTION_OF_JOB) == 0)
            continue;
        if (o->kind == OPTION_NUMBER || o->kind == OPTION_WHOLE)
            return text_decimal(text, o->low, o->high, &number) &&
                   (o->kind == OPTION_NUMBER || strchr(text, '.') == NULL);
        return option_find(id, text) != OPTION_NO_CHOICE ||
               (o->kind == OPTION_NAME && is_plain_name(text)) ||
               (o->kind == OPTION_CMYK && parse_cmyk(text, cmyk));
    }
    return false;
}

/* ---- Reading ------------------------------------------------------------- */

static const char *written(const struct choices *from,
                           const struct option *option, bool *of_job)
{
    const char *text = NULL;

    if ((option->from & OPTION_OF_JOB) != 0)
        text = choice_of_job(from, option->name);
    *of_job = text != NULL;
    if (text == NULL)
        text = cupsGetOption(option->name, from->paper_count, from->paper);
    if (text == NULL && (option->from & OPTION_OF_PPD) != 0)
        text = choice_of_queue(from, option->name);
    return text;
}

/* Whether the text is a choice, or what else the option takes. */
static bool read_text(const struct option *option, enum option_id id,
                      const char *text, struct option_value *value)
{
    value->choice = option_find(id, text);
    if (value->choice != OPTION_NO_CHOICE)
        value->number = (double)strtoul(text, NULL, 10);
    else if (option->kind == OPTION_CMYK)
        return read_cmyk(option, text, value->cmyk);
    else if (option->kind != OPTION_NAME || !is_plain_name(text))
        return unknown(option, text);
    return true;
}

bool option_read(const struct choices *from, enum option_id id,
                 struct option_value *value)
{
    const struct option *option = option_info(id);
    char custom[CHOICE_CUSTOM_BYTES];
    const char *text;

    *value = (struct option_value){.choice = OPTION_NO_CHOICE};
    text = written(from, option, &value->of_job);
    if (text != NULL && option->ignores &&
        option_find(id, text) == OPTION_NO_CHOICE)
        text = NULL;
    if (text == NULL)
        text = option->fallback;
    if (text == NULL)
        return true;
    switch (option->kind) {
    case OPTION_NUMBER:
        text = choice_custom(from, option->name, text, custom);
        return read_number(option, text, &value->number);
    case OPTION_WHOLE:
        text = choice_custom(from, option->name, text, custom);
        return read_whole(option, text, &value->number);
    case OPTION_KEYWORD:
    case OPTION_NAME:
    case OPTION_CMYK:
        break;
    }
    if (!read_text(option, id, text, value))
        return false;
    snprintf(value->text, sizeof value->text, "%s", text);
    return true;
}

/* ---- Names that are no options ------------------------------------------- */

#define MOST_WARNINGS 10 /* of a job */

/* Tells whether two names are equal but for their case and hyphens. */
static bool is_alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "-");
        b += strspn(b, "-");
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (*a == '\0')
            return true;
    }
}

/* Returns the option of such a name; NULL = none. */
static const struct option *find_alike(const char *name)
{
    for (enum option_id id = 0; id < OPTIONS; id++)
        if (is_alike(options[id].name, name))
            return &options[id];
    return NULL;
}

/* Warns of a name of a job that begins like ours and changes nothing. */
static bool is_in_vain(const struct choices *from, const char *name)
{
    const struct option *option = find_alike(name);
    const bool ours = option != NULL && choice_is(name, option->name);

    if (strncasecmp(name, "halftone", 8) != 0 ||
        (ours && (option->from & (OPTION_OF_JOB | OPTION_OF_RIP)) != 0) ||
        (!ours && choice_of_queue(from, name) != NULL))
        return false;
    if (ours)
        message("WARNING", "A job cannot set %s: ignored", option->name);
    else
        message("WARNING", "There is no option %.*s: ignored%s%s",
                CHOICE_MAX_VALUE, name, option != NULL ? "; a queue has " : "",
                option != NULL ? option->name : "");
    return true;
}

static void warn_of_names(const struct choices *from)
{
    int warnings = 0;

    for (int i = 0; i < from->count && warnings < MOST_WARNINGS; i++)
        warnings += is_in_vain(from, from->options[i].name);
}

bool options_read(const struct choices *from,
                  struct option_value values[OPTIONS])
{
    warn_of_names(from);
    for (enum option_id id = 0; id < OPTIONS; id++) {
        values[id] = (struct option_value){.choice = OPTION_NO_CHOICE};
        if ((option_info(id)->from & (OPTION_OF_JOB | OPTION_OF_PPD)) != 0 &&
            !option_read(from, id, &values[id]))
            return false;
    }
    return true;
}
