/*
 * convert.c - drops choices with which no dots are possible, makes the others
 * render tones, and checks the result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/raster.h>

#include "page/choice.h"
#include "ppd/convert/convert.h"
#include "ppd/convert/edit.h"
#include "ppd/convert/filters.h"
#include "ppd/convert/foomatic.h"
#include "ppd/convert/gutenprint.h"
#include "ppd/convert/kind.h"
#include "ppd/convert/mend.h"
#include "ppd/convert/source.h"
#include "ppd/convert/survey.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define TONES 8 /* bits that the RIP is to render */

struct conversion {
    const char *driver;
    bool color;   /* some choices have inks other than black */
    bool black;   /* some have black ink */
    bool chunked; /* some have four, whose dots the driver wants side by side */
};

/* ---- Judging raster ------------------------------------------------------ */

/* Returns the inks of a color space that we print, else 0. */
static int inks_of(int space)
{
    switch (space) {
    case CUPS_CSPACE_W:
    case CUPS_CSPACE_K:
        return 1;
    case CUPS_CSPACE_CMY:
    case CUPS_CSPACE_RGB:
        return 3;
    case CUPS_CSPACE_CMYK:
    case CUPS_CSPACE_KCMY:
        return 4;
    default:
        return 0;
    }
}

/* Whether dots of these inks leave our filter in this order. */
static bool is_our_order(int inks, int order)
{
    return inks == 1 || order == CUPS_ORDER_BANDED ||
           (inks == 4 && order == CUPS_ORDER_CHUNKED);
}

/* Returns the field because of which we do not print such raster; SURVEY_FIELDS
 * = none. */
static enum survey_field wrong_field(const int fields[SURVEY_FIELDS], int bits)
{
    int inks = inks_of(fields[SURVEY_SPACE]);

    if (fields[SURVEY_BITS] != bits)
        return SURVEY_BITS;
    if (inks == 0)
        return SURVEY_SPACE;
    return is_our_order(inks, fields[SURVEY_ORDER]) ? SURVEY_FIELDS
                                                    : SURVEY_ORDER;
}

static bool refuse_field(struct survey *survey, enum survey_field field,
                         const int fields[SURVEY_FIELDS], const char *driver)
{
    int value = fields[field];

    if (field == SURVEY_SPACE)
        return survey_refuse(survey, "color space %d of CUPS: not supported",
                             value);
    if (field == SURVEY_ORDER)
        return survey_refuse(
            survey, "inks in the order %d of CUPS: not supported", value);
    if (value < TONES)
        return survey_refuse(survey, "%d bits per ink: not supported", value);
    return survey_refuse(
        survey, "this driver wants %d-bit raster and makes its own dots (%s)",
        value, driver);
}

/* Drops the choice that asks for dots of other kinds. */
static bool judge_dots(struct survey *survey, const int fields[SURVEY_FIELDS],
                       struct survey_choice *const marked[], void *context)
{
    struct conversion *conversion = context;
    enum survey_field field = wrong_field(fields, 1);
    int inks = inks_of(fields[SURVEY_SPACE]);

    if (field == SURVEY_FIELDS) {
        conversion->color = conversion->color || inks > 1;
        conversion->black = conversion->black || inks != 3;
        conversion->chunked =
            conversion->chunked ||
            (inks == 4 && fields[SURVEY_ORDER] == CUPS_ORDER_CHUNKED);
        return true;
    }
    /* Dropping the last choice of an option would leave no way to print dots.
     */
    struct survey_choice *setter = survey_setter(survey, marked, field);
    return (setter != NULL && survey_drop(survey, setter)) ||
           refuse_field(survey, field, fields, conversion->driver);
}

/* Refuses pages that our filter does not print. */
static bool judge_tones(struct survey *survey, const int fields[SURVEY_FIELDS],
                        struct survey_choice *const marked[], void *context)
{
    enum survey_field field = wrong_field(fields, TONES);

    (void)context;
    if (field == SURVEY_FIELDS)
        return true;
    struct survey_choice *setter = survey_setter(survey, marked, field);
    return survey_refuse(survey,
                         "cannot be converted: %s would still ask for %s %d",
                         setter == NULL ? "the PPD" : setter->name,
                         field == SURVEY_BITS    ? "bits"
                         : field == SURVEY_SPACE ? "color space"
                                                 : "order",
                         fields[field]);
}

/* ---- Attributes for our filter ------------------------------------------- */

/* The choice of HalftoneMode. */
static const char *mode_of(enum convert_dots dots, enum ppd_kind kind)
{
    switch (dots) {
    case DOTS_SCREEN:
        return "Screen";
    case DOTS_THRESHOLD:
        return "Threshold";
    case DOTS_TDFED:
        return "TDFED4";
    case DOTS_BY_KIND:
        break;
    }
    /* Both print single dots badly. */
    return kind == PPD_LASER || kind == PPD_LABEL ? "Screen" : "TDFED4";
}

/* The attributes of the filter, as lines, which the caller frees. */
static char *attributes(const struct conversion *conversion, const char *mode,
                        enum ppd_kind kind)
{
    char *lines = NULL;
    const char *order = !conversion->color    ? ""
                        : conversion->chunked ? "*HalftoneColorOrder: "
                                                "\"Chunked\"\n"
                                              : "*HalftoneColorOrder: "
                                                "\"Banded\"\n";

    if (asprintf(&lines,
                 "*%% halftone-ppd: %s\n"
                 "*HalftoneMode: \"%s\"\n"
                 "*HalftoneCurve: \"Default\"\n"
                 "%s%s",
                 ppd_kind_text(kind), mode,
                 conversion->black ? "*HalftoneBlack: \"Pure\"\n" : "",
                 order) < 0)
        return NULL;
    return lines;
}

/* ---- Converting ---------------------------------------------------------- */

/* Edits the text. False without memory. */
static bool edit(struct ppd_text *text, const struct survey *survey,
                 const struct ppd_filters *filters,
                 const struct conversion *conversion, enum convert_dots dots)
{
    enum ppd_kind kind = ppd_kind_of(survey->ppd, conversion->driver);
    const char *mode = mode_of(dots, kind);
    char *lines = attributes(conversion, mode, kind);

    if (lines == NULL)
        return false;
    ppd_filters_convert(filters, survey->ppd->model_number, text, lines);
    free(lines);
    edit_drop_choices(text, survey);
    edit_name(text, strcmp(mode, "TDFED4") == 0 ? "TDFED" : mode);
    if (!conversion->color)
        edit_no_color(text);
    edit_add_options(text, kind == PPD_LABEL, false, false);
    if (kind == PPD_LABEL)
        edit_fill_exactly(text);
    mend_text(text, conversion->driver, survey->ppd->model_number);
    return true;
}

/* Refuses more dropped choices than can be looked for. */
static bool can_drop(struct survey *survey, const struct ppd_text *text)
{
    size_t dropped = 0;

    for (int i = 0; i < survey->count; i++)
        for (int j = 0; j < survey->options[i].count; j++)
            dropped += survey->options[i].choices[j].dropped;
    return edit_can_drop(text, dropped) ||
           survey_refuse(survey, "too many choices cannot be converted");
}

static char *convert_raster(struct ppd_text *text, ppd_file_t *ppd,
                            const struct ppd_filters *filters,
                            enum convert_dots dots, size_t *size,
                            char why[CONVERT_WHY])
{
    struct survey survey = {.count = 0};
    struct conversion conversion = {.driver = filters->driver->program};
    char *out = NULL;

    bool ok = survey_open(&survey, ppd) &&
              survey_walk(&survey, judge_dots, &conversion) &&
              can_drop(&survey, text);
    if (ok && edit(text, &survey, filters, &conversion, dots))
        out = ppd_text_join(text, size);
    if (out == NULL)
        snprintf(why, CONVERT_WHY, "%s", ok ? "no memory" : survey.why);
    survey_free(&survey);
    return out;
}

/* ---- Gutenprint ----------------------------------------------------------
 */

/* Edits what is not Gutenprint's own. False without memory. */
static bool edit_gutenprint(struct ppd_text *text, ppd_file_t *ppd,
                            const struct ppd_filters *filters,
                            const struct gutenprint *gutenprint,
                            enum convert_dots dots)
{
    const struct conversion conversion = {.color = gutenprint->color,
                                          .black = true};
    const char *mode = mode_of(dots, gutenprint->kind);
    char *lines = attributes(&conversion, mode, gutenprint->kind), *more;

    if (lines == NULL || asprintf(&more, "%s%s", lines, gutenprint->lines) < 0)
        more = NULL;
    free(lines);
    if (more == NULL)
        return false;
    ppd_filters_convert(filters, ppd->model_number, text, more);
    free(more);
    edit_name(text, CONVERT_GUTENPRINT);
    if (!gutenprint->color)
        edit_no_color(text);
    edit_add_options(text, false, gutenprint->sized, gutenprint->inks);
    return true;
}

/* Converts the PPD of Gutenprint's filter; NULL with the reason. */
static char *convert_gutenprint(struct ppd_text *text, ppd_file_t *ppd,
                                const struct ppd_filters *filters,
                                enum convert_dots dots, size_t *size,
                                char why[CONVERT_WHY])
{
    struct gutenprint gutenprint;
    char *out = NULL;
    bool ok =
        gutenprint_check(&gutenprint, text) &&
        gutenprint_convert(&gutenprint, text, ppd, filters->driver->program);

    if (ok && edit_gutenprint(text, ppd, filters, &gutenprint, dots))
        out = ppd_text_join(text, size);
    snprintf(why, CONVERT_WHY, "%s",
             ok && out == NULL ? "no memory" : gutenprint.why);
    gutenprint_free(&gutenprint);
    return out;
}

bool ppd_is_gutenprint(const char *bytes, size_t size, char why[CONVERT_WHY])
{
    struct ppd_text text;
    struct ppd_filters filters;
    struct gutenprint gutenprint = {.why = "not a PPD of Gutenprint"};
    const bool split = ppd_text_split(&text, bytes, size);
    const bool is = split && ppd_filters_read(&filters, &text) &&
                    choice_is_gutenprint(filters.driver->program) &&
                    gutenprint_check(&gutenprint, &text);

    snprintf(why, CONVERT_WHY, "%s", split ? gutenprint.why : "no memory");
    ppd_text_free(&text);
    errno = split ? 0 : ENOMEM;
    return is;
}

/* ---- Pipes ----------------------------------------------------------------
 */

/* Converts the PPD of a command line; NULL with the reason. */
static char *convert_pipe(struct ppd_text *text, ppd_file_t *ppd,
                          enum convert_dots dots, size_t *size,
                          char why[CONVERT_WHY])
{
    struct foomatic pipe;
    char *bytes = NULL;
    bool ok = foomatic_read(&pipe, text);

    if (ok) {
        const char *mode = mode_of(dots, ppd_kind_of(ppd, pipe.driver));
        ok = foomatic_convert(&pipe, text, mode);
        edit_name(text, strcmp(mode, "TDFED4") == 0 ? "TDFED" : mode);
    }
    if (ok)
        bytes = ppd_text_join(text, size);
    if (bytes == NULL)
        snprintf(why, CONVERT_WHY, "%s", ok ? "no memory" : pipe.why);
    foomatic_free(&pipe);
    return bytes;
}

/* ---- Both -----------------------------------------------------------------
 */

/* Tells whether libcups can open the new PPD and, unless a command line makes
 * the raster, each choice asks for pages that we print. */
static bool check(const char *bytes, size_t size, bool pipe,
                  char why[CONVERT_WHY])
{
    struct survey survey = {.count = 0};
    ppd_file_t *ppd = source_open(bytes, size, why);

    if (ppd == NULL)
        return false;
    bool ok = pipe || (survey_open(&survey, ppd) &&
                       survey_walk(&survey, judge_tones, NULL));
    if (!ok)
        snprintf(why, CONVERT_WHY, "%s", survey.why);
    survey_free(&survey);
    ppdClose(ppd);
    return ok;
}

/* Converts a text that libcups could open. */
static char *convert_text(struct ppd_text *text, ppd_file_t *ppd,
                          enum convert_dots dots, size_t *size,
                          char why[CONVERT_WHY])
{
    const bool pipe = ppd_filters_are_foomatic(text);
    struct ppd_filters filters;
    char *out = NULL;

    if (pipe)
        out = convert_pipe(text, ppd, dots, size, why);
    else if (!ppd_filters_read(&filters, text))
        snprintf(why, CONVERT_WHY, "%s", filters.why);
    else if (choice_is_gutenprint(filters.driver->program))
        out = convert_gutenprint(text, ppd, &filters, dots, size, why);
    else
        out = convert_raster(text, ppd, &filters, dots, size, why);

    if (out == NULL || check(out, *size, pipe, why))
        return out;
    free(out);
    return NULL;
}

/* Takes a shortage from errno alone: libcups may blame the PPD's code when it
 * has no memory for it. */
char *ppd_convert(const char *bytes, size_t size, enum convert_dots dots,
                  size_t *out_size, char why[CONVERT_WHY])
{
    struct ppd_text text;
    char *out = NULL;
    ppd_file_t *ppd = source_open(bytes, size, why);

    if (ppd == NULL)
        return NULL;
    why[0] = '\0';
    if (ppd_text_split(&text, bytes, size)) {
        edit_resolution_first(&text, ppd);
        out = convert_text(&text, ppd, dots, out_size, why);
    } else {
        snprintf(why, CONVERT_WHY, "no memory");
    }
    int lack = source_lack(errno);
    if (lack != 0) {
        snprintf(why, CONVERT_WHY, "%s", strerror(lack));
        free(out);
        out = NULL;
    }
    ppd_text_free(&text);
    ppdClose(ppd);
    errno = lack;
    return out;
}
