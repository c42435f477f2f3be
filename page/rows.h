/*
 * rows.h - lines of raster to rows of ink, rows of dots to lines of raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_ROWS_H
#define PAGE_ROWS_H

#include "page/layout.h"

/* Bytes of a row of dots, [inks][(width * dot_bits + 7) / 8]. */
size_t rows_dot_bytes(const struct layout *layout);

/* Whether lines come as the engine takes them, [inks][width], so that they
 * can be read to where their ink is to be. */
bool rows_are_ink(const struct layout *layout);

/*
 * Turns one row's samples into ink, 0 = bare paper, in the engine's order.
 *
 *   line  a chunked or banded line; for a planar page, its first plane's
 *         line, the next plane's being `plane_bytes` further. May be `ink`
 *         when rows_are_ink().
 *   ink   [inks][width] samples of layout->bits
 *
 * `inked` are the inks, a bit each, that may have samples other than 0 in `ink`
 * before; returns those that may have some afterwards.
 */
uint16_t rows_to_ink(const struct layout *layout, const uint8_t *line,
                     size_t plane_bytes, uint8_t *ink, uint16_t inked);

/* Turns one row's dots, rows_dot_bytes(), into the line that leaves,
 * layout->out_line_bytes. */
void rows_to_line(const struct layout *layout, const uint8_t *dots,
                  uint8_t *line);

/* Fills lines that leave with bare paper. */
void rows_blank(const struct layout *layout, uint8_t *line, size_t bytes);

#endif
