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

/* Parses a number of all inks, or one each of K, C, M and Y. `text` may be
 * NULL. */
static bool parse_inks(double of[DROPS_INKS], char *text, const char *separator,
                       double low, double high)
{
    char *rest = NULL;
    unsigned count = 0;

    if (text != NULL)
        text = strtok_r(text, separator, &rest);
    for (; text != NULL; text = strtok_r(NULL, separator, &rest))
        if (count == DROPS_INKS || !text_decimal(text, low, high, &of[count++]))
            return false;
    for (unsigned ink = 1; count == 1 && ink < DROPS_INKS; ink++)
        of[ink] = of[0];
    return count == 1 || count == DROPS_INKS;
}

/* Packs the codes of K for a header, if it has room for them. */
static void pack_codes(struct drops *drops)
{
    const bool many = drops->levels > HT_MIXED_LEVELS;
    const unsigned bits = many ? 4 : 2, sizes = many ? DROPS_SIZES : 3;
    unsigned codes = 0;

    for (unsigned size = 1; size <= sizes; size++)
        codes |= (unsigned)drops_code(drops, 0, size) << bits * size;
    if (drops_code(drops, 0, sizes) >> bits == 0)
        drops->codes.codes = codes;
}

/* "CODE,..." of as many sizes, up to `most`, with the separator between those
 * of inks. */
static bool parse_codes(struct drops *drops, char *text, const char *separator,
                        unsigned most)
{
    char *rest, *word = strtok_r(text, ",", &rest);

    for (unsigned size = 1; size < drops->levels; size++) {
        double of[DROPS_INKS];

        if (!parse_inks(of, word, separator, 1, most))
            return false;
        for (unsigned ink = 0; ink < DROPS_INKS; ink++) {
            drops->code[ink][size] = (uint8_t)of[ink];
            if (drops->code[ink][size] != of[ink] ||
                of[ink] <= drops->code[ink][size - 1])
                return false;
        }
        word = strtok_r(NULL, ",", &rest);
    }
    pack_codes(drops);
    return word == NULL;
}

/* Parses the line behind the keyword; `*name` is its first word. */
static bool parse_drops(struct drops *drops, char *rest, char **name)
{
    char *word[6]; /* of resolution, areas, codes, command, mixed; no more */

    *name = strtok_r(rest, TEXT_BLANKS, &rest);
    for (int i = 0; i < 6; i++)
        word[i] = *name != NULL ? strtok_r(NULL, TEXT_BLANKS, &rest) : NULL;
    return word[4] != NULL && word[5] == NULL &&
           strlen(*name) <= DROPS_MAX_NAME && parse_dpi(drops, word[0]) &&
           parse_areas(drops, word[1]) &&
           parse_codes(drops, word[2], "",
                       drops->levels > HT_MIXED_LEVELS ? 15 : 3) &&
           whole(word[3], 1, UINT8_MAX, &drops->codes.command) &&
           whole(word[4], 0, drops->levels > HT_MIXED_LEVELS ? 0 : HT_MAX_MIXED,
                 &drops->mixed);
}

/* Adds sizes in front of the printer's others, or behind them. */
static bool add(struct printer_drops *printer, const struct drops *drops,
                bool front, unsigned most)
{
    const unsigned count = printer->count;
    struct drops *at = NULL;

    if (count < most)
        at = realloc(printer->at, (count + 1) * sizeof *at);
    if (at == NULL)
        return false;
    if (front)
        memmove(at + 1, at, count * sizeof *at);
    at[front ? 0 : count] = *drops;
    *printer = (struct printer_drops){.count = count + 1, .at = at};
    return true;
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
    return strcmp(name, wanted) != 0 ||
           add(printer, &drops, true, DROPS_MAX_LINES);
}

/* ---- PPDs -----------------------------------------------------------------
 */

/* Takes what a choice of Resolution sets in headers. */
static bool parse_code(struct drops *drops, const char *code)
{
    const char *dpi = strstr(code, "/HWResolution");
    const char *number = strstr(code, "/cupsCompression");

    drops->numbered = number != NULL;
    return dpi != NULL &&
           sscanf(dpi, "/HWResolution [ %5u %5u ]", &drops->dpi[0],
                  &drops->dpi[1]) == 2 &&
           drops->dpi[0] > 0 &&
           (number == NULL ||
            sscanf(number, "/cupsCompression %9u", &drops->number) == 1);
}

/* "ACROSSxDOWN|any|RESOLUTION[.PAPER]". */
static bool parse_key(struct drops *drops, const struct choices *from,
                      const char *spec)
{
    char key[PPD_MAX_NAME], *paper;
    const ppd_option_t *option = ppdFindOption(from->ppd, "Resolution");

    snprintf(key, sizeof key, "%s", spec);
    paper = strchr(key, '.');
    if (paper != NULL) {
        *paper++ = '\0';
        if (*paper == '\0' || strchr(paper, '.') != NULL)
            return false;
        snprintf(drops->paper, sizeof drops->paper, "%s", paper);
    }
    for (int i = 0; option != NULL && i < option->num_choices; i++)
        if (strcmp(option->choices[i].choice, key) == 0)
            return option->choices[i].code != NULL &&
                   parse_code(drops, option->choices[i].code);
    return parse_dpi(drops, key);
}

/* "GAMMA[:CONTRAST:BRIGHTNESS]". */
static bool parse_gamma(struct drop_tones *tones, char *text)
{
    char *contrast = strchr(text, ':'), *brightness = NULL;

    tones->contrast = tones->brightness = 1;
    if (contrast != NULL) {
        *contrast++ = '\0';
        brightness = strchr(contrast, ':');
        if (brightness == NULL)
            return false;
        *brightness++ = '\0';
        if (!text_decimal(contrast, 0.1, 4, &tones->contrast) ||
            !text_decimal(brightness, 0.1, 1.9, &tones->brightness))
            return false;
    }
    return text_decimal(text, 0.1, 10, &tones->print_gamma);
}

/* Parses "SOLIDS GAMMA GAMMAS LIMIT", or nothing. */
static bool parse_tones(struct drop_tones *tones, char *rest)
{
    char *solids = strtok_r(NULL, TEXT_BLANKS, &rest);
    char *print_gamma = strtok_r(NULL, TEXT_BLANKS, &rest);
    char *gammas = strtok_r(NULL, TEXT_BLANKS, &rest);
    char *limit = strtok_r(NULL, TEXT_BLANKS, &rest);

    if (solids == NULL)
        return true;
    if (limit == NULL || strtok_r(NULL, TEXT_BLANKS, &rest) != NULL ||
        !parse_inks(tones->solid, solids, ",", 1, 100) ||
        !parse_gamma(tones, print_gamma) ||
        !parse_inks(tones->gamma, gammas, ",", 0.1, 10) ||
        !text_decimal(limit, 0, 100 * DROPS_INKS, &tones->limit))
        return false;
    for (int ink = 0; ink < DROPS_INKS; ink++)
        tones->solid[ink] /= 100;
    tones->limit /= 100;
    return true;
}

/* Keeps the sizes of a PPD's line. `gray`: tones of pages of K alone, if there
 * are any. */
static bool parse_attribute(struct printer_drops *printer,
                            const struct choices *from,
                            const struct drop_tones *gray,
                            const ppd_attr_t *line)
{
    struct drops drops = {.codes = DROPS_USUAL};
    char text[TEXT_MAX_LINE + 1], *rest = text, *areas, *codes;
    const int size = snprintf(text, sizeof text, "%s", line->value);

    areas = strtok_r(text, TEXT_BLANKS, &rest);
    codes = areas != NULL ? strtok_r(NULL, TEXT_BLANKS, &rest) : NULL;
    if (size > TEXT_MAX_LINE || codes == NULL ||
        !parse_key(&drops, from, line->spec) || !parse_areas(&drops, areas) ||
        !parse_codes(&drops, codes, ":", 15) ||
        !parse_tones(&drops.tones, rest))
        return false;
    drops.gray =
        gray->solid[0] > 0 && drops.tones.solid[0] > 0 ? *gray : drops.tones;
    return add(printer, &drops, false, DROPS_MAX_OF_PPD);
}

/* Reads the tones of gray, if there are any. */
static bool parse_gray(struct drop_tones *gray, const struct choices *from)
{
    const char *value = choice_of_queue(from, "HalftoneGutenprintGray");
    char text[TEXT_MAX_LINE + 1], *rest = text;

    snprintf(text, sizeof text, "%s", value == NULL ? "" : value);
    return strtok_r(text, TEXT_BLANKS, &rest) == NULL ||
           parse_tones(gray, rest);
}

bool drops_of_queue(struct printer_drops *printer, const struct choices *from)
{
    const char keyword[] = "HalftoneSizes";
    ppd_attr_t *line = NULL;
    struct drop_tones gray = {.limit = 0};

    *printer = (struct printer_drops){.count = 0};
    if (!parse_gray(&gray, from)) {
        message("ERROR", "The PPD's HalftoneGutenprintGray is not valid");
        return false;
    }
    if (from->ppd != NULL)
        line = ppdFindAttr(from->ppd, keyword, NULL);
    if (line == NULL)
        message("ERROR", "The PPD has no %s", keyword);
    for (; line != NULL; line = ppdFindNextAttr(from->ppd, keyword, NULL))
        if (!parse_attribute(printer, from, &gray, line)) {
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

void drops_free(struct printer_drops *printer)
{
    free(printer->at);
    *printer = (struct printer_drops){.count = 0};
}

/* ---- Pages ----------------------------------------------------------------
 */

uint16_t drops_code(const struct drops *drops, unsigned ink, unsigned size)
{
    const unsigned largest = drops->levels - 1;

    return drops->code[ink][size < largest ? size : largest];
}

unsigned drops_of_solid(const struct drops *drops, unsigned ink)
{
    const double solid = drops->tones.solid[ink];
    unsigned size = 1;

    if (solid <= 0)
        return drops->levels - 1;
    /* Areas are rounded to a whole part. */
    while (drops->area[size - 1] + 1 < (solid - 0.03) * HT_WHOLE_DOT)
        size++;
    return size;
}

static bool fits(const struct drops *drops, const cups_page_header2_t *header)
{
    const unsigned *dpi = header->HWResolution;

    return (drops->dpi[0] == 0 ||
            (drops->dpi[0] == dpi[0] && drops->dpi[1] == dpi[1])) &&
           (!drops->numbered || drops->number == header->cupsCompression) &&
           (drops->paper[0] == '\0' || strncmp(drops->paper, header->MediaType,
                                               sizeof header->MediaType) == 0);
}

const struct drops *drops_at(const struct printer_drops *printer,
                             const cups_page_header2_t *header)
{
    for (unsigned i = printer->count; i-- > 0;)
        if (fits(&printer->at[i], header))
            return &printer->at[i];
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
