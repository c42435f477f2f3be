/*
 * choice.c - choices of the job and of the queue's PPD.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/choice.h"
#include "filter/message.h"
#include "base/text.h"

/* CUPS marks all of its PPD functions so; they are what a filter of CUPS 2
 * has. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static ppd_file_t *open_ppd(void)
{
    const char *path = getenv("PPD");
    ppd_file_t *ppd;

    if (path == NULL)
        return NULL;
    ppd = ppdOpenFile(path);
    if (ppd == NULL) {
        int line;
        ppd_status_t status = ppdLastError(&line);
        message("WARNING",
                "The PPD cannot be used (%s, line %d); using "
                "defaults",
                ppdErrorString(status), line);
    }
    return ppd;
}

void choices_open(struct choices *from, const char *text)
{
    *from = (struct choices){.ppd = open_ppd()};
    from->count = cupsParseOptions(text, 0, &from->options);
    if (from->ppd != NULL) {
        ppdMarkDefaults(from->ppd);
        cupsMarkOptions(from->ppd, from->count, from->options);
    }
}

void choices_close(struct choices *from)
{
    cupsFreeOptions(from->count, from->options);
    ppdClose(from->ppd);
}

const char *choice_of_job(const struct choices *from, const char *keyword)
{
    return cupsGetOption(keyword, from->count, from->options);
}

const char *choice_of_queue(const struct choices *from, const char *keyword)
{
    if (from->ppd == NULL)
        return NULL;

    ppd_choice_t *marked = ppdFindMarkedChoice(from->ppd, keyword);
    ppd_option_t *option = ppdFindOption(from->ppd, keyword);
    ppd_attr_t *attribute = ppdFindAttr(from->ppd, keyword, NULL);

    /* A default that is none of its option's choices is not marked. */
    if (marked != NULL)
        return marked->choice;
    if (option != NULL && option->defchoice[0] != '\0')
        return option->defchoice;
    return attribute ? attribute->value : NULL;
}

/* A line "TYPE ... PROGRAM", in which "-" is no program. */
static bool is_packer(const char *filter)
{
    const char dots[] = "application/vnd.cups-halftone-raster";
    size_t type = strcspn(filter, " \t"), length = strlen(filter);

    return type == strlen(dots) && strncasecmp(filter, dots, type) == 0 &&
           !(filter[length - 1] == '-' && strchr(" \t", filter[length - 2]));
}

bool choice_has_packer(const struct choices *from)
{
    static const char *const keywords[] = {"cupsFilter2", "cupsFilter"};
    ppd_attr_t *line = NULL;

    /* Where there is a cupsFilter2, cupsFilter does not count. */
    for (int i = 0; i < 2 && line == NULL && from->ppd != NULL; i++)
        line = ppdFindAttr(from->ppd, keywords[i], NULL);
    for (; line != NULL; line = ppdFindNextAttr(from->ppd, line->name, NULL))
        if (line->value != NULL && is_packer(line->value))
            return true;
    return false;
}

const char *choice_of(const struct choices *from, const char *keyword)
{
    const char *value = choice_of_job(from, keyword);

    return value != NULL ? value : choice_of_queue(from, keyword);
}

bool choice_is(const char *value, const char *expected)
{
    return value != NULL && strcasecmp(value, expected) == 0;
}

bool choice_unknown(const char *keyword, const char *value)
{
    message("ERROR", "%s has no choice \"%.*s\"", keyword, CHOICE_MAX_VALUE,
            value);
    return false;
}

#define CUSTOM_TEXT 32 /* bytes, of any float or int */

/* What was entered where a PPD's option takes any number. */
static const char *custom_number(const struct choices *from,
                                 const char *keyword, char text[CUSTOM_TEXT])
{
    ppd_coption_t *option = ppdFindCustomOption(from->ppd, keyword);
    ppd_cparam_t *number = option != NULL ? ppdFirstCustomParam(option) : NULL;

    if (number != NULL && number->type == PPD_CUSTOM_INT)
        snprintf(text, CUSTOM_TEXT, "%d", number->current.custom_int);
    else if (number != NULL && number->type == PPD_CUSTOM_REAL)
        snprintf(text, CUSTOM_TEXT, "%g", (double)number->current.custom_real);
    else
        return "Custom";
    return text;
}

/* As choice_of(), and the number alone of one that was entered, not chosen:
 * "Custom.1.3" of a job, the parameter of the choice "Custom" of a PPD. */
static const char *number_of(const struct choices *from, const char *keyword,
                             char text[CUSTOM_TEXT])
{
    const char *value = choice_of(from, keyword);

    if (value != NULL && strncasecmp(value, "Custom.", 7) == 0)
        return value + 7;
    return choice_is(value, "Custom") ? custom_number(from, keyword, text)
                                      : value;
}

bool choice_number(const struct choices *from, const char *keyword, double low,
                   double high, double unit, double *out)
{
    char text[CUSTOM_TEXT];
    const char *value = number_of(from, keyword, text);

    if (value == NULL)
        return true;
    if (!text_decimal(value, low, high, out)) {
        message("ERROR", "%s is a number from %g to %g, not \"%.*s\"", keyword,
                low, high, CHOICE_MAX_VALUE, value);
        return false;
    }
    *out /= unit;
    return true;
}

bool choice_count(const struct choices *from, const char *name,
                  unsigned long most, uint32_t *number)
{
    char text[CUSTOM_TEXT];
    const char *value = number_of(from, name, text);
    size_t digits = value == NULL ? 0 : strspn(value, "0123456789");

    if (value == NULL)
        return true;
    if (digits < 1 || digits > 9 || value[digits] != '\0' ||
        strtoul(value, NULL, 10) > most) {
        message("ERROR", "%s is a whole number from 0 to %lu, not \"%.*s\"",
                name, most, CHOICE_MAX_VALUE, value);
        return false;
    }
    *number = (uint32_t)strtoul(value, NULL, 10);
    return true;
}

bool choice_is_plain_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    return length > 0 && length <= CHOICE_MAX_NAME && name[length] == '\0';
}

const char *choice_data_directory(void)
{
    const char *data = getenv("CUPS_DATADIR");

    return data != NULL ? data : CUPS_DATADIR;
}
