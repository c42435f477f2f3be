/*
 * gutenprint.c - which options of a Gutenprint PPD get one choice, and which
 * act on nothing when the dots are ours.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ppd/convert/edit.h"
#include "ppd/convert/gutenprint.h"
#include "ppd/convert/gutenprint_ask.h"
#include "ppd/convert/gutenprint_drops.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define FILTER "rastertogutenprint."
#define MOST_LINES 16 /* of HalftoneSizes */

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

bool gutenprint_is(const char *program)
{
    return strncmp(program, FILTER, strlen(FILTER)) == 0 &&
           program[strspn(program, "abcdefghijklmnopqrstuvwxyz0123456789.-_"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

/* Says why a PPD is refused, or what is lost if it is not. Always false. */
static bool refuse(struct gutenprint *gutenprint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(struct gutenprint *gutenprint, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(gutenprint->why, sizeof gutenprint->why, format, values);
    va_end(values);
    return false;
}

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
            return refuse(gutenprint,
                          "Gutenprint takes no dots for this printer: %s "
                          "has no %s",
                          pinned[i].option, pinned[i].choices[0]);
    if (find(text, "Resolution", NULL) == NULL ||
        find(text, "ColorModel", "Black") == NULL ||
        find(text, "ColorModel", "Gray") == NULL)
        return refuse(gutenprint, "not an expert PPD of Gutenprint");
    return true;
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

/* Offers black alone as Gray, and color if there is any. */
static void set_models(struct ppd_text *text, bool color)
{
    static const char option[] = "ColorModel";
    const char *first = color ? "KCMY" : "Gray";
    const char *code = find(text, option, "Black")->value;

    ppd_text_replace(text, find(text, option, "Gray"),
                     "*%s Gray/Grayscale: \"%s\"\n", option, code);
    keep(text, option, first, "Gray");
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

/* ---- Drops --------------------------------------------------------------- */

/* Writes the sizes of a choice, unless one before it has the same dpi. Returns
 * whether it has. */
static bool write_sizes(struct gutenprint *gutenprint,
                        struct gutenprint_drops *drops,
                        const struct drop_choice *choice, FILE *out)
{
    char value[DROPS_VALUE];

    if (gutenprint_drops_like(drops, choice) != choice ||
        !gutenprint_drops_value(&choice->common, value))
        return false;
    fprintf(out, "*HalftoneSizes %ux%u: \"%s\"\n", choice->dpi[0],
            choice->dpi[1], value);
    gutenprint->sized = gutenprint->sized || strchr(value, ',') != NULL;
    return true;
}

/* The filter has not told its drops: the largest of 2 bits, which is that of 1
 * bit, too, except where larger codes spoil what is beside them. */
static void write_unknown(struct gutenprint *gutenprint,
                          const struct ppd_text *text, FILE *out)
{
    const struct ppd_statement *family =
        find(text, "StpDriverModelFamily", NULL);
    const bool one = family != NULL && strstr(family->value, "_canon") != NULL;

    fprintf(out, "*HalftoneSizes any: \"100 %d\"\n", one ? 1 : 3);
    refuse(gutenprint, "Gutenprint's filter does not answer: dots have one "
                       "size");
}

/* Writes the lines; returns how many have sizes. */
static int write_lines(struct gutenprint *gutenprint,
                       const struct ppd_text *text,
                       struct gutenprint_drops *drops, const char *filter,
                       FILE *out)
{
    bool pale = false;
    int lines = 0;

    fprintf(out, "*HalftoneGutenprint: \"%s\"\n*HalftoneDropSizes: \"PPD\"\n",
            filter);
    if (!drops->asked) {
        write_unknown(gutenprint, text, out);
        return 1;
    }
    for (int i = 0; i < drops->resolution_count; i++) {
        const struct drop_choice *choice = &drops->resolutions[i];

        if (choice->left)
            continue;
        fprintf(out, "*%% Gutenprint %s: %s\n", choice->name, choice->said);
        lines += write_sizes(gutenprint, drops, choice, out);
        pale = pale || !choice->whole;
    }
    if (pale)
        refuse(gutenprint, "its inks have drops of different sizes: pages are "
                           "paler than Gutenprint's");
    return lines;
}

/* Returns the choice that becomes the default if the PPD's is left out. */
static const char *new_default(struct gutenprint_drops *drops,
                               const char *preset)
{
    const struct drop_choice *first = NULL;

    for (int i = drops->resolution_count; i-- > 0;) {
        const struct drop_choice *at = &drops->resolutions[i], *like;

        if (strcmp(at->name, preset) == 0 &&
            (like = gutenprint_drops_like(drops, at)) != NULL)
            return at->left ? like->name : at->name;
        first = at->left ? first : at;
    }
    return first == NULL ? NULL : first->name;
}

/* Removes the choices that are left out. */
static void drop_left(struct ppd_text *text, const struct drop_choice *choices,
                      int count, const char *preset)
{
    for (int i = 0; i < count; i++)
        if (choices[i].left)
            edit_drop_choice(text, choices[i].option, choices[i].name, preset);
}

/* Removes choices; false if no resolution is left. The defaults of all other
 * options are those with which the resolutions are asked. */
static bool set_choices(struct gutenprint *gutenprint, struct ppd_text *text,
                        ppd_file_t *ppd, struct gutenprint_drops *drops,
                        int lines)
{
    const ppd_option_t *option = ppdFindOption(ppd, "Resolution");
    const char *preset = new_default(drops, option->defchoice);

    if (preset == NULL || lines == 0)
        return refuse(gutenprint,
                      "Gutenprint prints other inks than black, cyan, magenta "
                      "and yellow, or no drop that all have");
    if (lines > MOST_LINES)
        return refuse(gutenprint, "more than %d resolutions: not supported",
                      MOST_LINES);
    drop_left(text, drops->resolutions, drops->resolution_count, preset);
    drop_left(text, drops->others, drops->other_count, "");
    edit_choice_first(text, "Resolution", preset);
    return true;
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

/* Finds the drops by a file of the PPD as it is. */
static bool find_drops(struct gutenprint *gutenprint,
                       const struct ppd_text *text, ppd_file_t *ppd,
                       const char *filter, struct gutenprint_drops *drops)
{
    size_t size;
    char *bytes = ppd_text_join(text, &size);
    int file = bytes == NULL ? -1 : gutenprint_file(bytes, size);

    free(bytes);
    if (file < 0)
        return refuse(gutenprint, "no memory");
    gutenprint_drops_find(drops, ppd, file, filter, gutenprint->color,
                          choice_of(text, &pinned[PINNED - 1]));
    close(file);
    return true;
}

bool gutenprint_convert(struct gutenprint *gutenprint, struct ppd_text *text,
                        ppd_file_t *ppd, const char *filter)
{
    struct gutenprint_drops *drops = calloc(1, sizeof *drops);
    size_t size;
    FILE *out = open_memstream(&gutenprint->lines, &size);
    bool ok = drops != NULL && out != NULL;

    if (!ok)
        refuse(gutenprint, "no memory");
    ok = ok && find_drops(gutenprint, text, ppd, filter, drops);
    if (ok) {
        const int lines = write_lines(gutenprint, text, drops, filter, out);

        ok = set_choices(gutenprint, text, ppd, drops, lines);
    }
    if (ok)
        edit_options(gutenprint, text);
    if (out != NULL && fclose(out) != 0 && ok)
        ok = refuse(gutenprint, "no memory");
    free(drops);
    return ok;
}

void gutenprint_free(struct gutenprint *gutenprint)
{
    free(gutenprint->lines);
    gutenprint->lines = NULL;
}
