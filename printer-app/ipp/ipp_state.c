/*
 * ipp_state.c - what an IPP printer says of itself, in PAPPL's terms.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "printer-app/ipp/ipp_state.h"

#define SIZE(table) (sizeof(table) / sizeof((table)[0]))

/* ---- State ---- */

struct reason {
    const char *keyword;
    pappl_preason_t bit;
};

/* A keyword, without its severity, that begins so. */
static const struct reason reasons[] = {
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
    return strcmp(keyword, "none") == 0 || ends_with(keyword, "-report")
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

struct type {
    const char *name;
    pappl_supply_type_t type;
};

/* Those of printers that print dots. */
static const struct type types[] = {
    {"cleaner-unit", PAPPL_SUPPLY_TYPE_CLEANER_UNIT},
    {"developer", PAPPL_SUPPLY_TYPE_DEVELOPER},
    {"fuser", PAPPL_SUPPLY_TYPE_FUSER},
    {"ink", PAPPL_SUPPLY_TYPE_INK},
    {"ink-cartridge", PAPPL_SUPPLY_TYPE_INK_CARTRIDGE},
    {"ink-ribbon", PAPPL_SUPPLY_TYPE_INK_RIBBON},
    {"opc", PAPPL_SUPPLY_TYPE_OPC},
    {"ribbon-wax", PAPPL_SUPPLY_TYPE_RIBBON_WAX},
    {"solid-wax", PAPPL_SUPPLY_TYPE_SOLID_WAX},
    {"staples", PAPPL_SUPPLY_TYPE_STAPLES},
    {"toner", PAPPL_SUPPLY_TYPE_TONER},
    {"toner-cartridge", PAPPL_SUPPLY_TYPE_TONER_CARTRIDGE},
    {"transfer-unit", PAPPL_SUPPLY_TYPE_TRANSFER_UNIT},
    {"waste-ink", PAPPL_SUPPLY_TYPE_WASTE_INK},
    {"waste-toner", PAPPL_SUPPLY_TYPE_WASTE_TONER},
    {"waste-water", PAPPL_SUPPLY_TYPE_WASTE_WATER},
    {"waste-wax", PAPPL_SUPPLY_TYPE_WASTE_WAX},
};

/* Compares as "marker-types" was written before it was registered, too:
 * "inkCartridge", "ink-cartridge". */
static bool same_type(const char *name, const char *known)
{
    for (;;) {
        while (*name == '-')
            name++;
        while (*known == '-')
            known++;
        if (*name == '\0' || *known == '\0')
            return *name == *known;
        if (strncasecmp(name++, known++, 1) != 0)
            return false;
    }
}

static pappl_supply_type_t supply_type(const char *name)
{
    for (size_t i = 0; name != NULL && i < SIZE(types); i++)
        if (same_type(name, types[i].name))
            return types[i].type;
    return name != NULL ? PAPPL_SUPPLY_TYPE_OTHER : PAPPL_SUPPLY_TYPE_UNKNOWN;
}

/* Copies a text from the printer without its control characters. */
static void copy_text(char *to, const char *from, size_t size)
{
    snprintf(to, size, "%s", from);
    for (; *to != '\0'; to++)
        if ((unsigned char)*to < ' ' || *to == 0x7f)
            *to = '?';
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
        supply->is_consumed = supply->type < PAPPL_SUPPLY_TYPE_WASTE_INK ||
                              supply->type > PAPPL_SUPPLY_TYPE_WASTE_WAX;
        copy_text(supply->description, name != NULL ? name : "Supply",
                  sizeof supply->description);
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
        copy_text(id, own, size);
        return id;
    }
    if (model == NULL || model[0] == '\0')
        return NULL;

    char words[128];
    copy_text(words, model, sizeof words);
    for (char *at = words; *at != '\0'; at++)
        if (*at == ';' || *at == ':')
            *at = '-';
    const size_t make = strcspn(words, " ");
    const char *rest = words + make + strspn(words + make, " ");
    snprintf(id, size, "MFG:%.*s;MDL:%s;CMD:PWGRaster;", (int)make, words,
             rest[0] != '\0' ? rest : words);
    return id;
}
