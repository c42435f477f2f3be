/*
 * spaces.h - the color spaces, orders and depths that are accepted, and
 * headers of pages of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_SPACES_H
#define TEST_SPACES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cups/raster.h>

#include "page/layout.h"
#include "test/cases.h"

#define COUNT(list) (sizeof list / sizeof list[0])

/* doc/dev/filter.md's table, once more. */
static const struct space {
    const char *name;
    cups_cspace_t in, out, pwg;
    uint32_t inks;
    bool additive;
    uint8_t channel[4]; /* of the engine's inks, the darkest first */
} spaces[] = {
    {"K", CUPS_CSPACE_K, CUPS_CSPACE_K, CUPS_CSPACE_K, 1, false, {0}},
    {"W", CUPS_CSPACE_W, CUPS_CSPACE_K, CUPS_CSPACE_SW, 1, true, {0}},
    {"SW", CUPS_CSPACE_SW, CUPS_CSPACE_K, CUPS_CSPACE_SW, 1, true, {0}},
    {"CMYK", CUPS_CSPACE_CMYK, CUPS_CSPACE_CMYK, 0, 4, false, {3, 0, 1, 2}},
    {"KCMY", CUPS_CSPACE_KCMY, CUPS_CSPACE_KCMY, 0, 4, false, {0, 1, 2, 3}},
    {"CMY", CUPS_CSPACE_CMY, CUPS_CSPACE_CMY, 0, 3, false, {0, 1, 2}},
    {"RGB", CUPS_CSPACE_RGB, CUPS_CSPACE_CMY, 0, 3, true, {0, 1, 2}},
    {"sRGB", CUPS_CSPACE_SRGB, CUPS_CSPACE_CMY, 0, 3, true, {0, 1, 2}},
    {"AdobeRGB", CUPS_CSPACE_ADOBERGB, CUPS_CSPACE_CMY, 0, 3, true, {0, 1, 2}},
};

/* One of them. */
static inline const struct space *space_named(const char *name)
{
    for (size_t i = 0; i < COUNT(spaces); i++)
        if (strcmp(spaces[i].name, name) == 0)
            return &spaces[i];
    fail_msg("no color space %s", name);
    return NULL;
}

static const cups_order_t orders[] = {CUPS_ORDER_CHUNKED, CUPS_ORDER_BANDED,
                                      CUPS_ORDER_PLANAR};
static const char *const order_names[] = {[CUPS_ORDER_CHUNKED] = "chunked",
                                          [CUPS_ORDER_BANDED] = "banded",
                                          [CUPS_ORDER_PLANAR] = "planar"};
static const uint32_t depths[] = {1, 8, 16};

/* Says which page a case has; `what` is what it has besides. */
static inline void case_is_page(const struct space *space, cups_order_t order,
                                uint32_t bits, uint32_t width, const char *what)
{
    case_is("%s, %s, %u bits, width %u%s%s", space->name, order_names[order],
            bits, width, what[0] != '\0' ? ", " : "", what);
}

static inline cups_page_header2_t page_of(const struct space *space,
                                          cups_order_t order, uint32_t bits,
                                          uint32_t width, uint32_t height)
{
    uint32_t pixel = order != CUPS_ORDER_CHUNKED     ? bits
                     : bits == 1 && space->inks == 3 ? 4
                                                     : bits * space->inks;
    uint32_t planes = order == CUPS_ORDER_BANDED ? space->inks : 1;

    return (cups_page_header2_t){
        .HWResolution = {600, 300},
        .NumCopies = 3,
        .MediaType = "Plain",
        .cupsWidth = width,
        .cupsHeight = height,
        .cupsBitsPerColor = bits,
        .cupsBitsPerPixel = pixel,
        .cupsBytesPerLine = (width * pixel + 7) / 8 * planes,
        .cupsColorOrder = order,
        .cupsColorSpace = space->in,
        .cupsNumColors = space->inks,
        .cupsRowCount = 7,
        .cupsInteger = {[15] = 15},
    };
}

/* Lays out a page that is to leave so; false if it is refused. */
static inline bool lays_out(struct layout *l, const cups_page_header2_t *h,
                            bool banded, bool pwg)
{
    const struct leaving leaving = {.banded = banded, .pwg = pwg};
    char why[LAYOUT_WHY];

    return layout_read(l, h, &leaving, why);
}

#endif
