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
static const char *const media[] = {"na_index-4x6_4x6in",
                                    "oe_4x1-label_4x1in",
                                    "oe_4x2-label_4x2in",
                                    "oe_4x3-label_4x3in",
                                    "oe_4x4-label_4x4in",
                                    "na_index-3x5_3x5in",
                                    "oe_3x1-label_3x1in",
                                    "oe_3x2-label_3x2in",
                                    "oe_2x1-label_2x1in",
                                    "oe_2x3-label_2x3in",
                                    LABELS_MM,
                                    "custom_min_10x10mm",
                                    "custom_max_112x1000mm",
                                    NULL};

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
    {                                                                          \
        .name = "tsc-tspl-" #n,                                                \
        .description = "TSC and other TSPL label printers, " #n " dpi",        \
        .kind = FAMILY_LABEL, .labels = &labels,                               \
        .format = "application/vnd.tsc-tspl", .writer = "tspl",                \
        .dpi = {{n, n}}, .sources = family_one_roll, .types = family_labels    \
    }

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
