/*
 * pwg.c - printers that take PWG raster of dots, by IPP all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/families/family.h"

#define IPP "ipp:*|ipps:*"

static const struct family_paper pwg_sources[] = {{"main", 0},
                                                  {"alternate", 2},
                                                  {"manual", 4},
                                                  {"envelope", 5},
                                                  {.name = NULL}};

static const struct family_paper pwg_types[] = {
    {"stationery", 0}, {"photographic", 0}, {.name = NULL}};

static const struct family list[] = {
    {.name = "pwg-raster",
     .description = "PWG raster of 1 bit, gray",
     .kind = FAMILY_LASER,
     .duplex = true,
     .format = "application/vnd.cups-raw",
     .dpi = {{300, 300}, {600, 600}, {1200, 1200}},
     .sources = pwg_sources,
     .types = pwg_types}};

static const struct family_rule rules[] = {
    /* By IPP nothing but PWG raster is sent; who does not take it, or is not
     * reached, has no name here. */
    {.family = "pwg-raster", .model = "*[! ]*", .uri = IPP},
    {.family = NULL, .uri = IPP}};

const struct families families_pwg = FAMILIES(list, rules);
