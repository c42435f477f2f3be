/*
 * drops.c - the sizes of printers' drops, from a file and into headers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/choice.h"
#include "page/drops.h"
#include "page/message.h"
#include "halftone/base/text.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define FORMAT_LINE "halftone-drops 1"

/* ---- Lines ----------------------------------------------------------------
 */

static bool whole(const char *text, double low, double high, unsigned *number)
{
    double value;

    if (strspn(text, "0123456789") != strlen(text) ||
        !text_decimal(text, low, high, &value))
        return false;
    *number = (unsigned)value;
    return true;
}

static bool parse_dpi(struct drops *drops, char *text)
{
    char *down = strchr(text, 'x');

    if (strcmp(text, "any") == 0)
        return true;
    if (down == NULL)
        return false;
    *down++ = '\0';
    return whole(text, 1, HT_MAX_DPI, &drops->dpi[0]) &&
           whole(down, 1, HT_MAX_DPI, &drops->dpi[1]);
}

/* "AREA,..." of sizes that grow to a whole dot. */
static bool parse_areas(struct drops *drops, char *text)
{
    char *rest, *word = strtok_r(text, ",", &rest);
    unsigned sizes = 0, before = 0;
    double percent = 0;

    for (; word != NULL; word = strtok_r(NULL, ",", &rest)) {
        if (sizes == DROPS_SIZES || !text_decimal(word, 0, 100, &percent))
            return false;
        const unsigned area = (unsigned)(percent * HT_WHOLE_DOT / 100 + 0.5);

        if (area <= before)
            return false;
        drops->area[sizes++] = (uint16_t)(before = area);
    }
    drops->levels = sizes + 1;
    return before == HT_WHOLE_DOT;
}

/* "CODE,..." of as many sizes. */
static bool parse_codes(struct drops *drops, char *text)
{
    const bool many = drops->levels > HT_MIXED_LEVELS;
    const unsigned bits = many ? 4 : 2, sizes = many ? DROPS_SIZES : 3;
    char *rest, *word = strtok_r(text, ",", &rest);
    unsigned code = 0, codes = 0;

    for (unsigned size = 1; size <= sizes; size++) {
        if (size < drops->levels) {
            if (word == NULL || !whole(word, code + 1, (1 << bits) - 1, &code))
                return false;
            word = strtok_r(NULL, ",", &rest);
        }
        codes |= code << bits * size;
    }
    drops->codes.codes = codes;
    return word == NULL;
}

/* Parses "ACROSSxDOWN|any AREA,... CODE,..." and leaves what follows. */
static bool parse_sizes(struct drops *drops, char **rest)
{
    char *dpi = strtok_r(NULL, TEXT_BLANKS, rest);
    char *areas = strtok_r(NULL, TEXT_BLANKS, rest);
    char *codes = strtok_r(NULL, TEXT_BLANKS, rest);

    return codes != NULL && parse_dpi(drops, dpi) &&
           parse_areas(drops, areas) && parse_codes(drops, codes);
}

/* Parses the line behind the keyword; `*name` is its first word. */
static bool parse_drops(struct drops *drops, char *rest, char **name)
{
    char *command, *mixed;

    *name = strtok_r(rest, TEXT_BLANKS, &rest);
    if (*name == NULL || strlen(*name) > DROPS_MAX_NAME ||
        !parse_sizes(drops, &rest))
        return false;
    command = strtok_r(NULL, TEXT_BLANKS, &rest);
    mixed = strtok_r(NULL, TEXT_BLANKS, &rest);
    return mixed != NULL && strtok_r(NULL, TEXT_BLANKS, &rest) == NULL &&
           whole(command, 1, UINT8_MAX, &drops->codes.command) &&
           whole(mixed, 0, drops->levels > HT_MIXED_LEVELS ? 0 : HT_MAX_MIXED,
                 &drops->mixed);
}

/* Keeps the line's sizes if they are the printer's. */
static bool parse_line(struct printer_drops *printer, char *line,
                       const char *wanted)
{
    struct drops drops = {.dpi = {0, 0}};
    char *name;

    line += strspn(line, TEXT_BLANKS);
    if (*line == '\0' || *line == '#')
        return true;
    if (!text_begins(line, "drops") || !parse_drops(&drops, line + 5, &name))
        return false;
    if (strcmp(name, wanted) != 0)
        return true;
    if (printer->count == DROPS_MAX_LINES)
        return false;
    printer->at[printer->count++] = drops;
    return true;
}

/* ---- PPDs -----------------------------------------------------------------
 */

/* Keeps the sizes of a PPD's line. */
static bool parse_attribute(struct printer_drops *printer,
                            const ppd_attr_t *line)
{
    struct drops drops = {.codes = DROPS_USUAL};
    char text[TEXT_MAX_LINE + 1], *rest = text;
    const int size =
        snprintf(text, sizeof text, "%s %s", line->spec, line->value);

    if (printer->count == DROPS_MAX_LINES || size > TEXT_MAX_LINE ||
        !parse_sizes(&drops, &rest) || rest[strspn(rest, TEXT_BLANKS)] != '\0')
        return false;
    printer->at[printer->count++] = drops;
    return true;
}

bool drops_of_queue(struct printer_drops *printer, const struct choices *from)
{
    const char keyword[] = "HalftoneSizes";
    ppd_attr_t *line = NULL;

    *printer = (struct printer_drops){.count = 0};
    if (from->ppd != NULL)
        line = ppdFindAttr(from->ppd, keyword, NULL);
    if (line == NULL)
        message("ERROR", "The PPD has no %s", keyword);
    for (; line != NULL; line = ppdFindNextAttr(from->ppd, keyword, NULL))
        if (!parse_attribute(printer, line)) {
            message("ERROR", "The PPD's %s %s is not valid", keyword,
                    line->spec);
            return false;
        }
    return printer->count > 0;
}

/* ---- Files ----------------------------------------------------------------
 */

bool drops_parse(struct printer_drops *printer, const char *text, size_t size,
                 const char *name, unsigned *line)
{
    struct text in = {.rest = text, .size = size};

    *printer = (struct printer_drops){.count = 0};
    *line = 1;
    if (size > DROPS_MAX_BYTES)
        return false;

    bool ok = text_next(&in) && strcmp(in.line, FORMAT_LINE) == 0;
    while (ok && text_next(&in))
        ok = parse_line(printer, in.line, name);
    *line = in.number;
    return ok && in.size == 0;
}

/* Says what is wrong with the file; false. */
static bool blame(const char *path, const char *why)
{
    message("ERROR", "Drop sizes %s: %s", path, why);
    return false;
}

bool drops_load(struct printer_drops *printer, const char *name)
{
    char path[CHOICE_MAX_PATH];
    char *text = malloc(DROPS_MAX_BYTES + 1);
    unsigned line;
    bool ok = false;

    snprintf(path, sizeof path, "%s/rastertohalftone/drops",
             choice_data_directory());
    if (text == NULL)
        return blame(path, "not enough memory");
    const ssize_t size = text_read(path, text, DROPS_MAX_BYTES + 1);

    if (size < 0)
        blame(path, text_error(errno));
    else if (!drops_parse(printer, text, (size_t)size, name, &line))
        message("ERROR", "Drop sizes %s: line %u is not valid", path, line);
    else if (printer->count == 0)
        message("ERROR", "Drop sizes %s: there is no printer %s", path, name);
    else
        ok = true;
    free(text);
    return ok;
}

uint16_t drops_code(const struct drops *drops, unsigned size)
{
    const unsigned bits = drops->levels > HT_MIXED_LEVELS ? 4 : 2;

    return (uint16_t)(drops->codes.codes >> bits * size & ((1U << bits) - 1));
}

const struct drops *drops_at(const struct printer_drops *printer,
                             const uint32_t dpi[2])
{
    for (unsigned i = 0; i < printer->count; i++) {
        const struct drops *drops = &printer->at[i];

        if (drops->dpi[0] == 0 ||
            (drops->dpi[0] == dpi[0] && drops->dpi[1] == dpi[1]))
            return drops;
    }
    return NULL;
}

/* ---- Headers --------------------------------------------------------------
 */

/* Indices into cupsInteger. */
enum { COMMAND = 9, CODES = 10 };

void drops_set(cups_page_header2_t *header, const struct drop_codes *codes)
{
    header->cupsInteger[COMMAND] = codes->command;
    header->cupsInteger[CODES] = codes->codes;
}

bool drops_get(const cups_page_header2_t *header, struct drop_codes *codes)
{
    const unsigned command = header->cupsInteger[COMMAND],
                   of_sizes = header->cupsInteger[CODES];

    *codes = DROPS_USUAL;
    if (command == 0 && of_sizes == 0)
        return true;
    const unsigned bits = header->cupsBitsPerColor == 4 ? 4 : 2;

    /* Bare paper is bare in every language. */
    if (command > UINT8_MAX || of_sizes >> (bits == 4 ? 24 : 8) != 0 ||
        of_sizes % (1u << bits) != 0)
        return false;
    codes->command = command;
    codes->codes = of_sizes;
    return true;
}
