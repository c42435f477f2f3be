/*
 * epson.c - inkjet and dot matrix printers of Epson and others with ESC/P.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/family.h"

/* ESC C takes 127 lines of 1/6 inch. */
#define LARGEST "custom_max_330x533mm"

static const struct family list[] = {
    {.name = "epson-escp2",
     .description = "Epson Stylus, ESC/P 2",
     .kind = FAMILY_INKJET,
     .color = true,
     .format = "application/vnd.epson-escp",
     .writer = "escp2",
     .dpi = {{180, 180}, {360, 360}, {720, 360}},
     .left_right = 318,
     .bottom_top = 1411,
     .sources = family_one_source,
     .types = family_plain},
    {.name = "epson-24pin",
     .description = "Epson and other ESC/P printers with 24 pins",
     .kind = FAMILY_INKJET,
     .format = "application/vnd.epson-escp",
     .packer = "rastertoepson",
     .model = 1,
     .rows = 24,
     .largest = LARGEST,
     .dpi = {{180, 180}, {360, 180}},
     .left_right = 635,
     .bottom_top = 635,
     .sources = family_one_source,
     .types = family_plain},
    {.name = "epson-9pin",
     .description = "Epson and other ESC/P printers with 9 pins",
     .kind = FAMILY_INKJET,
     .format = "application/vnd.epson-escp",
     .packer = "rastertoepson",
     .model = 0,
     .rows = 8,
     .largest = LARGEST,
     .dpi = {{60, 72}, {120, 72}, {240, 72}},
     .left_right = 635,
     .bottom_top = 635,
     .sources = family_one_source,
     .types = family_plain}};

static const struct family_rule rules[] = {
    {.family = "epson-24pin",
     .commands = "ESC*",
     .maker = "epson*",
     .model = "* lq-*|* dlq-*"},
    {.family = "epson-escp2", .commands = "ESCPL2|ESCP2|ESCP2E|ESC/P2|ESC/P 2"},
    {.family = "epson-9pin", .commands = "ESCP9|ESC/P9|FX"},
    {.family = "epson-24pin", .commands = "ESCP|ESC/P|ESCP24|EPSONLQ|LQ"},
    /* Beside PCL, as lasers of Oki have it, this is an emulation. */
    {.family = "epson-9pin",
     .commands = "EPSONFX",
     .unless = "PCL|PCL5*|PCL 5*|PCL6*|PCL 6*|* PCL5*|* PCL6*|HPPCL"}};

const struct families families_epson = FAMILIES(list, rules);
