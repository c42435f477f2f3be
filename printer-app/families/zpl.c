/*
 * zpl.c - label printers of Zebra and others with ZPL II.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/families/family.h"

#define ZPL "ZPL*|ZSim*" /* Intermec calls what it does like others "Sim" */

/* Heads of 4 inches and, by a job's own size, up to 8. */
static const char *const media[] = {"na_index-4x6_4x6in",
                                    "oe_4x1-label_4x1in",
                                    "oe_4x2-label_4x2in",
                                    "oe_4x3-label_4x3in",
                                    "oe_4x4-label_4x4in",
                                    "oe_4x5-label_4x5in",
                                    "oe_4x6-5-label_4x6.5in",
                                    "oe_4x8-label_4x8in",
                                    "na_index-3x5_3x5in",
                                    "oe_3x1-label_3x1in",
                                    "oe_3x2-label_3x2in",
                                    "oe_3x3-label_3x3in",
                                    "oe_2x1-label_2x1in",
                                    "oe_2x2-label_2x2in",
                                    "oe_2x3-label_2x3in",
                                    "oe_1-5x1-label_1.5x1in",
                                    LABELS_MM,
                                    "custom_min_10x10mm",
                                    "custom_max_220x1000mm",
                                    NULL};

static const struct label_kind labels = {
    .media = media,
    .tracking = LABELS_GAP_OR_MARK,
    .modes = LABELS_CUT_OR_NOT | PAPPL_LABEL_MODE_APPLICATOR |
             PAPPL_LABEL_MODE_CUTTER_DELAYED | PAPPL_LABEL_MODE_KIOSK |
             PAPPL_LABEL_MODE_PEEL_OFF | PAPPL_LABEL_MODE_PEEL_OFF_PREPEEL |
             PAPPL_LABEL_MODE_REWIND | PAPPL_LABEL_MODE_RFID,
    .shades = 31,
    .fastest = 14,
    .most_top = LABEL_FARTHEST,
    .tear = {-LABEL_FARTHEST, LABEL_FARTHEST}};

#define WITH_DPI(n)                                                            \
    FAMILY_OF_LABELS("zebra-zpl", "Zebra and other ZPL II label printers",     \
                     "application/vnd.zebra-zpl", "zpl", n)
static const struct family list[] = {WITH_DPI(203), WITH_DPI(300),
                                     WITH_DPI(600)};

static const struct family_rule rules[] = {
    {.family = "zebra-zpl-600", .commands = ZPL, .model = LABELS_600},
    {.family = "zebra-zpl-300", .commands = ZPL, .model = LABELS_300},
    {.family = "zebra-zpl-203", .commands = ZPL}};

const struct families families_zpl = FAMILIES(list, rules);
