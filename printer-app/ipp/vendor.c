/*
 * vendor.c - the options of page/options.txt under their names in IPP; numbers
 * are whole there, in the units that the text has.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/option.h"
#include "page/owner.h"
#include "page/settings.h"
#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/app.h"
#include "printer-app/colors.h"
#include "printer-app/ipp/vendor.h"

#define MAX_KEYWORD 32

/* The keywords of an option are its choices, in lower case. */
static const struct {
    enum option_id id;
    const char *name;
    double unit; /* of a number: IPP's for one of ours */
} vendor[] = {
#include "printer-app/ipp/vendor.inc"
};

#define VENDOR (sizeof vendor / sizeof vendor[0])

static_assert(VENDOR <= PAPPL_MAX_VENDOR, "PAPPL has no room for them");

/* ---- Describing --------------------------------------------------------- */

static void lower(char keyword[MAX_KEYWORD], const char *choice)
{
    size_t i = 0;

    for (; choice[i] != '\0' && i + 1 < MAX_KEYWORD; i++)
        keyword[i] = (char)tolower((unsigned char)choice[i]);
    keyword[i] = '\0';
}

/* The default of our PPDs, but for what the kind of printer asks. */
static const char *preset_of(const struct family *family, enum option_id id)
{
    if (id == OPTION_MODE && family->kind == FAMILY_LASER)
        return "Screen";
    if (family->kind == FAMILY_LABEL && option_info(id)->labels != NULL)
        return option_info(id)->labels;
    return option_info(id)->preset != NULL ? option_info(id)->preset
                                           : option_info(id)->fallback;
}

static void describe_number(ipp_t *attributes, size_t i)
{
    const struct option *option = option_info(vendor[i].id);
    char name[64];

    snprintf(name, sizeof name, "%s-default", vendor[i].name);
    ippAddInteger(attributes, IPP_TAG_PRINTER, IPP_TAG_INTEGER, name,
                  (int)(strtod(option->preset, NULL) * vendor[i].unit + 0.5));
    snprintf(name, sizeof name, "%s-supported", vendor[i].name);
    ippAddRange(attributes, IPP_TAG_PRINTER, name,
                (int)(option->low * vendor[i].unit + 0.5),
                (int)(option->high * vendor[i].unit + 0.5));
}

/* Whether the curve for scanned documents is installed. */
static bool has_document_curve(void)
{
    char path[CHOICE_MAX_PATH];

    snprintf(path, sizeof path, "%s/rastertohalftone/document.curve",
             choice_data_directory());
    return access(path, R_OK) == 0;
}

/* Adds a choice as a keyword of the attribute, which the first one makes. */
static void add_keyword(ipp_t *attributes, ipp_attribute_t **attribute,
                        const char *name, const char *choice)
{
    char keyword[MAX_KEYWORD];

    lower(keyword, choice);
    if (*attribute == NULL)
        *attribute = ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                                  name, NULL, keyword);
    else
        ippSetString(attributes, attribute, ippGetCount(*attribute), keyword);
}

static void describe_keywords(ipp_t *attributes, size_t i,
                              const struct family *family)
{
    const enum option_id id = vendor[i].id;
    char keyword[MAX_KEYWORD], name[64];
    ipp_attribute_t *supported = NULL;
    const char *choice;

    lower(keyword, preset_of(family, id));
    snprintf(name, sizeof name, "%s-default", vendor[i].name);
    ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, name, NULL,
                 keyword);
    snprintf(name, sizeof name, "%s-supported", vendor[i].name);
    for (unsigned k = 0; (choice = option_choice(id, k)) != NULL; k++)
        add_keyword(attributes, &supported, name, choice);
    if (id == OPTION_CURVE && has_document_curve())
        add_keyword(attributes, &supported, name, "document");
}

/* Whether the option is about what printers of the family have. */
static bool is_offered(enum option_id id, const struct family *family)
{
    switch (id) {
    case OPTION_INK_LIMIT:
    case OPTION_GRAYS:
    case OPTION_PROFILE:
        return family->color;
    case OPTION_DROPS:
    case OPTION_MIXING:
        return family->drops != NULL;
    default:
        return true;
    }
}

void vendor_describe(pappl_pr_driver_data_t *data, ipp_t *attributes,
                     const struct family *family)
{
    for (size_t i = 0; i < VENDOR; i++) {
        if (!is_offered(vendor[i].id, family))
            continue;
        data->vendor[data->num_vendor++] = vendor[i].name;
        if (option_info(vendor[i].id)->kind == OPTION_NUMBER)
            describe_number(attributes, i);
        else
            describe_keywords(attributes, i, family);
    }
}

/* ---- Checking ----------------------------------------------------------- */

/* Adds a value as IPP has it under our name for the option. */
static int add(size_t i, const char *value, int count, cups_option_t **options)
{
    const struct option *option = option_info(vendor[i].id);
    char number[32];

    if (option->kind == OPTION_NUMBER) {
        snprintf(number, sizeof number, "%g",
                 strtod(value, NULL) / vendor[i].unit);
        value = number;
    }
    return cupsAddOption(option->name, value, count, options);
}

/* Adds which sizes of drops the printer has. */
static void add_sizes(struct choices *choices, const struct family *family)
{
    if (family != NULL && family->drops != NULL)
        choices->queue_count =
            cupsAddOption(option_info(OPTION_DROP_SIZES)->name, family->drops,
                          choices->queue_count, &choices->queue);
}

/* Hears why a value is refused. */
struct refusing {
    struct owner owner; /* first */
    char why[VENDOR_WHY];
};

static void hear(struct owner *owner, const char *prefix, const char *text)
{
    struct refusing *refusing = (struct refusing *)(void *)owner;

    if (strcmp(prefix, "ERROR") == 0)
        snprintf(refusing->why, sizeof refusing->why, "%s", text);
}

/* Whether a job of the printer could have the value under our name for the
 * option. */
static bool is_taken(pappl_printer_t *printer, size_t i, const char *value,
                     struct refusing *refusing)
{
    struct owner *before = owner_of_thread();
    struct choices choices = {.own = app_state_directory(),
                              .name = papplPrinterGetName(printer)};
    struct option_value options[OPTIONS];
    struct settings settings = {.table = NULL};
    struct printer_colors colors = {.printer = {.data = NULL}};

    *refusing = (struct refusing){
        .owner = {.hear = hear, .error_said = ATOMIC_FLAG_INIT}};
    choices.count = add(i, value, 0, &choices.options);
    add_sizes(&choices, family_named(papplPrinterGetDriverName(printer)));
    owner_set(&refusing->owner);
    const bool taken =
        options_read(&choices, options) &&
        settings_choose(&settings, &choices, options) &&
        (vendor[i].id != OPTION_PROFILE ||
         colors_choose(&colors, &choices, &options[OPTION_PROFILE], NULL));
    owner_set(before);
    settings_free(&settings);
    colors_close(&colors);
    choices_close(&choices);
    return taken;
}

/* Whether it is a whole number in IPP's units. */
static bool is_whole(const char *value)
{
    char *end;

    (void)strtol(value, &end, 10);
    return end != value && *end == '\0';
}

bool vendor_accepts(pappl_printer_t *printer, const char *name,
                    const char *value, char *why)
{
    struct refusing refusing;
    size_t i = 0;

    while (i < VENDOR && strcmp(name, vendor[i].name) != 0)
        i++;
    if (i == VENDOR)
        return true;
    const struct option *option = option_info(vendor[i].id);

    if (option->kind != OPTION_NUMBER) {
        if (is_taken(printer, i, value, &refusing))
            return true;
        snprintf(why, VENDOR_WHY, "%s: %.200s", name, refusing.why);
        return false;
    }
    if (is_whole(value) && is_taken(printer, i, value, &refusing))
        return true;
    snprintf(why, VENDOR_WHY,
             "%s: a whole number from %.0f to %.0f, not \"%.80s\"", name,
             option->low * vendor[i].unit, option->high * vendor[i].unit,
             value);
    return false;
}

/* ---- Choosing ----------------------------------------------------------- */

/* PAPPL 1.3 looks for the defaults of vendors' attributes among those of the
 * job, where they are not. One that no job could be printed with, as an older
 * version stored it, is that of the driver. */
static void choose_defaults(struct choices *choices, pappl_printer_t *printer)
{
    ipp_t *attributes = papplPrinterGetDriverAttributes(printer);
    const struct family *family =
        family_named(papplPrinterGetDriverName(printer));
    char name[64], value[256], why[VENDOR_WHY];

    for (size_t i = 0; i < VENDOR; i++) {
        snprintf(name, sizeof name, "%s-default", vendor[i].name);
        ipp_attribute_t *attribute =
            ippFindAttribute(attributes, name, IPP_TAG_ZERO);

        if (attribute == NULL)
            continue;
        ippAttributeString(attribute, value, sizeof value);
        if (vendor_accepts(printer, vendor[i].name, value, why)) {
            choices->queue_count =
                add(i, value, choices->queue_count, &choices->queue);
            continue;
        }
        papplLogPrinter(printer, PAPPL_LOGLEVEL_WARN,
                        "The printer's default is not taken: %s", why);
        choices->queue_count = cupsAddOption(
            option_info(vendor[i].id)->name, preset_of(family, vendor[i].id),
            choices->queue_count, &choices->queue);
    }
    ippDelete(attributes);
}

void vendor_choose(struct choices *choices, pappl_printer_t *printer,
                   const pappl_pr_options_t *options)
{
    *choices = (struct choices){.ppd = NULL};
    add_sizes(choices, family_named(papplPrinterGetDriverName(printer)));
    choose_defaults(choices, printer);
    for (size_t i = 0; i < VENDOR; i++) {
        const char *value =
            cupsGetOption(vendor[i].name, options->num_vendor, options->vendor);

        if (value != NULL)
            choices->count = add(i, value, choices->count, &choices->options);
    }
    choices->count =
        cupsAddOption(option_info(OPTION_OPTIMIZE)->name,
                      _papplContentString(options->print_content_optimize),
                      choices->count, &choices->options);
    if (options->print_color_mode == PAPPL_COLOR_MODE_BI_LEVEL)
        choices->count =
            cupsAddOption(option_info(OPTION_COLOR_MODE)->name, "bi-level",
                          choices->count, &choices->options);
}
