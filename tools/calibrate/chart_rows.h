/*
 * chart_rows.h - the chart as rows of samples, for a printer that needs no
 * RIP to print it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CALIBRATE_CHART_ROWS_H
#define CALIBRATE_CHART_ROWS_H

#include "tools/calibrate/chart.h"

/* The pixels of the chart's sheet, whose upper left corner is theirs. */
struct chart_pixels {
    uint32_t width;        /* of a row */
    uint32_t x_dpi, y_dpi; /* 1.. */
    uint32_t inks;         /* a pixel has: 1, K alone, which a chart of K
                              asks for, or 4, C, M, Y and K */
};

/*
 * Renders row `y`, from 0 at the top; rows below the chart are white. `row`
 * is [width][inks], 0 = bare paper, 255 = solid. A patch has its percent of
 * 255, rounded; its label below is solid K, or the chart's first ink in the
 * place of K if the chart has no K. Cannot fail, and keeps nothing from call to
 * call.
 */
void chart_row(const struct chart *chart, const struct chart_pixels *pixels,
               uint32_t y, uint8_t *row);

#endif
