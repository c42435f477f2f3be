/*
 * dymo.c - Dymo's LabelWriters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/families/family.h"

/* A head of 672 dots, 57 mm, and 1 mm on each side that it does not reach. */
#define MEDIA                                                                  \
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

static const char *const media[] = {MEDIA, "custom_min_6x6mm",
                                    "custom_max_58x1000mm", NULL};

/* 1248 dots, 105 mm. */
static const char *const wide_media[] = {"na_index-4x6_4x6in", MEDIA,
                                         "custom_min_6x6mm",
                                         "custom_max_107x1000mm", NULL};

static const struct label_kind labels = {
    .media = media, .tracking = LABELS_GAP_OR_NOT, .shades = 5};
static const struct label_kind labels_wide = {
    .media = wide_media, .tracking = LABELS_GAP_OR_NOT, .shades = 5};

/* Argument of ESC q, less 1. */
static const struct family_paper two_rolls[] = {
    {"main-roll", 0}, {"alternate-roll", 1}, {.name = NULL}};

#define LABELWRITER(driver, model, sizes, rolls)                               \
    {                                                                          \
        .name = driver, .description = "Dymo LabelWriter" model ", 300 dpi",   \
        .kind = FAMILY_LABEL, .labels = &sizes,                                \
        .format = "application/vnd.dymo-label", .writer = "dymo",              \
        .dpi = {{300, 300}}, .left_right = 102, .bottom_top = 526,             \
        .sources = rolls, .types = family_labels                               \
    }

static const struct family list[] = {
    LABELWRITER("dymo-label", "", labels, two_rolls),
    LABELWRITER("dymo-label-wide", " 4XL", labels_wide, family_one_roll)};

static const struct family_rule rules[] = {
    /* The newer ones and those for tape have other languages, and the SE has
     * 203 dpi. */
    {.family = NULL,
     .maker = "dymo*",
     .model = "* 5*|*wireless*|*tape*|* se[0-9]*"},
    {.family = "dymo-label-wide", .maker = "dymo*", .model = "* 4xl*"},
    {.family = "dymo-label", .maker = "dymo*", .model = "* labelwriter *"}};

const struct families families_dymo = FAMILIES(list, rules);
