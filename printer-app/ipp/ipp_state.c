/*
 * ipp_state.c - what an IPP printer says of itself, in PAPPL's terms.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* strcasestr() */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "halftone/base/utf8.h"
#include "printer-app/ipp/ipp_state.h"

#define SIZE(table) (sizeof(table) / sizeof((table)[0]))

/* ---- State ---- */

struct reason {
    const char *keyword;
    pappl_preason_t bit;
};

/* A keyword, without its severity, that begins so. */
static const struct reason reasons[] = {
    {"connecting-to-device", PAPPL_PREASON_OFFLINE},
    {"cover-open", PAPPL_PREASON_COVER_OPEN},
    {"door-open", PAPPL_PREASON_DOOR_OPEN},
    {"input-tray-missing", PAPPL_PREASON_INPUT_TRAY_MISSING},
    {"interlock-open", PAPPL_PREASON_COVER_OPEN},
    {"marker-supply-empty", PAPPL_PREASON_MARKER_SUPPLY_EMPTY},
    {"marker-supply-low", PAPPL_PREASON_MARKER_SUPPLY_LOW},
    {"marker-waste-almost-full", PAPPL_PREASON_MARKER_WASTE_ALMOST_FULL},
    {"marker-waste-full", PAPPL_PREASON_MARKER_WASTE_FULL},
    {"media-empty", PAPPL_PREASON_MEDIA_EMPTY},
    {"media-jam", PAPPL_PREASON_MEDIA_JAM},
    {"media-low", PAPPL_PREASON_MEDIA_LOW},
    {"media-needed", PAPPL_PREASON_MEDIA_NEEDED},
    {"offline", PAPPL_PREASON_OFFLINE},
    {"shutdown", PAPPL_PREASON_OFFLINE},
    {"spool-area-full", PAPPL_PREASON_SPOOL_AREA_FULL},
    {"toner-empty", PAPPL_PREASON_TONER_EMPTY},
    {"toner-low", PAPPL_PREASON_TONER_LOW},
};

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);

    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static pappl_preason_t reason_bit(const char *keyword)
{
    for (size_t i = 0; i < SIZE(reasons); i++) {
        const size_t length = strlen(reasons[i].keyword);
        if (strncmp(keyword, reasons[i].keyword, length) == 0 &&
            (keyword[length] == '\0' || keyword[length] == '-'))
            return reasons[i].bit;
    }
    return strcmp(keyword, "none") == 0 || ends_with(keyword, "-report") ||
                   strncmp(keyword, "cups-", 5) == 0
               ? PAPPL_PREASON_NONE
               : PAPPL_PREASON_OTHER;
}

pappl_preason_t ipp_state_reasons(ipp_t *about)
{
    ipp_attribute_t *known =
        ippFindAttribute(about, "printer-state-reasons", IPP_TAG_KEYWORD);
    pappl_preason_t bits = PAPPL_PREASON_NONE;

    for (int i = 0; i < ippGetCount(known); i++)
        bits |= reason_bit(ippGetString(known, i, NULL));
    return bits;
}

void ipp_state_change(pappl_printer_t *printer, const char *change)
{
    char list[1024], *rest = NULL;
    pappl_preason_t bits = PAPPL_PREASON_NONE;

    snprintf(list, sizeof list, "%s", change[0] != '\0' ? change + 1 : "");
    for (char *word = strtok_r(list, ",", &rest); word != NULL;
         word = strtok_r(NULL, ",", &rest))
        bits |= reason_bit(word);
    if (change[0] == '-')
        papplPrinterSetReasons(printer, PAPPL_PREASON_NONE, bits);
    else
        papplPrinterSetReasons(printer, bits, PAPPL_PREASON_NONE);
}

/* ---- Supplies ---- */

struct ink_color {
    const char *name, *code; /* "marker-colors" has either */
    pappl_supply_color_t color;
};

static const struct ink_color colors[] = {
    {"black", "#000000", PAPPL_SUPPLY_COLOR_BLACK},
    {"cyan", "#00FFFF", PAPPL_SUPPLY_COLOR_CYAN},
    {"magenta", "#FF00FF", PAPPL_SUPPLY_COLOR_MAGENTA},
    {"yellow", "#FFFF00", PAPPL_SUPPLY_COLOR_YELLOW},
    {"gray", "#808080", PAPPL_SUPPLY_COLOR_GRAY},
    {"green", "#00FF00", PAPPL_SUPPLY_COLOR_GREEN},
    {"light-cyan", "#E0FFFF", PAPPL_SUPPLY_COLOR_LIGHT_CYAN},
    {"light-gray", "#D3D3D3", PAPPL_SUPPLY_COLOR_LIGHT_GRAY},
    {"light-magenta", "#FF77FF", PAPPL_SUPPLY_COLOR_LIGHT_MAGENTA},
    {"orange", "#FFA500", PAPPL_SUPPLY_COLOR_ORANGE},
    {"violet", "#EE82EE", PAPPL_SUPPLY_COLOR_VIOLET},
};

static pappl_supply_color_t supply_color(const char *name)
{
    if (name == NULL || strcmp(name, "none") == 0)
        return PAPPL_SUPPLY_COLOR_NO_COLOR;
    for (size_t i = 0; i < SIZE(colors); i++)
        if (strcasecmp(name, colors[i].name) == 0 ||
            strcasecmp(name, colors[i].code) == 0)
            return colors[i].color;
    /* One cartridge with several inks: "#00FFFF#FF00FF#FFFF00". */
    return PAPPL_SUPPLY_COLOR_MULTIPLE;
}

/* By "marker-types", which is written in several ways: "wasteToner". */
static pappl_supply_type_t supply_type(const char *name)
{
    if (name == NULL)
        return PAPPL_SUPPLY_TYPE_UNKNOWN;
    if (strncasecmp(name, "waste", 5) == 0)
        return strcasestr(name, "ink") != NULL ? PAPPL_SUPPLY_TYPE_WASTE_INK
                                               : PAPPL_SUPPLY_TYPE_WASTE_TONER;
    return strcasestr(name, "ink") != NULL     ? PAPPL_SUPPLY_TYPE_INK
           : strcasestr(name, "toner") != NULL ? PAPPL_SUPPLY_TYPE_TONER
                                               : PAPPL_SUPPLY_TYPE_OTHER;
}

/* A value of a "marker-..." text; NULL if there is none. */
static const char *marker_text(ipp_t *about, const char *name, int i)
{
    ipp_attribute_t *known = ippFindAttribute(about, name, IPP_TAG_ZERO);

    return i < ippGetCount(known) ? ippGetString(known, i, NULL) : NULL;
}

int ipp_state_supplies(ipp_t *about, int most, pappl_supply_t *supplies)
{
    ipp_attribute_t *levels =
        ippFindAttribute(about, "marker-levels", IPP_TAG_INTEGER);
    const int count = ippGetCount(levels) < most ? ippGetCount(levels) : most;

    for (int i = 0; i < count; i++) {
        const int level = ippGetInteger(levels, i);
        const char *name = marker_text(about, "marker-names", i);
        pappl_supply_t *supply = &supplies[i];

        *supply = (pappl_supply_t){
            .color = supply_color(marker_text(about, "marker-colors", i)),
            .type = supply_type(marker_text(about, "marker-types", i)),
            /* -2 and -3: not known, and some. */
            .level = level < 0 ? -1 : (level > 100 ? 100 : level),
        };
        supply->is_consumed = supply->type != PAPPL_SUPPLY_TYPE_WASTE_INK &&
                              supply->type != PAPPL_SUPPLY_TYPE_WASTE_TONER;
        utf8_copy(supply->description, sizeof supply->description,
                  name != NULL ? name : "Supply", '?');
    }
    return count;
}

/* ---- Id ---- */

char *ipp_state_id(ipp_t *about, char *id, size_t size)
{
    const char *own = ippGetString(
        ippFindAttribute(about, "printer-device-id", IPP_TAG_TEXT), 0, NULL);
    const char *model = ippGetString(
        ippFindAttribute(about, "printer-make-and-model", IPP_TAG_TEXT), 0,
        NULL);

    if (own != NULL && own[0] != '\0') {
        utf8_copy(id, size, own, '?');
        return id;
    }
    if (model == NULL || model[0] == '\0')
        return NULL;

    char words[128];
    utf8_copy(words, sizeof words, model, '?');
    for (char *at = words; *at != '\0'; at++)
        if (*at == ';' || *at == ':')
            *at = '-';
    const size_t make = strcspn(words, " ");
    const char *rest = words + make + strspn(words + make, " ");
    snprintf(id, size, "MFG:%.*s;MDL:%s;CMD:PWGRaster;", (int)make, words,
             rest[0] != '\0' ? rest : words);
    return id;
}
