/*
 * lines.c - HalftoneLines: how fine the dots of the method Screen are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/lines.h"
#include "halftone/halftone.h"

/* With more cells they have less than 14 pixels, and light tints print single
 * pixels, which a laser printer does not hold. */
#define MOST_CELLS 24u

/* Returns what is usual: fine enough not to be seen, and no finer than the
 * printer's dots are steady. */
static uint32_t usual_lines(uint32_t dpi)
{
    return dpi < 450 ? 53 : dpi < 900 ? 106 : 141;
}

uint32_t lines_to_cells(uint32_t lines, uint32_t dpi)
{
    const double root = 1.41421356237309505; /* cells lie at 45 degrees */
    double cells;

    if (lines == 0)
        lines = usual_lines(dpi);
    cells = 128 * lines / (root * dpi);
    return cells < HT_MIN_CELLS ? HT_MIN_CELLS
           : cells > MOST_CELLS ? MOST_CELLS
                                : (uint32_t)(cells + 0.5);
}
