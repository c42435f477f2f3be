/*
 * paper_light.h - computes the look of dots on paper: rows of dots become rows
 * of light, by the model printer of doc/dev/color-model.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PAPER_LIGHT_H
#define TOOLS_PAPER_LIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "page/layout.h"

struct paper_light;

#define PAPER_SIZES 3 /* of drops, at most */

/* Begins a page of dots, or of drops: layout->bits is 1 or 2. `area` are those
 * of the sizes, 0..1 of a whole dot; NULL of dots. NULL without memory. */
struct paper_light *paper_light_open(const struct layout *layout,
                                     const double area[PAPER_SIZES]);

/* Frees it; NULL is allowed. */
void paper_light_close(struct paper_light *paper);

/*
 * Takes the page's next row, samples [inks][width] as in struct raster, or NULL
 * behind the last one. If a row of light is done, from the page's first one on,
 * `*light` [width][3] is linear sRGB: 1 is bare paper, 0 nearly solid black,
 * and inks that are darker or outside sRGB are below 0 or above 1; valid until
 * the next call. False if no row is done yet: call it with the next row.
 */
bool paper_light_row(struct paper_light *paper, const uint16_t *samples,
                     float (**light)[3]);

#endif
