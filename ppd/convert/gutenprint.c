/*
 * gutenprint.c - which options of a Gutenprint PPD get one choice, and which
 * act on nothing when the dots are ours.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ppd/convert/edit.h"
#include "ppd/convert/gutenprint.h"
#include "ppd/convert/gutenprint_drops.h"
#include "ppd/convert/gutenprint_inks.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Options of one choice, of which the filter reads the defaults in the PPD. */
static const struct pinned {
    const char *option;
    const char *choices[2]; /* the first that there is; NULL ends */
    bool needed;            /* or: of printers in color with such an option */
} pinned[] = {
    {"StpColorPrecision", {"Best"}, true},
    {"StpColorCorrection", {"Raw"}, true},
    {"StpDitherAlgorithm", {"Predithered"}, true},
    {"StpiShrinkOutput", {"Crop"}, true},
    {"StpQuality", {"None"}, false},
    {"StpInkType", {"CMYK", "CMYKG"}, false},
};
#define PINNED (sizeof pinned / sizeof pinned[0])

/* ---- What there is ------------------------------------------------------- */

/* Returns the statement of a choice; of any if it is NULL. NULL = none. */
static struct ppd_statement *find(const struct ppd_text *text,
                                  const char *option, const char *choice)
{
    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], option) &&
            (choice == NULL || strcmp(text->statements[i].option, choice) == 0))
            return &text->statements[i];
    return NULL;
}

/* Returns the choice that an option is to have, or NULL. */
static const char *choice_of(const struct ppd_text *text,
                             const struct pinned *pin)
{
    for (int i = 0; i < 2 && pin->choices[i] != NULL; i++)
        if (find(text, pin->option, pin->choices[i]) != NULL)
            return pin->choices[i];
    return NULL;
}

/* Judges by the number of PCL printers in Gutenprint. */
static enum ppd_kind kind_of(const struct ppd_text *text)
{
    const struct ppd_statement *family =
        find(text, "StpDriverModelFamily", NULL);
    unsigned number;
    char language[8];

    return family != NULL &&
                   sscanf(family->value, "%u_%7s", &number, language) == 2 &&
                   strcmp(language, "pcl") == 0 &&
                   (number < 100 || number >= 50000)
               ? PPD_LASER
               : PPD_INKJET;
}

bool gutenprint_check(struct gutenprint *gutenprint,
                      const struct ppd_text *text)
{
    *gutenprint = (struct gutenprint){.kind = kind_of(text)};
    gutenprint->color = find(text, "ColorModel", "KCMY") != NULL;
    for (size_t i = 0; i < PINNED; i++)
        if (choice_of(text, &pinned[i]) == NULL &&
            (pinned[i].needed ||
             (gutenprint->color && find(text, pinned[i].option, NULL) != NULL)))
            snprintf(gutenprint->why, sizeof gutenprint->why,
                     "Gutenprint takes no dots for this printer: %s has no %s",
                     pinned[i].option, pinned[i].choices[0]);
    if (find(text, "Resolution", NULL) == NULL ||
        find(text, "ColorModel", "Black") == NULL ||
        find(text, "ColorModel", "Gray") == NULL)
        snprintf(gutenprint->why, sizeof gutenprint->why,
                 "not an expert PPD of Gutenprint");
    return gutenprint->why[0] == '\0';
}

/* ---- Options ------------------------------------------------------------- */

/* Leaves one choice of an option, which becomes the default, and `other`. */
static void keep(struct ppd_text *text, const char *option, const char *kept,
                 const char *other)
{
    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *statement = &text->statements[i];

        if (edit_is_option(statement, option) &&
            strcmp(statement->option, kept) != 0 &&
            strcmp(statement->option, other) != 0)
            ppd_text_remove(text, statement);
    }
    edit_set_default(text, option, kept);
}

/* Takes a number out of a choice's code, up to the next one. */
static void cut_code(struct ppd_text *text, const char *option,
                     const char *choice, const char *number)
{
    struct ppd_statement *statement = find(text, option, choice);
    const char *at = statement == NULL ? NULL : statement->raw;
    const char *end = at == NULL ? NULL : at + statement->size;
    const char *next;

    while (at < end && strncmp(at, number, strlen(number)) != 0)
        at++;
    if (at == end)
        return;
    for (next = at + 1; next < end && *next != '/' && *next != '>'; next++)
        ;
    ppd_text_replace(text, statement, "%.*s%.*s", (int)(at - statement->raw),
                     statement->raw, (int)(end - next), next);
}

/* Offers black alone as Gray and, if there is any, color as CMYK: with a
 * default of another name cupsd has jobs printed in gray. */
static void set_models(struct ppd_text *text, bool color)
{
    static const char option[] = "ColorModel";
    const char *code = find(text, option, "Black")->value;
    struct ppd_statement *inks = find(text, option, "KCMY");

    ppd_text_replace(text, find(text, option, "Gray"),
                     "*%s Gray/Grayscale: \"%s\"\n", option, code);
    keep(text, option, color ? "KCMY" : "Gray", "Gray");
    if (!color)
        return;
    ppd_text_replace(text, inks, "*%s CMYK/Color: \"%s\"\n", option,
                     inks->value);
    edit_set_default(text, option, "CMYK");
}

static bool is_pinned(const char *option)
{
    for (size_t i = 0; i < PINNED; i++)
        if (strcmp(pinned[i].option, option) == 0)
            return true;
    return false;
}

/* Removes the groups "C1L0" and so on, of options for tones, with all but what
 * is pinned; and constraints and presets of Gutenprint's options, which may
 * name what is gone. */
static void drop_tones(struct ppd_text *text)
{
    bool group = false, kept = false;

    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *statement = &text->statements[i];
        const bool ends = ppd_text_is(statement, "CloseGroup");

        if (ppd_text_is(statement, "OpenGroup"))
            group = strncmp(statement->value, "C1L", 3) == 0;
        if (ppd_text_is(statement, "OpenUI"))
            kept = is_pinned(statement->option + 1);
        if ((group && !kept) || (edit_is_list(statement) &&
                                 strstr(statement->value, "*Stp") != NULL))
            ppd_text_remove(text, statement);
        if (ppd_text_is(statement, "CloseUI"))
            kept = false;
        group = group && !ends;
    }
}

/* Removes the list of languages if nothing is translated: Gutenprint makes it
 * for all that it has. */
static void drop_languages(struct ppd_text *text)
{
    struct ppd_statement *list = find(text, "cupsLanguages", NULL);

    for (size_t i = 0; i < text->count; i++)
        if (strstr(text->statements[i].keyword, ".Translation") != NULL)
            return;
    if (list != NULL)
        ppd_text_remove(text, list);
}

/* ---- All ----------------------------------------------------------------- */

static void edit_options(struct gutenprint *gutenprint, struct ppd_text *text)
{
    for (size_t i = 0; i < PINNED; i++) {
        const char *choice = choice_of(text, &pinned[i]);

        if (choice != NULL)
            keep(text, pinned[i].option, choice, choice);
    }
    cut_code(text, "StpQuality", "None", "/HWResolution");
    cut_code(text, "StpColorPrecision", "Best", "/cupsPreferredBitsPerColor");
    set_models(text, gutenprint->color);
    drop_tones(text);
    drop_languages(text);
}

bool gutenprint_convert(struct gutenprint *gutenprint, struct ppd_text *text,
                        ppd_file_t *ppd, const char *filter)
{
    struct gutenprint_drops drops = {.filter = filter,
                                     .ink =
                                         choice_of(text, &pinned[PINNED - 1]),
                                     .inks = gutenprint->color ? 4 : 1};
    const struct ppd_statement *family =
        find(text, "StpDriverModelFamily", NULL);
    size_t size;
    FILE *out = open_memstream(&gutenprint->lines, &size);
    const char *why = NULL;

    drops.by_pairs = family == NULL ||
                     strstr(family->value, "_escp2") == NULL ||
                     find(text, "StpDensity", NULL) == NULL;
    drops.mixed_gray = gutenprint->color && family != NULL &&
                       strstr(family->value, "_canon") != NULL;
    if (out != NULL) {
        fprintf(out,
                "*HalftoneGutenprint: \"%s\"\n*HalftoneDropSizes: \"PPD\"\n",
                filter);
        why = gutenprint_drops_find(&drops, text, ppd, out);
        gutenprint->inks =
            gutenprint->color && why == NULL && gutenprint_inks_find(text, out);
    }
    if (out == NULL || fclose(out) != 0)
        why = "no memory";
    snprintf(gutenprint->why, sizeof gutenprint->why, "%s",
             why == NULL ? "" : why);
    if (why == NULL)
        edit_options(gutenprint, text);
    gutenprint->sized = drops.sized;
    return why == NULL;
}

void gutenprint_free(struct gutenprint *gutenprint)
{
    free(gutenprint->lines);
    gutenprint->lines = NULL;
}
