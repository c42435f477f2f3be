/*
 * rip_thin.c - what is thinner than a pixel, put back.
 *
 * Where shapes fill the pixels whose centers they cover, bars are as wide as
 * drawn, and a shape between two centers is lost. Where they fill all that they
 * touch, none is lost, and all are wider. So the second picture says what the
 * first one lacks: colors that are nowhere near there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "printer-app/rip/rip_thin.h"

/* Whether the pixel at `x`, `y` or one around it has that color. */
static bool is_near(const struct rip_exact *exact, size_t x, size_t y,
                    const uint8_t *color)
{
    const size_t left = x > 0 ? x - 1 : x, top = y > 0 ? y - 1 : y;

    for (size_t v = top; v <= y + 1 && v < exact->height; v++)
        for (size_t u = left; u <= x + 1 && u < exact->width; u++)
            if (memcmp(exact->pixels + (v * exact->width + u) * exact->depth,
                       color, exact->depth) == 0)
                return true;
    return false;
}

void rip_thin_keep(const struct rip_exact *exact, size_t y, uint8_t *row)
{
    const size_t depth = exact->depth;
    const uint8_t *its = exact->pixels + y * exact->width * depth;

    for (size_t x = 0; x < exact->width; x++, its += depth, row += depth)
        if (memcmp(row, its, depth) != 0 && is_near(exact, x, y, row))
            memcpy(row, its, depth);
}
