/*
 * label_kinds.c - the kinds of label printers: sizes as wide as their heads,
 * and what their languages have a command for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/labels.h"

/* Heads of 4 inches and, by a job's own size, up to 8. */
static const char *const zpl_media[] = {"na_index-4x6_4x6in",
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
                                        "oe_2-25x1-25-label_2.25x1.25in",
                                        "oe_2x1-label_2x1in",
                                        "oe_2x2-label_2x2in",
                                        "oe_2x3-label_2x3in",
                                        "oe_1-5x1-label_1.5x1in",
                                        "om_label_50x30mm",
                                        "om_label_60x40mm",
                                        "om_label_100x50mm",
                                        "om_label_100x150mm",
                                        "custom_min_10x10mm",
                                        "custom_max_220x1000mm",
                                        NULL};

/* Heads of 104 mm. */
static const char *const epl2_media[] = {"na_index-4x6_4x6in",
                                         "oe_4x1-label_4x1in",
                                         "oe_4x2-label_4x2in",
                                         "oe_4x3-label_4x3in",
                                         "oe_4x4-label_4x4in",
                                         "na_index-3x5_3x5in",
                                         "oe_3x1-label_3x1in",
                                         "oe_3x2-label_3x2in",
                                         "oe_2-25x1-25-label_2.25x1.25in",
                                         "oe_2x1-label_2x1in",
                                         "oe_2x3-label_2x3in",
                                         "om_label_50x30mm",
                                         "om_label_60x40mm",
                                         "om_label_100x50mm",
                                         "om_label_100x150mm",
                                         "custom_min_10x10mm",
                                         "custom_max_108x1000mm",
                                         NULL};

/* Mobile printers have heads of 2, 3 and 4 inches. */
static const char *const cpcl_media[] = {
    "oe_2x1-label_2x1in", "oe_2x1-25-label_2x1.25in", "oe_2x2-label_2x2in",
    "oe_2x3-label_2x3in", "oe_3x1-label_3x1in",       "oe_3x2-label_3x2in",
    "na_index-3x5_3x5in", "oe_4x2-label_4x2in",       "oe_4x3-label_4x3in",
    "na_index-4x6_4x6in", "om_label_50x30mm",         "om_label_60x40mm",
    "custom_min_10x10mm", "custom_max_108x1000mm",    NULL};

/* A head of 672 dots, 57 mm, and 1 mm on each side that it does not reach. */
#define DYMO_MEDIA                                                             \
    "oe_address-label_1.125x3.5in", "oe_lg-address-label_1.4x3.5in",           \
        "oe_return-address-label_0.75x2in",                                    \
        "oe_square-multipurpose-label_1x1in",                                  \
        "oe_sm-multipurpose-label_1x2.125in",                                  \
        "oe_multipurpose-label_2x2.3125in",                                    \
        "oe_md-multipurpose-label_2.25x1.25in",                                \
        "oe_md-appointment-card_2x3.5in", "oe_shipping-label_2.125x4in",       \
        "oe_name-badge-label_2.25x4in",                                        \
        "oe_library-barcode-label_0.5x1.875in",                                \
        "oe_file-folder-label_0.5625x3.4375in", "om_diskette-label_54x70mm"

static const char *const dymo_media[] = {DYMO_MEDIA, "custom_min_6x6mm",
                                         "custom_max_58x1000mm", NULL};

/* 1248 dots, 105 mm. */
static const char *const dymo_wide_media[] = {"na_index-4x6_4x6in", DYMO_MEDIA,
                                              "custom_min_6x6mm",
                                              "custom_max_107x1000mm", NULL};

#define GAP_OR_NOT (PAPPL_MEDIA_TRACKING_CONTINUOUS | PAPPL_MEDIA_TRACKING_GAP)
#define GAP_OR_MARK (GAP_OR_NOT | PAPPL_MEDIA_TRACKING_MARK)
#define CUT_OR_NOT (PAPPL_LABEL_MODE_CUTTER | PAPPL_LABEL_MODE_TEAR_OFF)

const struct label_kind labels_zpl = {
    .media = zpl_media,
    .tracking = GAP_OR_MARK,
    .modes = CUT_OR_NOT | PAPPL_LABEL_MODE_APPLICATOR |
             PAPPL_LABEL_MODE_CUTTER_DELAYED | PAPPL_LABEL_MODE_KIOSK |
             PAPPL_LABEL_MODE_PEEL_OFF | PAPPL_LABEL_MODE_PEEL_OFF_PREPEEL |
             PAPPL_LABEL_MODE_REWIND | PAPPL_LABEL_MODE_RFID,
    .shades = 31,
    .fastest = 14,
    .most_top = LABEL_FARTHEST,
    .tear = {-LABEL_FARTHEST, LABEL_FARTHEST}};
const struct label_kind labels_epl2 = {.media = epl2_media,
                                       .tracking = GAP_OR_MARK,
                                       .modes = CUT_OR_NOT,
                                       .shades = 17,
                                       .fastest = 6};
const struct label_kind labels_cpcl = {.media = cpcl_media,
                                       .tracking = GAP_OR_MARK,
                                       .modes = CUT_OR_NOT,
                                       .shades = 31,
                                       .fastest = 5,
                                       .tear = {0, LABEL_FARTHEST}};
const struct label_kind labels_dymo = {
    .media = dymo_media, .tracking = GAP_OR_NOT, .shades = 5};
const struct label_kind labels_dymo_wide = {
    .media = dymo_wide_media, .tracking = GAP_OR_NOT, .shades = 5};
