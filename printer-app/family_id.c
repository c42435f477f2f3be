/*
 * family_id.c - the family that a printer's IEEE 1284 identification names: an
 * ordered table of rules on its languages, maker and model.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* FNM_CASEFOLD */

#include "config.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <cups/cups.h>
#include <pappl/pappl.h>

#include "printer-app/family_id.h"

#define MOST_TEXT 256u /* PAPPL cuts the values of an id to 255 bytes */

/*
 * Patterns of fnmatch(), in any case, with '|' between them; NULL = whatever it
 * is. A model has a space before and behind it, so that patterns can ask for
 * its first and last word.
 */
struct rule {
    const char *family;   /* NULL: none can print it */
    const char *commands; /* one of its languages is this, */
    const char *unless;   /* and none is that */
    const char *maker, *model, *uri;
};

/*
 * HP's inkjets name PCL as its lasers do, and differ among themselves. What is
 * known of them is what HPLIP sends them (prnt/hpcups, prnt/hpijs), and what
 * the sources of Ghostscript's device pcl3 (contrib/pcl3/src/pclcap.c) and
 * Gutenprint (src/main/print-pcl.c) say of each model:
 *
 * - Of the DeskJets up to 600, many do not know ESC*g#W, and most have one
 *   cartridge, black or color. Black at 300 dpi is what all of them print.
 * - The 610C to 697C, 850C to 890C and 11xxC print KCMY at 300 dpi, at 600
 *   black alone.
 * - The 810C to 845C, 895C and all later ones print KCMY at 600 dpi. hpcups
 *   sends such planes to the 8xx and 9xx and their kin. The newer ones take
 *   pixels in RGB, too, and HP prefers that.
 * - Those that name PCL3GUI and neither PCL nor PCL3 take pixels in RGB alone,
 *   which no writer makes.
 */
#define HP "hp|hp *|hewlett*|apollo*"
#define INKJETS                                                                \
    "*deskjet*|*photosmart*|*officejet*|* psc *|*envy*|*inkjet*|* dj450 *|"    \
    "* cp1160 *|* hp 2000c *|* hp 2500c *|* apollo *|"                         \
    "*printer?scanner?copier*"
#define BLACK_OR_COLOR                                                         \
    "* deskjet 3[1-5][0-9][!0-9]*|* deskjet 4[0-2][0-9][!0-9]*|"               \
    "* deskjet 5[0-6][0-9][!0-9]*|* deskjet 600[!0-9]*|* deskjet |"            \
    "* deskjet plus *|* officejet |* officejet lx *|*officejet series 3*"
#define DPI_300                                                                \
    "* deskjet 6[0-9][0-9][!0-9]*|* deskjet 85[0-9][!0-9]*|"                   \
    "* deskjet 87[0-9][!0-9]*|* deskjet 890[!0-9]*|* deskjet 1100[!0-9]*|"     \
    "* deskjet 112[05][!0-9]*|*officejet series [5-7]*|"                       \
    "*officejet pro 11[57]*|*printer?scanner?copier 300*|* apollo *"
#define IPP "ipp:*|ipps:*"
/* A page description language of lasers, with which PCL is PCL 5. */
#define WITH_PCL5 "PCLXL|PCL-XL|PCL6*|PCL5*|POST*"

/* Label printers, whose models have the dpi in their names or, of Zebra's, a
 * digit for it: GX430t. Intermec calls what it does like others "Sim". */
#define ZPL "ZPL*|ZSim*"
#define EPL "EPL|EPL2|ESim"
#define LABEL_300 "*300dpi*|*300 dpi*|* g[ckx]43*|*lp*3[78]4*"

/* The first that fits is taken. */
static const struct rule rules[] = {
    /* By IPP nothing but PWG raster is sent; who does not take it, or is not
     * reached, has no name here. */
    {.family = "pwg-raster", .model = "*[! ]*", .uri = IPP},
    {.family = NULL, .uri = IPP},

    /* Label printers. Zebra's first ones and Dymo's name no language. */
    {.family = "zebra-zpl-600", .commands = ZPL, .model = "*600dpi*|*600 dpi*"},
    {.family = "zebra-zpl-300", .commands = ZPL, .model = LABEL_300},
    {.family = "zebra-zpl-203", .commands = ZPL},
    {.family = "zebra-epl2-300", .commands = EPL, .model = LABEL_300},
    {.family = "zebra-epl2-203", .commands = EPL},
    {.family = "zebra-epl2-203",
     .commands = "None|",
     .maker = "zebra*|eltron*",
     .model = "* lp*2[48][24][234][ a-z]*|* tlp*2[48][24][234][ a-z]*"},
    {.family = "zebra-cpcl-203", .commands = "CPCL"},
    /* The newer ones and those for tape have other languages, and the SE has
     * 203 dpi. */
    {.family = NULL,
     .maker = "dymo*",
     .model = "* 5*|*wireless*|*tape*|* se[0-9]*"},
    {.family = "dymo-label-wide", .maker = "dymo*", .model = "* 4xl*"},
    {.family = "dymo-label", .maker = "dymo*", .model = "* labelwriter *"},

    /* Dot matrix and inkjet printers of Epson and others with ESC/P. */
    {.family = "epson-24pin",
     .commands = "ESC*",
     .maker = "epson*",
     .model = "* lq-*|* dlq-*"},
    {.family = "epson-escp2", .commands = "ESCPL2|ESCP2|ESCP2E|ESC/P2|ESC/P 2"},
    {.family = "epson-9pin", .commands = "ESCP9|ESC/P9|FX"},
    {.family = "epson-24pin", .commands = "ESCP|ESC/P|ESCP24|EPSONLQ|LQ"},

    /* HP's inkjets. */
    {.family = "hp-pcl3-gray",
     .commands = "PCL",
     .unless = WITH_PCL5,
     .maker = HP,
     .model = BLACK_OR_COLOR},
    {.family = "hp-pcl3-300",
     .commands = "PCL",
     .unless = WITH_PCL5,
     .maker = HP,
     .model = DPI_300},
    {.family = "hp-pcl3",
     .commands = "PCL",
     .unless = WITH_PCL5,
     .maker = HP,
     .model = INKJETS},
    {.family = "hp-pcl3",
     .commands = "PCL3|PCL 3|HPPCL3",
     .unless = WITH_PCL5,
     .maker = HP},

    /* Lasers, and whatever else has PCL 5. */
    {.family = "hp-pcl",
     .commands = "PCL5*|PCL 5*|PCL6*|PCL 6*|* PCL5*|* PCL6*"},
    {.family = "hp-pcl", .commands = "PCL", .maker = HP, .model = "*laserjet*"},
    {.family = NULL, .commands = "PCL", .unless = WITH_PCL5, .maker = HP},
    {.family = "hp-pcl", .commands = "PCL|HPPCL", .unless = "PCL3*"},

    /* Beside PCL, as lasers of Oki have it, this is an emulation. */
    {.family = "epson-9pin", .commands = "EPSONFX"},
};

/* ---- Matching ----------------------------------------------------------- */

/* Whether one of the patterns, of `length` bytes with their '|', matches. */
static bool matches(const char *patterns, const char *text)
{
    char pattern[MOST_TEXT];

    for (;;) {
        const size_t length = strcspn(patterns, "|");

        snprintf(pattern, sizeof pattern, "%.*s", (int)length, patterns);
        if (fnmatch(pattern, text, FNM_CASEFOLD) == 0)
            return true;
        if (patterns[length] == '\0')
            return false;
        patterns += length + 1;
    }
}

/* Whether one of the languages of the list "A, B,C" matches; an empty list is
 * one empty word. */
static bool speaks(const char *list, const char *patterns)
{
    char word[MOST_TEXT];

    for (;;) {
        list += strspn(list, " ");
        const size_t length = strcspn(list, ",");
        size_t used = length;

        while (used > 0 && list[used - 1] == ' ')
            used--;
        snprintf(word, sizeof word, "%.*s", (int)used, list);
        if (matches(patterns, word))
            return true;
        if (list[length] == '\0')
            return false;
        list += length + 1;
    }
}

/* What rules ask for of a device. */
struct device {
    const char *commands, *maker, *model, *uri; /* "" = it does not say */
};

static bool fits(const struct rule *rule, const struct device *device)
{
    char model[MOST_TEXT + 2];

    snprintf(model, sizeof model, " %s ", device->model);
    return (rule->uri == NULL || matches(rule->uri, device->uri)) &&
           (rule->commands == NULL ||
            speaks(device->commands, rule->commands)) &&
           (rule->unless == NULL || !speaks(device->commands, rule->unless)) &&
           (rule->maker == NULL || matches(rule->maker, device->maker)) &&
           (rule->model == NULL || matches(rule->model, model));
}

/* ---- The id ------------------------------------------------------------- */

/* The value of the first of three keys that the id has, or "". */
static const char *value_of(const char *const keys[3], int count,
                            cups_option_t *pairs)
{
    for (int i = 0; i < 3 && keys[i] != NULL; i++) {
        const char *value = cupsGetOption(keys[i], count, pairs);

        if (value != NULL)
            return value;
    }
    return "";
}

/* Says that there is no family, without what a terminal or a log would take for
 * more than text. */
static void refuse(const struct device *device, char why[FAMILY_REFUSAL])
{
    const char *maker = device->maker, *model = device->model,
               *commands = device->commands;

    if (strncasecmp(model, maker, strlen(maker)) == 0)
        maker = "";
    if (maker[0] == '\0' && model[0] == '\0')
        snprintf(why, FAMILY_REFUSAL,
                 "No driver for this printer: it is not reached, or does not "
                 "identify itself. Choose one of the drivers.");
    else
        snprintf(why, FAMILY_REFUSAL,
                 "No driver for %.100s%s%.100s: it %s%.120s.", maker,
                 maker[0] != '\0' && model[0] != '\0' ? " " : "", model,
                 commands[0] != '\0' ? "understands " : "names no language",
                 commands);
    for (char *at = why; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
}

const struct family *family_of_id(const char *id, const char *uri,
                                  char why[FAMILY_REFUSAL])
{
    static const char *const commands[3] = {"COMMAND SET", "CMD"},
                             *const makers[3] = {"MANUFACTURER", "MFG"},
                             *const models[3] = {"MODEL", "MDL", "DES"};
    cups_option_t *pairs = NULL;
    const int count = papplDeviceParseID(id, &pairs);
    const struct device device = {.commands = value_of(commands, count, pairs),
                                  .maker = value_of(makers, count, pairs),
                                  .model = value_of(models, count, pairs),
                                  .uri = uri != NULL ? uri : ""};
    const struct family *found = NULL;
    size_t i = 0;

    while (i < sizeof rules / sizeof rules[0] && !fits(&rules[i], &device))
        i++;
    if (i < sizeof rules / sizeof rules[0] && rules[i].family != NULL)
        found = family_named(rules[i].family);
    else
        refuse(&device, why);
    cupsFreeOptions(count, pairs);
    return found;
}
