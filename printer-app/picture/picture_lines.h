/*
 * picture_lines.h - a picture becomes lines of the sheet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PICTURE_LINES_H
#define PRINTER_APP_PICTURE_LINES_H

#include "printer-app/picture/picture.h"
#include "printer-app/rip/rip_place.h"

struct picture_lines {
    const struct picture *picture; /* the caller's, as the place */
    const struct rip_place *place;
    int64_t left, right, top, bottom; /* what the picture covers of the sheet */
    uint32_t width;                   /* of the sheet */
    bool smooth;
    int64_t *at; /* [right - left], 1/256 of a column of the picture */
};

/* Prepares a picture that covers `place`. `smooth`: it is enlarged by
 * interpolation, else by the nearest pixel. False if there is no memory. Call
 * picture_lines_close() whatever it returned. */
bool picture_lines_open(struct picture_lines *lines,
                        const struct picture *picture,
                        const struct rip_place *place,
                        const struct rip_sheet *sheet, bool smooth);

/* Fills in line `y` of the sheet, [width][depth]. */
void picture_lines_fill(const struct picture_lines *lines, int64_t y,
                        uint8_t *line);

void picture_lines_close(struct picture_lines *lines);

#endif
