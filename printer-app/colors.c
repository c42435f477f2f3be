/*
 * colors.c - the profiles of a job, and its tables.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "page/color/profile_file.h"
#include "page/message.h"
#include "printer-app/colors.h"

/* IPP's keywords (PWG 5100.13, 6.2.4) for what is not the default. */
static enum color_intent intent_named(const char *keyword)
{
    static const struct {
        const char *keyword;
        enum color_intent intent;
    } known[] = {{"absolute", COLOR_ABSOLUTE},
                 {"perceptual", COLOR_PERCEPTUAL},
                 {"relative", COLOR_RELATIVE}};

    for (size_t i = 0; keyword != NULL && i < sizeof known / sizeof *known; i++)
        if (strcmp(keyword, known[i].keyword) == 0)
            return known[i].intent;
    return COLOR_RELATIVE_BLACK;
}

bool colors_choose(struct printer_colors *colors, const struct choices *from,
                   const struct option_value *profile, const char *intent)
{
    const char *own = choice_own_directory(from),
               *data = choice_data_directory();
    char path[PROFILE_PATH], why[PROFILE_WHY];

    *colors = (struct printer_colors){.intent = intent_named(intent)};
    if (profile->choice == PROFILE_NONE)
        return true;
    const bool ok =
        profile->choice == PROFILE_DEFAULT
            ? profile_file_default(&colors->printer, path, own, data,
                                   choice_queue_name(from), why)
            : profile_file_named(&colors->printer, path, own, data,
                                 profile->choice == PROFILE_GENERIC
                                     ? PROFILE_GENERIC_NAME
                                     : profile->text,
                                 why);

    if (ok)
        message("DEBUG", "rastertohalftone: color profile %s", path);
    else
        message("ERROR", "Color profile %s: %s", path, why);
    return ok;
}

void colors_close(struct printer_colors *colors)
{
    profile_free(&colors->printer);
    profile_free(&colors->document);
    for (int i = 0; i <= COLOR_BY_PROFILE; i++) {
        free(colors->table[i]);
        colors->table[i] = NULL;
    }
}

static const struct color_table *table_of(struct printer_colors *colors,
                                          enum color_space space)
{
    struct color_table **table = &colors->table[space];
    char why[PROFILE_WHY];

    if (*table == NULL)
        *table = color_table_make(space, &colors->document, &colors->printer,
                                  colors->intent, why);
    if (*table == NULL)
        message("ERROR", "The printer's color profile: %s", why);
    return *table;
}

void colors_of_document(struct printer_colors *colors, const void *icc,
                        size_t size)
{
    struct profile document;
    struct color_table *table = NULL;
    char why[PROFILE_WHY];
    bool ok = profile_take(&document, icc, size, PROFILE_INPUT, why);

    if (ok && document.channels != 3) {
        snprintf(why, sizeof why, "it is not one of RGB");
        ok = false;
    }
    if (ok && colors->printer.data != NULL) {
        table = color_table_make(COLOR_BY_PROFILE, &document, &colors->printer,
                                 colors->intent, why);
        ok = table != NULL;
    }
    if (!ok) {
        message("WARNING",
                "The document's color profile is not used: %s. Its colors are "
                "taken for sRGB.",
                why);
        profile_free(&document);
        return;
    }
    profile_free(&colors->document);
    free(colors->table[COLOR_BY_PROFILE]);
    colors->document = document;
    colors->table[COLOR_BY_PROFILE] = table;
}

static enum color_space space_of(const struct printer_colors *colors,
                                 cups_cspace_t space)
{
    if (space == CUPS_CSPACE_ADOBERGB)
        return COLOR_ADOBE_RGB;
    return colors->document.data != NULL ? COLOR_BY_PROFILE : COLOR_SRGB;
}

bool colors_separate(struct printer_colors *colors,
                     struct separation *separation)
{
    separation->table = NULL;
    if (colors->printer.data == NULL || separation->pixel != 3 ||
        separation->inks != 4)
        return true;
    separation->table = table_of(colors, space_of(colors, separation->from));
    return separation->table != NULL;
}

bool colors_black(struct printer_colors *colors, struct ink_settings *ink)
{
    const struct color_table *table = table_of(colors, COLOR_SRGB);

    if (table == NULL)
        return false;
    color_table_black(table, ink->black);
    return true;
}

bool colors_grays(struct printer_colors *colors, struct ink_settings *ink)
{
    const struct color_table *table = table_of(colors, COLOR_SRGB);
    uint8_t light[MIXED_GRAYS][3], inks[MIXED_GRAYS][COLOR_TABLE_INKS];
    const unsigned last = MIXED_GRAYS - 1;

    if (table == NULL)
        return false;
    for (unsigned i = 0; i <= last; i++)
        memset(light[i], (int)((i * UINT8_MAX + last / 2) / last),
               sizeof light[i]);
    color_table_line(table, light[0], MIXED_GRAYS, inks[0]);
    for (unsigned i = 0; i <= last; i++)
        for (unsigned k = 0; k < CURVE_INKS; k++)
            ink->axis[i][k] = inks[i][(k + 1) % COLOR_TABLE_INKS];
    return true;
}
