/*
 * rip_place.h - places a page of a PDF on the sheet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_PLACE_H
#define PRINTER_APP_RIP_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "printer-app/rip/rip_page.h"

/* Boxes and turn of a page, as its PDF has them. */
struct rip_box {
    double media[4], crop[4]; /* two corners, units; all 0 = there is none */
    double rotate;            /* degrees clockwise */
    double unit;              /* points */
};

struct rip_sheet {
    uint32_t width, height; /* pixels */
};

/* Where a page lies. */
struct rip_place {
    double scale;          /* of the page's size in the PDF */
    int64_t x, y;          /* pixels from the sheet's upper left corner to the
                              page's, perhaps negative */
    int64_t width, height; /* pixels of the page as it lies; at least 1 */
    int64_t angle;         /* 0, 90, 180, 270 degrees anticlockwise, after the
                              page's own */
};

/* Works out the sheet's pixels. False when it has none or too many for a
 * raster page. */
bool rip_sheet_of(struct rip_sheet *sheet, const struct rip_page *page);

/* Places a page on the sheet of `page`. A box that is none, as PDFs may have,
 * is one of 612 x 792 points, which RIPs take then, too. */
void rip_place_of(struct rip_place *place, const struct rip_page *page,
                  const struct rip_sheet *sheet, const struct rip_box *box);

bool rip_place_equal(const struct rip_place *a, const struct rip_place *b);

#endif
