/*
 * family.c - the table of families.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "printer-app/family.h"

/* ---- Paper -------------------------------------------------------------- */

/* "main" is where the printer takes paper from when nothing is said, and so is
 * "auto", which PAPPL offers beside these. */
static const struct family_paper pwg_sources[] = {{"main", 0},
                                                  {"alternate", 2},
                                                  {"manual", 4},
                                                  {"envelope", 5},
                                                  {.name = NULL}};

/* Of ESC&l#H; the trays as LaserJets call them. */
static const struct family_paper pcl_sources[] = {
    {"main", 0},   {"tray-1", 8}, {"tray-2", 1},   {"tray-3", 4},
    {"tray-4", 5}, {"manual", 2}, {"envelope", 3}, {.name = NULL}};
static const struct family_paper deskjet_sources[] = {
    {"main", 0}, {"manual", 2}, {"envelope", 3}, {.name = NULL}};

/* ESC/P has no command for a tray that printers agree on. */
static const struct family_paper one_source[] = {{"main", 0}, {.name = NULL}};
static const struct family_paper one_roll[] = {{"main-roll", 0},
                                               {.name = NULL}};
/* Of ESC q, less 1. */
static const struct family_paper two_rolls[] = {
    {"main-roll", 0}, {"alternate-roll", 1}, {.name = NULL}};

static const struct family_paper plain[] = {{"stationery", 0}, {.name = NULL}};
static const struct family_paper pwg_types[] = {
    {"stationery", 0}, {"photographic", 0}, {.name = NULL}};
/* Of ESC&l#M. */
static const struct family_paper deskjet_types[] = {{"stationery", 0},
                                                    {"stationery-inkjet", 2},
                                                    {"photographic", 3},
                                                    {"transparency", 4},
                                                    {.name = NULL}};
static const struct family_paper label_types[] = {
    {"labels", 0}, {"continuous", 0}, {.name = NULL}};

/* ESC C takes 127 lines of 1/6 inch. */
#define PINS_LARGEST "custom_max_330x533mm"

/* ---- Families ----------------------------------------------------------- */

static const struct family table[] = {
    {.name = "pwg-raster",
     .description = "PWG raster of 1 bit, gray",
     .kind = FAMILY_LASER,
     .duplex = true,
     .format = "application/vnd.cups-raw",
     .dpi = {{300, 300}, {600, 600}, {1200, 1200}},
     .sources = pwg_sources,
     .types = pwg_types},
    {.name = "hp-pcl3",
     .description = "HP DeskJet, PCL 3 with configured raster",
     .kind = FAMILY_INKJET,
     .color = true,
     .format = "application/vnd.hp-pcl",
     .writer = "pcl3",
     .dpi = {{300, 300}, {600, 600}},
     .left_right = 635,
     .bottom_top = 1270,
     .sources = deskjet_sources,
     .types = deskjet_types},
    {.name = "hp-pcl3-300",
     .description = "HP DeskJet of 300 dpi, PCL 3 with configured raster",
     .kind = FAMILY_INKJET,
     .color = true,
     .format = "application/vnd.hp-pcl",
     .writer = "pcl3",
     .dpi = {{300, 300}},
     .left_right = 635,
     .bottom_top = 1270,
     .sources = deskjet_sources,
     .types = deskjet_types},
    {.name = "hp-pcl3-gray",
     .description = "HP DeskJet 310 to 600, PCL 3, gray",
     .kind = FAMILY_INKJET,
     .format = "application/vnd.hp-pcl",
     .writer = "pcl",
     .dpi = {{300, 300}},
     .left_right = 635,
     .bottom_top = 1270,
     .sources = deskjet_sources,
     .types = deskjet_types},
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
     .types = plain},
    {.name = "epson-escp2",
     .description = "Epson Stylus, ESC/P 2",
     .kind = FAMILY_INKJET,
     .color = true,
     .format = "application/vnd.epson-escp",
     .writer = "escp2",
     .dpi = {{180, 180}, {360, 360}, {720, 360}},
     .left_right = 318,
     .bottom_top = 1411,
     .sources = one_source,
     .types = plain},
    {.name = "epson-24pin",
     .description = "Epson and other ESC/P printers with 24 pins",
     .kind = FAMILY_INKJET,
     .format = "application/vnd.epson-escp",
     .packer = "rastertoepson",
     .model = 1,
     .rows = 24,
     .largest = PINS_LARGEST,
     .dpi = {{180, 180}, {360, 180}},
     .left_right = 635,
     .bottom_top = 635,
     .sources = one_source,
     .types = plain},
    {.name = "epson-9pin",
     .description = "Epson and other ESC/P printers with 9 pins",
     .kind = FAMILY_INKJET,
     .format = "application/vnd.epson-escp",
     .packer = "rastertoepson",
     .model = 0,
     .rows = 8,
     .largest = PINS_LARGEST,
     .dpi = {{60, 72}, {120, 72}, {240, 72}},
     .left_right = 635,
     .bottom_top = 635,
     .sources = one_source,
     .types = plain},
    {.name = "dymo-label",
     .description = "Dymo LabelWriter, 300 dpi",
     .kind = FAMILY_LABEL,
     .labels = &labels_dymo,
     .format = "application/vnd.dymo-label",
     .writer = "dymo",
     .dpi = {{300, 300}},
     .left_right = 102,
     .bottom_top = 526,
     .sources = two_rolls,
     .types = label_types},
    {.name = "dymo-label-wide",
     .description = "Dymo LabelWriter 4XL, 300 dpi",
     .kind = FAMILY_LABEL,
     .labels = &labels_dymo_wide,
     .format = "application/vnd.dymo-label",
     .writer = "dymo",
     .dpi = {{300, 300}},
     .left_right = 102,
     .bottom_top = 526,
     .sources = one_roll,
     .types = label_types},
    {.name = "zebra-epl2-203",
     .description = "Zebra and other EPL 2 label printers, 203 dpi",
     .kind = FAMILY_LABEL,
     .labels = &labels_epl2,
     .format = "application/vnd.eltron-epl",
     .writer = "epl2",
     .dpi = {{203, 203}},
     .sources = one_roll,
     .types = label_types},
    {.name = "zebra-epl2-300",
     .description = "Zebra and other EPL 2 label printers, 300 dpi",
     .kind = FAMILY_LABEL,
     .labels = &labels_epl2,
     .format = "application/vnd.eltron-epl",
     .writer = "epl2",
     .dpi = {{300, 300}},
     .sources = one_roll,
     .types = label_types},
    {.name = "zebra-cpcl-203",
     .description = "Zebra mobile label printers, CPCL, 203 dpi",
     .kind = FAMILY_LABEL,
     .labels = &labels_cpcl,
     .format = "application/vnd.zebra-cpcl",
     .writer = "cpcl",
     .dpi = {{203, 203}},
     .sources = one_roll,
     .types = label_types},
    {.name = "zebra-zpl-203",
     .description = "Zebra and other ZPL II label printers, 203 dpi",
     .kind = FAMILY_LABEL,
     .labels = &labels_zpl,
     .format = "application/vnd.zebra-zpl",
     .writer = "zpl",
     .dpi = {{203, 203}},
     .sources = one_roll,
     .types = label_types},
    {.name = "zebra-zpl-300",
     .description = "Zebra and other ZPL II label printers, 300 dpi",
     .kind = FAMILY_LABEL,
     .labels = &labels_zpl,
     .format = "application/vnd.zebra-zpl",
     .writer = "zpl",
     .dpi = {{300, 300}},
     .sources = one_roll,
     .types = label_types},
    {.name = "zebra-zpl-600",
     .description = "Zebra and other ZPL II label printers, 600 dpi",
     .kind = FAMILY_LABEL,
     .labels = &labels_zpl,
     .format = "application/vnd.zebra-zpl",
     .writer = "zpl",
     .dpi = {{600, 600}},
     .sources = one_roll,
     .types = label_types},
};

const struct family *families(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}

const struct family *family_named(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
