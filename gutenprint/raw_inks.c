/*
 * raw_inks.c - asks a driver for its inks, and how strong the lighter ones are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gutenprint/raw_driver.h"

static const char light[] = "Light";

/* Returns the share of light that a solid of a lighter ink absorbs of what the
 * dark one does; 0 = Gutenprint does not say it. */
static double strength_of(const stp_vars_t *vars, const char *name)
{
    static const char *const grays[][3] = {
        {"LightBlack", "DarkGrayValue", "GrayValue"},
        {"LightLightBlack", "LightGrayValue", "LightGrayValue"}};
    char own[64];
    const char *values[] = {own, own};
    double strength = 0;

    snprintf(own, sizeof own, "%.50sValue", name);
    for (int i = 0; i < 2; i++)
        if (strcmp(grays[i][0], name) == 0)
            memcpy(values, grays[i] + 1, sizeof values);
    for (int i = 0; i < 2 && strength == 0; i++) {
        stp_parameter_t value;

        stp_describe_parameter(vars, values[i], &value);
        if (value.p_type == STP_PARAMETER_TYPE_DOUBLE && value.is_active &&
            value.deflt.dbl >= 0.01 && value.deflt.dbl < 0.995)
            strength = value.deflt.dbl;
        stp_parameter_description_destroy(&value);
    }
    return strength;
}

/* Writes an ink's word; false if it has none. */
static bool put_ink(FILE *out, const stp_vars_t *vars, const char *name)
{
    static const char *const colors[][2] = {
        {"Black", "K"},       {"Cyan", "C"},  {"Magenta", "M"}, {"Yellow", "Y"},
        {"DarkYellow", "DY"}, {"Red", "R"},   {"Blue", "B"},    {"Green", "G"},
        {"Orange", "O"},      {"Gloss", "GL"}};
    const char *color = name;
    double strength = 1;

    fputc(' ', out);
    for (; strncmp(color, light, 5) == 0; color += 5)
        fputc('L', out);
    for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++)
        if (strcmp(color, colors[i][0]) == 0) {
            fputs(colors[i][1], out);
            if (color == name)
                return true;
            strength = strength_of(vars, name);
            /* In all sets with both it is a third of the darker gray's. */
            if (strength == 0 && color == name + 10)
                strength = strength_of(vars, name + 5) / 3;
            return fprintf(out, ":%.3g", 100 * strength) > 0 && strength > 0;
        }
    return false;
}

/* Reads the inks that the driver has where it takes `count`, a choice of
 * RawChannels, one by one. False if they are none that we know. */
static bool read_set(const stp_vars_t *vars, const char *count,
                     struct ink_set *set)
{
    char text[INK_SET_BYTES] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    stp_vars_t *raw = stp_vars_create_copy(vars);
    stp_parameter_t names;

    stp_set_string_parameter(raw, "InputImageType", "Raw");
    stp_set_string_parameter(raw, "RawChannels", count);
    stp_describe_parameter(raw, "RawChannelNames", &names);
    const stp_string_list_t *list =
        names.p_type == STP_PARAMETER_TYPE_STRING_LIST ? names.bounds.str
                                                       : NULL;
    const size_t inks = list == NULL ? 0 : stp_string_list_count(list);
    bool ok = out != NULL && inks == strtoul(count, NULL, 10);

    stp_clear_string_parameter(raw, "InputImageType");
    stp_clear_string_parameter(raw, "RawChannels");
    stp_set_string_parameter(raw, "PrintingMode", "Color");
    raw_choose_numbered(raw, "InkType", 2); /* most inks: behind "None" */
    for (size_t i = 0; ok && i < inks; i++) {
        const char *name = stp_string_list_param(list, i)->name;

        /* Takes the first of two light ones for dark, as Gutenprint does. */
        if (i + 1 < inks && strncmp(name, light, 5) == 0 &&
            strcmp(name, stp_string_list_param(list, i + 1)->name) == 0)
            name += 5;
        ok = put_ink(out, raw, name);
    }
    ok = out != NULL && fclose(out) == 0 && ok && ink_set_parse(set, text);
    stp_parameter_description_destroy(&names);
    stp_vars_destroy(raw);
    return ok;
}

bool raw_set_inks(stp_vars_t *vars, const struct ink_set *set)
{
    static const char *const raw[][2] = {{"InputImageType", "Raw"},
                                         {"PrintingMode", "Color"},
                                         {"ChannelBitDepth", "16"},
                                         {"ColorCorrection", "Raw"},
                                         {"DitherAlgorithm", "Predithered"}};
    struct ink_set has;
    char count[12];

    snprintf(count, sizeof count, "%u", set->count);
    if (!read_set(vars, count, &has))
        return false;
    for (unsigned i = 0; i < set->count; i++)
        if (strcmp(has.ink[i].name, set->ink[i].name) != 0)
            return false;
    stp_set_string_parameter(vars, "RawChannels", count);
    for (size_t i = 0; i < sizeof raw / sizeof raw[0]; i++)
        stp_set_string_parameter(vars, raw[i][0], raw[i][1]);
    return true;
}

/* Prints the largest set of inks, by the name of its set of ink. */
static bool print_set(const stp_vars_t *vars, const char *name)
{
    struct ink_set best = {.count = 0}, set;
    stp_parameter_t counts;

    stp_describe_parameter(vars, "RawChannels", &counts);
    const stp_string_list_t *list =
        counts.p_type == STP_PARAMETER_TYPE_STRING_LIST ? counts.bounds.str
                                                        : NULL;
    for (size_t i = 0; list != NULL && i < stp_string_list_count(list); i++)
        if (read_set(vars, stp_string_list_param(list, i)->name, &set) &&
            set.count > best.count)
            best = set;
    stp_parameter_description_destroy(&counts);
    return best.count > 0 && printf("%s%s\n", name, best.text) > 0;
}

bool raw_print_inks(const stp_printer_t *printer)
{
    stp_vars_t *vars = stp_vars_create();
    const char *driver = stp_printer_get_driver(printer);
    stp_parameter_t sets;
    bool any = false;

    stp_set_printer_defaults(vars, printer);
    stp_describe_parameter(vars, "InkSet", &sets);
    const stp_string_list_t *list =
        sets.p_type == STP_PARAMETER_TYPE_STRING_LIST && sets.is_active
            ? sets.bounds.str
            : NULL;
    const size_t count = list == NULL ? 1 : stp_string_list_count(list);

    /* libgutenprint 5.3 aborts for want of shades when it prints these. */
    for (size_t i = 0; i < count && strcmp(driver, "escp2-sl-d700") != 0 &&
                       strcmp(driver, "escp2-fujifilm-dx100") != 0;
         i++) {
        const char *name =
            list == NULL ? "-" : stp_string_list_param(list, i)->name;

        if (list != NULL)
            stp_set_string_parameter(vars, "InkSet", name);
        any = print_set(vars, name) || any;
    }
    stp_parameter_description_destroy(&sets);
    stp_vars_destroy(vars);
    return any;
}
