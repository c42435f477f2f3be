/*
 * loads.h - the loads of a page's windows: 1 is one solid ink.
 *
 * A place of the page has the load of its window (map.h), and counts as
 * much as its pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INK_MAP_LOADS_H
#define INK_MAP_LOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/ink-map/map.h"

/* Loads are told apart by a ten-thousandth. */
#define INK_LOADS_STEPS 10000u

struct ink_loads {
    struct ink_map_axis across, down;
    double limit;     /* a load */
    uint64_t *pixels; /* [INK_MAP_INKS * INK_LOADS_STEPS + 1]: of places */
    uint64_t above;   /* pixels of places with more than `limit` */
    uint64_t worst;   /* dots of the window with most */
    uint32_t x, y;    /* its first pixel, of several the uppermost's */
};

/* Begins with no place. False when there is not enough memory. Close it in any
 * case. */
bool ink_loads_open(struct ink_loads *loads, const struct ink_map_axis *across,
                    const struct ink_map_axis *down, double limit);

/* Adds a row of places; dots [across.places] are those of their windows. */
void ink_loads_add(struct ink_loads *loads, uint32_t row, const uint64_t *dots);

/* Returns the load of a window with `dots` dots. */
double ink_loads_of(const struct ink_loads *loads, uint64_t dots);

/* Returns the least load, within a half of a ten-thousandth, that places on
 * `share` of the page, 0..1, do not exceed. */
double ink_loads_share(const struct ink_loads *loads, double share);

void ink_loads_close(struct ink_loads *loads);

#endif
