/*
 * hp.c - HP's inkjets, lasers, and whatever else has PCL.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/families/family.h"

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
/* A page description language of lasers, with which PCL is PCL 5. */
#define WITH_PCL5 "PCLXL|PCL-XL|PCL6*|PCL5*|POST*"

/* Argument of ESC&l#H; the trays as LaserJets call them. */
static const struct family_paper pcl_sources[] = {
    {"main", 0},   {"tray-1", 8}, {"tray-2", 1},   {"tray-3", 4},
    {"tray-4", 5}, {"manual", 2}, {"envelope", 3}, {.name = NULL}};
static const struct family_paper deskjet_sources[] = {
    {"main", 0}, {"manual", 2}, {"envelope", 3}, {.name = NULL}};

/* Argument of ESC&l#M. */
static const struct family_paper deskjet_types[] = {{"stationery", 0},
                                                    {"stationery-inkjet", 2},
                                                    {"photographic", 3},
                                                    {"transparency", 4},
                                                    {.name = NULL}};
/* DeskJets, whose rollers hold the last half inch. */
#define DESKJET(driver, printers, inks, language, ...)                         \
    {                                                                          \
        .name = driver, .description = "HP DeskJet" printers,                  \
        .kind = FAMILY_INKJET, .color = inks,                                  \
        .format = "application/vnd.hp-pcl", .writer = language,                \
        .dpi = {__VA_ARGS__}, .left_right = 635, .bottom_top = 1270,           \
        .sources = deskjet_sources, .types = deskjet_types                     \
    }

static const struct family list[] = {
    DESKJET("hp-pcl3", ", PCL 3 with configured raster", true, "pcl3",
            {300, 300}, {600, 600}),
    DESKJET("hp-pcl3-300", " of 300 dpi, PCL 3 with configured raster", true,
            "pcl3", {300, 300}),
    DESKJET("hp-pcl3-gray", " 310 to 600, PCL 3, gray", false, "pcl",
            {300, 300}),
    {.name = "hp-pcl",
     .description = "HP LaserJet and other PCL 5 printers, gray",
     .kind = FAMILY_LASER,
     .duplex = true,
     .format = "application/vnd.hp-pcl",
     .writer = "pcl",
     .dpi = {{300, 300}, {600, 600}},
     .left_right = 635,
     .bottom_top = 423,
     .sources = pcl_sources,
     .types = family_plain}};

static const struct family_rule rules[] = {
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
    {.family = "hp-pcl", .commands = "PCL|HPPCL", .unless = "PCL3*"}};

const struct families families_hp = FAMILIES(list, rules);
