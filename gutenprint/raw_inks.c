/*
 * raw_inks.c - asks the driver which inks it has, and how strong lighter ones
 * are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gutenprint/raw_inks.h"

/* Inks, and the parameters that have the strength of lighter ones: the first
 * that is below 1 times `share`. */
static const struct raw_ink {
    const char *name, *ours, *strengths[2];
    double share;
} inks[] = {
    {"Black", "K", {NULL, NULL}, 0},
    {"LightBlack", "LK", {"DarkGrayValue", "GrayValue"}, 1},
    /* Where Gutenprint does not say it, it is a third of the other gray's, as
     * in all sets of which it says both. */
    {"LightLightBlack", "LLK", {"LightGrayValue", NULL}, 1},
    {"LightLightBlack", "LLK", {"GrayValue", NULL}, 1 / 3.0},
    {"Cyan", "C", {NULL, NULL}, 0},
    {"LightCyan", "LC", {"LightCyanValue", NULL}, 1},
    {"Magenta", "M", {NULL, NULL}, 0},
    {"LightMagenta", "LM", {"LightMagentaValue", NULL}, 1},
    {"Yellow", "Y", {NULL, NULL}, 0},
    {"DarkYellow", "DY", {NULL, NULL}, 0},
    {"Red", "R", {NULL, NULL}, 0},
    {"Blue", "B", {NULL, NULL}, 0},
    {"Green", "G", {NULL, NULL}, 0},
    {"Orange", "O", {NULL, NULL}, 0},
    {"Gloss", "GL", {NULL, NULL}, 0},
};
#define INKS (sizeof inks / sizeof inks[0])

/* Describes a parameter that is a list; NULL if there is none. The caller
 * destroys the description in any case. */
static const stp_string_list_t *
list_of(const stp_vars_t *vars, const char *name, stp_parameter_t *description)
{
    stp_describe_parameter(vars, name, description);
    return description->p_type == STP_PARAMETER_TYPE_STRING_LIST &&
                   description->is_active
               ? description->bounds.str
               : NULL;
}

/* Returns the light that a lighter ink absorbs, of what the dark one does, as
 * the first type of ink has it that knows it; 0 = none does. */
static double strength_of(stp_vars_t *vars, const struct raw_ink *ink)
{
    stp_parameter_t types, value;
    const stp_string_list_t *list = list_of(vars, "InkType", &types);
    const size_t count = list == NULL ? 0 : stp_string_list_count(list);
    double strength = 0;

    for (size_t i = 0; i < 2 * count && strength == 0; i++) {
        const char *name = ink->strengths[i / count];

        if (name == NULL)
            break;
        stp_set_string_parameter(vars, "InkType",
                                 stp_string_list_param(list, i % count)->name);
        stp_describe_parameter(vars, name, &value);
        if (value.p_type == STP_PARAMETER_TYPE_DOUBLE && value.is_active &&
            value.deflt.dbl >= 0.01 && value.deflt.dbl < 0.995)
            strength = value.deflt.dbl * ink->share;
        stp_parameter_description_destroy(&value);
    }
    stp_parameter_description_destroy(&types);
    return strength;
}

/* Writes an ink's word; false if it has none. */
static bool put_ink(FILE *out, stp_vars_t *vars, const char *name)
{
    for (size_t i = 0; i < INKS; i++) {
        const bool light = inks[i].strengths[0] != NULL;
        double strength = 0;

        if (strcmp(inks[i].name, name) != 0 ||
            (light && (strength = strength_of(vars, &inks[i])) == 0))
            continue;
        fprintf(out, " %s", inks[i].ours);
        if (light)
            fprintf(out, ":%.3g", 100 * strength);
        return true;
    }
    return false;
}

/* Reads the inks that the driver has where it takes `count`, a choice of
 * RawChannels, one by one. False if they are none that we know. */
static bool read_set(const stp_vars_t *vars, const char *count,
                     struct ink_set *set)
{
    static const char light[] = "Light";
    char text[INK_SET_BYTES] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    stp_vars_t *raw = stp_vars_create_copy(vars);
    stp_parameter_t names;

    stp_set_string_parameter(raw, "PrintingMode", "Color");
    stp_set_string_parameter(raw, "InputImageType", "Raw");
    stp_set_string_parameter(raw, "RawChannels", count);
    stp_describe_parameter(raw, "RawChannelNames", &names);
    const stp_string_list_t *list = names.bounds.str;
    bool ok = out != NULL && names.p_type == STP_PARAMETER_TYPE_STRING_LIST &&
              list != NULL;

    for (size_t i = 0; ok && i < stp_string_list_count(list); i++) {
        const char *name = stp_string_list_param(list, i)->name;
        const char *next = i + 1 < stp_string_list_count(list)
                               ? stp_string_list_param(list, i + 1)->name
                               : "";

        /* Of two light ones Gutenprint means the dark one by the first. */
        if (strcmp(name, next) == 0 && strncmp(name, light, strlen(light)) == 0)
            name += strlen(light);
        ok = put_ink(out, raw, name);
    }
    if (out != NULL)
        ok = fclose(out) == 0 && ok;
    stp_parameter_description_destroy(&names);
    stp_vars_destroy(raw);
    return ok && ink_set_parse(set, text) &&
           set->count == strtoul(count, 0, 10);
}

bool raw_inks_use(stp_vars_t *vars, const struct ink_set *set)
{
    struct ink_set has;
    char count[12];

    snprintf(count, sizeof count, "%u", set->count);
    if (!read_set(vars, count, &has))
        return false;
    for (unsigned i = 0; i < set->count; i++)
        if (strcmp(has.ink[i].name, set->ink[i].name) != 0)
            return false;
    stp_set_string_parameter(vars, "InputImageType", "Raw");
    stp_set_string_parameter(vars, "RawChannels", count);
    stp_set_string_parameter(vars, "PrintingMode", "Color");
    stp_set_string_parameter(vars, "ChannelBitDepth", "16");
    stp_set_string_parameter(vars, "ColorCorrection", "Raw");
    stp_set_string_parameter(vars, "DitherAlgorithm", "Predithered");
    return true;
}

/* Prints the largest set of inks, by the name of its set of ink. */
static bool print_set(stp_vars_t *vars, const char *name)
{
    struct ink_set best = {.count = 0}, set;
    stp_parameter_t counts;
    const stp_string_list_t *list = list_of(vars, "RawChannels", &counts);

    for (size_t i = 0; list != NULL && i < stp_string_list_count(list); i++)
        if (read_set(vars, stp_string_list_param(list, i)->name, &set) &&
            set.count > best.count)
            best = set;
    if (best.count > 0)
        printf("%s%s\n", name, best.text);
    stp_parameter_description_destroy(&counts);
    return best.count > 0;
}

/* Whether libgutenprint 5.3 aborts when it prints their inks one by one, for
 * want of shades. */
static bool has_fault(const char *driver)
{
    return strcmp(driver, "escp2-sl-d700") == 0 ||
           strcmp(driver, "escp2-fujifilm-dx100") == 0;
}

bool raw_inks_print(const stp_printer_t *printer)
{
    stp_vars_t *vars = stp_vars_create();
    stp_parameter_t sets;
    bool any = false;

    stp_set_printer_defaults(vars, printer);
    const stp_string_list_t *list = list_of(vars, "InkSet", &sets);

    if (has_fault(stp_printer_get_driver(printer)))
        list = NULL;
    else if (list == NULL)
        any = print_set(vars, "-");
    for (int others = 0; others < 2; others++)
        for (size_t i = 0; list != NULL && i < stp_string_list_count(list);
             i++) {
            const char *name = stp_string_list_param(list, i)->name;

            if ((strcmp(name, sets.deflt.str) != 0) != (others == 1))
                continue;
            stp_set_string_parameter(vars, "InkSet", name);
            any = print_set(vars, name) || any;
        }
    stp_parameter_description_destroy(&sets);
    stp_vars_destroy(vars);
    return any;
}
