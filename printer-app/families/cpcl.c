/*
 * cpcl.c - mobile label printers of Comtec and Zebra, with CPCL.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/families/family.h"

/* Mobile printers have heads of 2, 3 and 4 inches. */
static const char *const media[] = {"oe_2x1-label_2x1in",
                                    "oe_2x1-25-label_2x1.25in",
                                    "oe_2x2-label_2x2in",
                                    "oe_2x3-label_2x3in",
                                    "oe_3x1-label_3x1in",
                                    "oe_3x2-label_3x2in",
                                    "na_index-3x5_3x5in",
                                    "oe_4x2-label_4x2in",
                                    "oe_4x3-label_4x3in",
                                    "na_index-4x6_4x6in",
                                    LABELS_MM,
                                    "custom_min_10x10mm",
                                    "custom_max_108x1000mm",
                                    NULL};

static const struct label_kind labels = {.media = media,
                                         .tracking = LABELS_GAP_OR_MARK,
                                         .modes = LABELS_CUT_OR_NOT,
                                         .shades = 31,
                                         .fastest = 5,
                                         .tear = {0, LABEL_FARTHEST}};

static const struct family list[] = {
    FAMILY_OF_LABELS("zebra-cpcl", "Zebra mobile label printers, CPCL",
                     "application/vnd.zebra-cpcl", "cpcl", 203)};

static const struct family_rule rules[] = {
    {.family = "zebra-cpcl-203", .commands = "CPCL"}};

const struct families families_cpcl = FAMILIES(list, rules);
