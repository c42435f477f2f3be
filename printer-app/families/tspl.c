/*
 * tspl.c - label printers of TSC and many others with TSPL.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/families/family.h"

#define TSPL "TSPL*"
/* TSC's models have a digit for their dpi: TTP-345, TE310, MB340T; TTP-644MT.
 */
#define MODELS_300                                                             \
    LABELS_300 "|* ttp-34*|* te3[0-9]*|* da3[0-9]*|* tx3[0-9]*|* tc3[0-9]*|"   \
               "* th3[0-9]*|* m[bhlx]34*"
#define MODELS_600 LABELS_600 "|* ttp-64*|* tx6[0-9]*|* m[bhlx]64*"

/* Heads of 4 inches. */
static const char *const media[] = {LABELS_4_INCHES, LABELS_MM,
                                    "custom_min_10x10mm",
                                    "custom_max_112x1000mm", NULL};

static const struct label_kind labels = {
    .media = media,
    .tracking = LABELS_GAP_OR_MARK,
    .modes = LABELS_CUT_OR_NOT | PAPPL_LABEL_MODE_CUTTER_DELAYED |
             PAPPL_LABEL_MODE_PEEL_OFF,
    .shades = 17,
    .fastest = 12,
    .most_top = LABEL_FARTHEST,
    .tear = {-LABEL_FARTHEST, LABEL_FARTHEST}};

#define WITH_DPI(n)                                                            \
    FAMILY_OF_LABELS("tsc-tspl", "TSC and other TSPL label printers",          \
                     "application/vnd.tsc-tspl", "tspl", n)
static const struct family list[] = {WITH_DPI(203), WITH_DPI(300),
                                     WITH_DPI(600)};

/* TSC's have it, whatever they name; that of others is what they name. */
static const struct family_rule rules[] = {
    {.family = "tsc-tspl-600", .commands = TSPL, .model = MODELS_600},
    {.family = "tsc-tspl-300", .commands = TSPL, .model = MODELS_300},
    {.family = "tsc-tspl-203", .commands = TSPL},
    {.family = "tsc-tspl-600",
     .commands = "|None",
     .maker = "tsc|tsc *",
     .model = MODELS_600},
    {.family = "tsc-tspl-300",
     .commands = "|None",
     .maker = "tsc|tsc *",
     .model = MODELS_300},
    {.family = "tsc-tspl-203", .commands = "|None", .maker = "tsc|tsc *"}};

const struct families families_tspl = FAMILIES(list, rules);
