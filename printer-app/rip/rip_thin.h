/*
 * rip_thin.h - keeps shapes that are thinner than a pixel where bars are to be
 * as wide as drawn.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_THIN_H
#define PRINTER_APP_RIP_THIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A picture in which shapes fill the pixels whose centers they cover. */
struct rip_exact {
    uint8_t *pixels; /* [height][width][depth] */
    size_t width, height, depth;
};

/* Gets row `y` [width][depth] of the picture in which shapes fill all pixels
 * that they touch, and makes it that of `exact`, with what is too thin for
 * that. Cannot fail. */
void rip_thin_keep(const struct rip_exact *exact, size_t y, uint8_t *row);

#endif
