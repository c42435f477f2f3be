/*
 * drops.h - maps of drops of several sizes, in whole dots by their area: a map
 * for each size, of the drops that are at least as large, and what each adds to
 * the next smaller one as its weight.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INK_MAP_DROPS_H
#define INK_MAP_DROPS_H

#include "tools/ink-map/map.h"

#define INK_DROPS_SIZES 5u

struct ink_drops;

/* Begins a page. `area` are those of the sizes, 0..1 of a whole dot, the
 * smallest first. Ignores the device in `job`. False when there is not enough
 * memory. */
bool ink_drops_open(struct ink_drops **out, const struct ink_map_job *job,
                    const double area[INK_DROPS_SIZES]);

/* Counts a row of sizes [inks][pixels], 0 = none. After the last row all sums
 * have been taken, each rounded to whole dots. */
void ink_drops_count(struct ink_drops *drops, const uint16_t *sizes);

/* Returns the dots of an ink in all rows, rounded; after the last one. */
uint64_t ink_drops_dots(const struct ink_drops *drops, uint32_t ink);

/* NULL is allowed. */
void ink_drops_close(struct ink_drops *drops);

#endif
