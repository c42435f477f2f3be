/*
 * epl2.c - label printers of Eltron, Zebra and others with EPL 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/families/family.h"

#define EPL "EPL|EPL2|ESim"

/* Heads of 104 mm. */
static const char *const media[] = {LABELS_4_INCHES, LABELS_MM,
                                    "custom_min_10x10mm",
                                    "custom_max_108x1000mm", NULL};

static const struct label_kind labels = {.media = media,
                                         .tracking = LABELS_GAP_OR_MARK,
                                         .modes = LABELS_CUT_OR_NOT,
                                         .shades = 17,
                                         .fastest = 6};

#define WITH_DPI(n)                                                            \
    FAMILY_OF_LABELS("zebra-epl2", "Zebra and other EPL 2 label printers",     \
                     "application/vnd.eltron-epl", "epl2", n)
static const struct family list[] = {WITH_DPI(203), WITH_DPI(300)};

static const struct family_rule rules[] = {
    {.family = "zebra-epl2-300", .commands = EPL, .model = LABELS_300},
    {.family = "zebra-epl2-203", .commands = EPL},
    {.family = "zebra-epl2-203",
     .commands = "None|",
     .maker = "zebra*|eltron*",
     .model = "* lp*2[48][24][234][ a-z]*|* tlp*2[48][24][234][ a-z]*"}};

const struct families families_epl2 = FAMILIES(list, rules);
