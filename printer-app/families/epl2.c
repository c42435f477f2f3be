/*
 * epl2.c - label printers of Eltron, Zebra and others with EPL 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/families/family.h"

#define EPL "EPL|EPL2|ESim"

/* Heads of 104 mm. */
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
                                    "custom_max_108x1000mm",
                                    NULL};

static const struct label_kind labels = {.media = media,
                                         .tracking = LABELS_GAP_OR_MARK,
                                         .modes = LABELS_CUT_OR_NOT,
                                         .shades = 17,
                                         .fastest = 6};

#define WITH_DPI(n)                                                            \
    {                                                                          \
        .name = "zebra-epl2-" #n,                                              \
        .description = "Zebra and other EPL 2 label printers, " #n " dpi",     \
        .kind = FAMILY_LABEL, .labels = &labels,                               \
        .format = "application/vnd.eltron-epl", .writer = "epl2",              \
        .dpi = {{n, n}}, .sources = family_one_roll, .types = family_labels    \
    }

static const struct family list[] = {WITH_DPI(203), WITH_DPI(300)};

static const struct family_rule rules[] = {
    {.family = "zebra-epl2-300", .commands = EPL, .model = LABELS_300},
    {.family = "zebra-epl2-203", .commands = EPL},
    {.family = "zebra-epl2-203",
     .commands = "None|",
     .maker = "zebra*|eltron*",
     .model = "* lp*2[48][24][234][ a-z]*|* tlp*2[48][24][234][ a-z]*"}};

const struct families families_epl2 = FAMILIES(list, rules);
