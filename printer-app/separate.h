/*
 * separate.h - turns lines of raster from clients into lines of the printer's
 * inks: without the margins that it cannot print, and in K or KCMY.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_SEPARATE_H
#define PRINTER_APP_SEPARATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cups/raster.h>

#include "page/color/table.h"

/* In pixels, of a sheet. */
struct margins {
    uint32_t left, bottom, right, top;
};

struct separation {
    cups_cspace_t from;
    uint32_t left, width;            /* pixels of a line that stay */
    uint32_t pixel;                  /* bytes of one that comes */
    uint32_t inks;                   /* of one that leaves: 1 or 4 bytes */
    uint32_t top, height;            /* lines that stay */
    const struct color_table *table; /* of light to 4 inks; NULL = by
                                        complement. The caller's to set */
};

/*
 * Prepares the lines of a page and changes its header from what comes to what
 * leaves: 8 bits of K, or of K, C, M and Y chunked if the page has colors and
 * the printer, `color`. False with the reason in `why` [LAYOUT_WHY] for other
 * pages than 8-bit chunked ones of W, sGray, K, RGB, sRGB, Adobe RGB or CMYK,
 * and where the margins leave nothing.
 */
bool separation_of(struct separation *separation, cups_page_header2_t *header,
                   const struct margins *margins, bool color, char *why);

/*
 * Separates a line [width of the page][pixel] into [width][inks]. The table
 * turns light into four inks. Without a table, K is the common part of C, M and
 * Y, which are the complements, and is taken off these. Without color, a line
 * of light becomes its luminance (ITU-R BT.601), and one of CMYK the luminance
 * that its inks leave.
 */
void separate_line(const struct separation *separation, const uint8_t *line,
                   uint8_t *inks);

#endif
