/*
 * loads.c - a histogram of loads: its size does not depend on the page's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>

#include "tools/ink-map/loads.h"

bool ink_loads_open(struct ink_loads *loads, const struct ink_map_axis *across,
                    const struct ink_map_axis *down, double limit)
{
    *loads =
        (struct ink_loads){.across = *across, .down = *down, .limit = limit};
    loads->pixels =
        calloc(INK_MAP_INKS * INK_LOADS_STEPS + 1, sizeof *loads->pixels);
    return loads->pixels != NULL;
}

void ink_loads_close(struct ink_loads *loads)
{
    free(loads->pixels);
    loads->pixels = NULL;
}

double ink_loads_of(const struct ink_loads *loads, uint64_t dots)
{
    return (double)dots / ((double)loads->across.window * loads->down.window);
}

void ink_loads_add(struct ink_loads *loads, uint32_t row, const uint64_t *dots)
{
    uint32_t high = ink_map_place(&loads->down, row);
    double load = ink_loads_of(loads, 1); /* of a dot */
    double most = loads->limit / load;    /* dots */

    for (uint32_t i = 0; i < loads->across.places; i++) {
        uint64_t pixels = (uint64_t)ink_map_place(&loads->across, i) * high;
        double step = (double)dots[i] * load * INK_LOADS_STEPS;

        loads->pixels[(uint32_t)(step + 0.5)] += pixels;
        if ((double)dots[i] > most)
            loads->above += pixels;
        if (dots[i] > loads->worst) {
            loads->worst = dots[i];
            loads->x = ink_map_begin(&loads->across, i);
            loads->y = ink_map_begin(&loads->down, row);
        }
    }
}

double ink_loads_share(const struct ink_loads *loads, double share)
{
    double wanted = share * ((double)loads->across.pixels * loads->down.pixels);
    uint64_t pixels = 0;
    uint32_t step = 0;

    for (; step < INK_MAP_INKS * INK_LOADS_STEPS; step++) {
        pixels += loads->pixels[step];
        if ((double)pixels >= wanted)
            break;
    }
    return (double)step / INK_LOADS_STEPS;
}
