/*
 * epson.c - inkjet and dot matrix printers of Epson and others with ESC/P.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/families/family.h"

/* The carriage takes 15 inches, and ESC C 127 lines of 1/6 inch. */
#define LARGEST "custom_max_381x533mm"

/* ESC/P 2 with drops of several sizes: those of a printer of
 * halftone/tables/drops. */
#define SIZED(driver, printers, sizes)                                         \
    {                                                                          \
        .name = driver, .description = "Epson " printers ", drop sizes",       \
        .kind = FAMILY_INKJET, .color = true,                                  \
        .format = "application/vnd.epson-escp", .writer = "escp2v",            \
        .drops = sizes, .dpi = {{360, 360}, {720, 720}, {1440, 720}},          \
        .left_right = 318, .bottom_top = 1411, .sources = family_one_source,   \
        .types = family_plain                                                  \
    }
#define ESCP2 "ESCPL2|ESCP2|ESCP2E|ESC/P2|ESC/P 2"
#define SIZED_BY(driver, models)                                               \
    {                                                                          \
        .family = driver, .commands = ESCP2, .maker = "epson*",                \
        .model = models                                                        \
    }

/* Dot matrix, of so many pins: rastertoepson's `number` of a model. */
#define PINS(driver, pins, number, head, ...)                                  \
    {                                                                          \
        .name = driver,                                                        \
        .description = "Epson and other ESC/P printers with " pins " pins",    \
        .kind = FAMILY_INKJET, .format = "application/vnd.epson-escp",         \
        .packer = "rastertoepson", .model = number, .rows = head,              \
        .largest = LARGEST, .dpi = {__VA_ARGS__}, .left_right = 635,           \
        .bottom_top = 635, .sources = family_one_source, .types = family_plain \
    }

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
    SIZED("epson-escp2v-6pl", "Stylus Color 740, Photo 750 and 1200",
          "epson-6pl"),
    SIZED("epson-escp2v-4pl", "Stylus Color 760 and 860, Photo 870 and 1270",
          "epson-4pl"),
    SIZED("epson-escp2v-pigment", "Stylus C70 to C88", "epson-pigment"),
    SIZED("epson-escp2v-3pl", "Stylus Photo R200 to R350", "epson-3pl"),
    SIZED("epson-escp2v-pro", "Stylus Pro 4000, 7600 and 9600", "epson-pro"),
    SIZED("epson-escp2v", "Stylus Photo of the R series and others", "generic"),
    PINS("epson-24pin", "24", 1, 24, {180, 180}, {360, 180}),
    PINS("epson-9pin", "9", 0, 8, {60, 72}, {120, 72}, {240, 72})};

static const struct family_rule rules[] = {
    {.family = "epson-24pin",
     .commands = "ESC*",
     .maker = "epson*",
     .model = "* lq-*|* dlq-*"},
    /* The models that Gutenprint 5.3.4 gives these sizes; all of the R series
     * have some. */
    SIZED_BY("epson-escp2v-6pl", "* color 740 *|* photo 750 *|* photo 1200 *"),
    SIZED_BY("epson-escp2v-4pl",
             "* color 760 *|* color 860 *|* photo 87[05] *|* photo 1270 *"),
    SIZED_BY("epson-escp2v-pigment", "* stylus c[78]0 *|* stylus c8[2-8] *"),
    SIZED_BY("epson-escp2v-3pl", "* photo r2[0-3]0 *|* photo r3[01245]0 *"),
    SIZED_BY("epson-escp2v-pro", "* pro 4000 *|* pro [79]600 *"),
    SIZED_BY("epson-escp2v", "* stylus photo r[0-9]*|* stylus photo rx[0-9]*"),
    {.family = "epson-escp2", .commands = ESCP2},
    {.family = "epson-9pin", .commands = "ESCP9|ESC/P9|FX"},
    {.family = "epson-24pin", .commands = "ESCP|ESC/P|ESCP24|EPSONLQ|LQ"},
    /* Beside PCL, as lasers of Oki have it, this is an emulation. */
    {.family = "epson-9pin",
     .commands = "EPSONFX",
     .unless = "PCL|PCL5*|PCL 5*|PCL6*|PCL 6*|* PCL5*|* PCL6*|HPPCL"}};

const struct families families_epson = FAMILIES(list, rules);
