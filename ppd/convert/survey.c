/*
 * survey.c - marks the choices of a PPD and has libcups interpret its code.
 *
 * The code of a choice is a list of values for the raster header without any
 * conditions. So what a choice sets is known from its code alone, and a header
 * has, field by field, what the last choice has set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/raster.h>

#include "ppd/convert/survey.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Two headers in which a choice is interpreted alone: fields that are the same
 * after both were set by the choice. */
static char before_one[] =
    "<</cupsBitsPerColor 1/cupsColorSpace 61/cupsColorOrder 1>>setpagedevice";
static char before_two[] =
    "<</cupsBitsPerColor 2/cupsColorSpace 62/cupsColorOrder 2>>setpagedevice";

/* ---- Interpreting -------------------------------------------------------- */

/* Interprets the code of the marked choices. False when libcups does not
 * understand some of it; the header has what comes before that. */
static bool interpret(struct survey *survey, int fields[SURVEY_FIELDS])
{
    cups_page_header2_t header;
    int status = cupsRasterInterpretPPD(&header, survey->ppd, 0, NULL, NULL);

    fields[SURVEY_BITS] = (int)header.cupsBitsPerColor;
    fields[SURVEY_SPACE] = (int)header.cupsColorSpace;
    fields[SURVEY_ORDER] = (int)header.cupsColorOrder;
    return status == 0;
}

/* Interprets the code of a choice alone, after `before`. Nothing else is
 * marked. A RIP makes as much of code that libcups does not understand; an
 * example is a misspelled size of paper. */
static void interpret_alone(struct survey *survey, ppd_choice_t *choice,
                            char *before, int fields[SURVEY_FIELDS])
{
    char *patches = survey->ppd->patches;

    survey->ppd->patches = before;
    choice->marked = 1;
    cupsArrayAdd(survey->ppd->marked, choice);
    interpret(survey, fields);
    cupsArrayRemove(survey->ppd->marked, choice);
    choice->marked = 0;
    survey->ppd->patches = patches;
}

static void read_choice(struct survey *survey, ppd_choice_t *choice,
                        struct survey_choice *out)
{
    int one[SURVEY_FIELDS], two[SURVEY_FIELDS];

    out->name = choice->choice;
    interpret_alone(survey, choice, before_one, one);
    interpret_alone(survey, choice, before_two, two);
    for (int i = 0; i < SURVEY_FIELDS; i++)
        out->sets[i] = one[i] == two[i] ? one[i] : SURVEY_UNSET;
}

/* ---- Opening ------------------------------------------------------------- */

static bool sets_same(const struct survey_choice *a,
                      const struct survey_choice *b)
{
    return memcmp(a->sets, b->sets, sizeof a->sets) == 0;
}

static bool sets_any(const struct survey_choice *choice)
{
    for (int i = 0; i < SURVEY_FIELDS; i++)
        if (choice->sets[i] != SURVEY_UNSET)
            return true;
    return false;
}

bool survey_refuse(struct survey *survey, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(survey->why, sizeof survey->why, format, values);
    va_end(values);
    return false;
}

/* Returns how much an option adds to the work of interpreting the marked
 * choices. */
static long work_of(const ppd_option_t *option)
{
    size_t longest = 0;

    for (int i = 0; i < option->num_choices; i++)
        if (option->choices[i].code != NULL) {
            size_t length = strlen(option->choices[i].code);
            longest = length > longest ? length : longest;
        }
    return 1 + (long)(longest / SURVEY_BYTES_OF_WORK);
}

/* Adds an option if one of its choices sets a field. */
static bool read_option(struct survey *survey, const ppd_option_t *option)
{
    struct survey_choice *choices;
    bool sets = false;

    survey->combination_work += work_of(option);

    if (option->num_choices > SURVEY_MAX_CHOICES)
        return survey_refuse(survey, "an option has more than 4096 choices");
    choices = calloc((size_t)option->num_choices + 1, sizeof *choices);
    if (choices == NULL)
        return survey_refuse(survey, "%s", strerror(ENOMEM));
    for (int i = 0; i < option->num_choices; i++) {
        read_choice(survey, &option->choices[i], &choices[i]);
        sets = sets || sets_any(&choices[i]);
    }
    if (!sets || survey->count == SURVEY_MAX_OPTIONS) {
        free(choices);
        return !sets ||
               survey_refuse(survey, "too many options decide on the raster");
    }
    survey->options[survey->count++] = (struct survey_option){
        .option = option, .choices = choices, .count = option->num_choices};
    return true;
}

bool survey_open(struct survey *survey, ppd_file_t *ppd)
{
    *survey = (struct survey){.ppd = ppd};
    for (ppd_option_t *option = ppdFirstOption(ppd); option != NULL;
         option = ppdNextOption(ppd))
        if (!read_option(survey, option))
            return false;
    return true;
}

void survey_free(struct survey *survey)
{
    for (int i = 0; i < survey->count; i++)
        free(survey->options[i].choices);
    survey->count = 0;
}

/* ---- Walking ------------------------------------------------------------- */

/* Whether a choice before this one, that is not dropped, sets the same. */
static bool is_repeated(const struct survey_option *option, int choice)
{
    for (int i = 0; i < choice; i++)
        if (!option->choices[i].dropped &&
            sets_same(&option->choices[i], &option->choices[choice]))
            return true;
    return false;
}

struct walk {
    survey_judge_fn *judge;
    void *context;
    struct survey_choice *marked[SURVEY_MAX_OPTIONS];
    long combinations;
};

static bool any_dropped(const struct walk *walk, int count)
{
    for (int i = 0; i < count; i++)
        if (walk->marked[i]->dropped)
            return true;
    return false;
}

/* Says that libcups does not understand what is marked. Always false. */
static bool refuse_code(struct survey *survey)
{
    const char *error = cupsRasterErrorString();

    return survey_refuse(survey,
                         "cannot tell what raster this PPD asks for: %.*s",
                         error == NULL ? 0 : (int)strcspn(error, "\r\n"),
                         error == NULL ? "" : error);
}

static bool visit(struct survey *survey, struct walk *walk)
{
    int fields[SURVEY_FIELDS];

    survey->work += survey->combination_work;
    if (++walk->combinations > SURVEY_MAX_COMBINATIONS ||
        survey->work > SURVEY_MAX_WORK)
        return survey_refuse(survey, "too many choices decide on the raster");
    if (!interpret(survey, fields))
        return refuse_code(survey);
    return walk->judge(survey, fields, walk->marked, walk->context);
}

/* Walks over the choices of option `depth` and of those behind it; those before
 * it are marked, and of all options that set no field any choice. */
static bool walk_from(struct survey *survey, struct walk *walk, int depth)
{
    if (depth == survey->count)
        return visit(survey, walk);
    const struct survey_option *option = &survey->options[depth];
    for (int i = 0; i < option->count && !any_dropped(walk, depth); i++) {
        if (option->choices[i].dropped || is_repeated(option, i))
            continue;
        walk->marked[depth] = &option->choices[i];
        ppdMarkOption(survey->ppd, option->option->keyword,
                      option->choices[i].name);
        if (!walk_from(survey, walk, depth + 1))
            return false;
    }
    return true;
}

bool survey_walk(struct survey *survey, survey_judge_fn *judge, void *context)
{
    struct walk walk = {.judge = judge, .context = context};

    ppdMarkDefaults(survey->ppd);
    return walk_from(survey, &walk, 0);
}

/* ---- Choices ------------------------------------------------------------- */

/* The place of the option that one of the marked choices is of; -1 = none. */
static int option_at(const struct survey *survey, const ppd_choice_t *choice)
{
    for (int i = 0; i < survey->count; i++)
        if (survey->options[i].option == choice->option)
            return i;
    return -1;
}

struct survey_choice *survey_setter(const struct survey *survey,
                                    struct survey_choice *const marked[],
                                    enum survey_field field)
{
    /* As libcups emits them. */
    static const ppd_section_t sections[] = {PPD_ORDER_DOCUMENT, PPD_ORDER_ANY,
                                             PPD_ORDER_PROLOG, PPD_ORDER_PAGE};
    struct survey_choice *last = NULL;

    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        ppd_choice_t **emitted = NULL;
        int count = ppdCollect2(survey->ppd, sections[i], 0, &emitted);
        for (int j = 0; j < count; j++) {
            int at = option_at(survey, emitted[j]);
            if (at >= 0 && marked[at]->sets[field] != SURVEY_UNSET)
                last = marked[at];
        }
        free(emitted);
    }
    return last;
}

const char *survey_first(const struct survey_option *option)
{
    for (int i = 0; i < option->count; i++)
        if (!option->choices[i].dropped)
            return option->choices[i].name;
    return NULL;
}

static struct survey_option *option_of(struct survey *survey,
                                       const struct survey_choice *choice)
{
    for (int i = 0; i < survey->count; i++) {
        struct survey_option *option = &survey->options[i];
        for (int j = 0; j < option->count; j++)
            if (&option->choices[j] == choice)
                return option;
    }
    return NULL;
}

bool survey_drop(struct survey *survey, struct survey_choice *choice)
{
    struct survey_option *option = option_of(survey, choice);

    for (int i = 0; i < option->count; i++)
        if (sets_same(&option->choices[i], choice))
            option->choices[i].dropped = true;
    return survey_first(option) != NULL;
}
