/*
 * filters.c - reads and rewrites the lines cupsFilter and cupsFilter2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "page/choice.h"
#include "page/option.h"
#include "ppd/convert/filters.h"
#include "ppd/convert/gutenprint.h"

#define OURS "rastertohalftone"
#define HP_CONFIGURED 2 /* rastertohp's cupsModelNumber for ESC*g#W */

/* ---- Reading ------------------------------------------------------------- */

/* Takes a word off `*rest`. False when there is none or it is too long. */
static bool take_word(const char **rest, char *word, size_t size)
{
    *rest += strspn(*rest, " \t");
    size_t length = strcspn(*rest, " \t\r\n");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *rest, length);
    word[length] = '\0';
    *rest += length;
    return true;
}

/* Takes the program, which may follow a limit of its input. */
static bool take_program(const char *rest, struct ppd_filter *filter)
{
    rest += strspn(rest, " \t");
    if (strncasecmp(rest, "maxsize(", 8) == 0) {
        size_t digits = strspn(rest + 8, "0123456789");
        if (digits > 18 || rest[8 + digits] != ')')
            return false;
        snprintf(filter->most, sizeof filter->most, "%.*s ", (int)digits + 9,
                 rest);
        rest += digits + 9;
    }
    return take_word(&rest, filter->program, sizeof filter->program) &&
           rest[strspn(rest, " \t\r\n")] == '\0';
}

/* Reads a filter line. False if CUPS would not accept it. */
static bool read_line(struct ppd_filter *filter,
                      struct ppd_statement *statement)
{
    bool two = ppd_text_is(statement, "cupsFilter2");
    const char *rest = statement->value;

    *filter = (struct ppd_filter){.statement = statement};
    return take_word(&rest, filter->from, sizeof filter->from) &&
           (!two || take_word(&rest, filter->to, sizeof filter->to)) &&
           take_word(&rest, filter->cost, sizeof filter->cost) &&
           filter->cost[strspn(filter->cost, "0123456789")] == '\0' &&
           take_program(rest, filter);
}

/* Always false. */
static bool refuse(struct ppd_filters *filters, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(struct ppd_filters *filters, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(filters->why, sizeof filters->why, format, values);
    va_end(values);
    return false;
}

/* Replaces SpliX's filter of PostScript, which has a RIP render the pages as
 * the PPD says, by the filter of raster that it starts and that alone is a
 * driver. */
static void see_through(struct ppd_filter *line)
{
    if (strcmp(line->program, "pstoqpdl") != 0)
        return;
    strcpy(line->from, FILTERS_RASTER);
    strcpy(line->program, "rastertoqpdl");
}

static bool read_lines(struct ppd_filters *filters, struct ppd_text *text)
{
    bool second = false;

    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *statement = &text->statements[i];
        bool two = ppd_text_is(statement, "cupsFilter2");
        if (!two && !ppd_text_is(statement, "cupsFilter"))
            continue;
        if (filters->count == FILTERS_MAX)
            return refuse(filters, "more than %d filters", FILTERS_MAX);
        if (!read_line(&filters->lines[filters->count++], statement))
            return refuse(filters, "not a filter: \"%.100s\"",
                          statement->value);
        see_through(&filters->lines[filters->count - 1]);
        second = second || two;
    }
    for (int i = 0; i < filters->count; i++)
        filters->lines[i].hidden = second && filters->lines[i].to[0] == '\0';
    return true;
}

/* ---- Finding the driver -------------------------------------------------- */

static bool is_ours(const struct ppd_filters *filters,
                    const struct ppd_text *text)
{
    for (int i = 0; i < filters->count; i++)
        if (strcmp(filters->lines[i].program, OURS) == 0 ||
            strcasecmp(filters->lines[i].from, FILTERS_HALFTONE) == 0)
            return true;
    for (size_t i = 0; i < text->count; i++)
        if (ppd_text_is(&text->statements[i], "HalftonePacker"))
            return true;
    return false;
}

bool ppd_filters_are_foomatic(const struct ppd_text *text)
{
    for (size_t i = 0; i < text->count; i++) {
        const struct ppd_statement *statement = &text->statements[i];
        struct ppd_filter line;
        if (ppd_text_is(statement, "FoomaticRIPCommandLine"))
            return true;
        if ((ppd_text_is(statement, "cupsFilter") ||
             ppd_text_is(statement, "cupsFilter2")) &&
            read_line(&line, &text->statements[i]) &&
            strcmp(line.program, "foomatic-rip") == 0)
            return true;
    }
    return false;
}

/* Refuses a PPD without a filter for raster, with the reason. */
static bool refuse_pages(struct ppd_filters *filters)
{
    for (int i = 0; i < filters->count; i++) {
        const struct ppd_filter *line = &filters->lines[i];
        if (!line->hidden && strcmp(line->program, "-") != 0 &&
            strstr(line->from, "command") == NULL)
            return refuse(filters, "the driver takes %s, not raster (%s)",
                          line->from, line->program);
    }
    return refuse(filters, "PostScript/PDF printer: makes its own dots");
}

/* Tells whether page/option.c accepts the name of a packer. */
static bool is_packer(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    return length > 0 && length <= OPTION_MAX_NAME && name[length] == '\0';
}

bool ppd_filters_read(struct ppd_filters *filters, struct ppd_text *text)
{
    *filters = (struct ppd_filters){.count = 0};
    if (!read_lines(filters, text))
        return false;
    if (is_ours(filters, text))
        return refuse(filters, "prints our dots already: use it as it is");
    for (int i = 0; i < filters->count; i++) {
        const struct ppd_filter *line = &filters->lines[i];
        if (line->hidden || strcasecmp(line->from, FILTERS_RASTER) != 0)
            continue;
        if (filters->driver != NULL &&
            strcmp(filters->driver->program, line->program) != 0)
            return refuse(filters, "two drivers take its raster: %s and %s",
                          filters->driver->program, line->program);
        filters->driver = line;
    }
    if (filters->driver == NULL)
        return refuse_pages(filters);
    if (strcmp(filters->driver->program, "-") == 0)
        return refuse(filters, "the printer takes raster without a driver: "
                               "use halftone.ppd");
    return true;
}

/* ---- Converting ---------------------------------------------------------- */

/* Makes the MIME type of a driver's output, which only CUPS reads. */
static void type_of(const struct ppd_filter *driver, char *type, size_t size)
{
    static const char *const known[][2] = {
        {"rastertohp", "application/vnd.hp-PCL"},
        {"rastertoepson", "application/vnd.epson-ESCP"},
        {"rastertolabel", "application/vnd.label"}};

    snprintf(type, size, "printer/%s", driver->program);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i][0], driver->program) == 0)
            snprintf(type, size, "%s", known[i][1]);
    if (driver->to[0] != '\0')
        snprintf(type, size, "%s", driver->to);
}

/* Whether pages would leave by this line without our dots. */
static bool takes_pages(const struct ppd_filter *line)
{
    static const char *const types[] = {
        FILTERS_RASTER,
        "application/pdf",
        "application/postscript",
        "application/vnd.cups-paged-raster",
        "application/vnd.cups-pdf",
        "application/vnd.cups-pdf-banner",
        "application/vnd.cups-postscript",
    };

    if (strncasecmp(line->from, "image/", 6) == 0)
        return true;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcasecmp(line->from, types[i]) == 0)
            return true;
    return false;
}

/* Returns our packer in place of CUPS's, if there is one: it does more of what
 * the PPD offers (doc/dev/packers.md); and the one before Gutenprint's filter.
 */
static const char *packer_of(const struct ppd_filter *driver, int model)
{
    if (choice_is_gutenprint(driver->program))
        return GUTENPRINT_PACKER;
    if (strcmp(driver->program, "rastertohp") != 0)
        return driver->program;
    return model == HP_CONFIGURED ? "rastertopcl3" : "rastertopcl5";
}

/* Our filter starts the packer. */
static void put_before(const struct ppd_filter *driver, const char *type,
                       const char *packer, struct ppd_text *text,
                       const char *more)
{
    ppd_text_replace(text, driver->statement,
                     "*cupsFilter2: \"" FILTERS_RASTER " %s 0 %s" OURS "\"\n"
                     "*cupsFilter2: \"" FILTERS_RASTER " " FILTERS_HALFTONE
                     " 1000 " OURS "\"\n"
                     "*HalftonePacker: \"%s\"\n%s",
                     type, driver->most, packer, more);
}

/* HalftonePacker cannot name the driver, so CUPS starts it behind our filter,
 * which the package's MIME conversions have. */
static void put_behind(const struct ppd_filter *driver, struct ppd_text *text,
                       const char *more)
{
    bool two = driver->to[0] != '\0';

    ppd_text_replace(text, driver->statement,
                     "*cupsFilter%s: \"" FILTERS_HALFTONE "%s%s %s %s%s\"\n%s",
                     two ? "2" : "", two ? " " : "", driver->to, driver->cost,
                     driver->most, driver->program, more);
}

void ppd_filters_convert(const struct ppd_filters *filters, int model,
                         struct ppd_text *text, const char *more)
{
    const struct ppd_filter *driver = filters->driver;
    const char *packer = packer_of(driver, model);
    const bool ours = is_packer(packer);
    char type[FILTERS_WORD + 16];

    type_of(driver, type, sizeof type);
    for (int i = 0; i < filters->count; i++) {
        const struct ppd_filter *line = &filters->lines[i];
        if (line == driver)
            continue;
        if (line->hidden || takes_pages(line))
            ppd_text_remove(text, line->statement);
        else if (ours && line->to[0] == '\0')
            ppd_text_replace(text, line->statement,
                             "*cupsFilter2: \"%s %s %s %s%s\"\n", line->from,
                             type, line->cost, line->most, line->program);
    }
    if (ours)
        put_before(driver, type, packer, text, more);
    else
        put_behind(driver, text, more);
}
