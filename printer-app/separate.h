/*
 * separate.h - lines of raster as clients send them to those of the inks that
 * a printer has: without the margins where it cannot print, and in K or KCMY.
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
 * Separates a line [width of the page][pixel] into [width][inks]. Light becomes
 * four inks by the table. Without one K is what C, M and Y, its complements,
 * have in common, and these lose it. Without color the line is its luminance
 * (ITU-R BT.601), of CMYK what its inks leave of that.
 */
void separate_line(const struct separation *separation, const uint8_t *line,
                   uint8_t *inks);

#endif
