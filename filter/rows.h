/*
 * rows.h - lines of raster to rows of ink, rows of dots to lines of raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_ROWS_H
#define FILTER_ROWS_H

#include "filter/layout.h"

/*
 * Turns one row's samples into ink, 0 = bare paper, in the engine's order.
 *
 *   line  a chunked or banded line; for a planar page, its first plane's
 *         line, the next plane's being `plane_bytes` further
 *   ink   [inks][width] samples of layout->bits
 */
void rows_to_ink(const struct layout *layout, const uint8_t *line,
                 size_t plane_bytes, uint8_t *ink);

/* Turns one row's dots [inks][(width+7)/8] into the line that leaves,
 * layout->out_line_bytes. */
void rows_to_line(const struct layout *layout, const uint8_t *dots,
                  uint8_t *line);

/* Fills lines that leave with bare paper. */
void rows_blank(const struct layout *layout, uint8_t *line, size_t bytes);

#endif
