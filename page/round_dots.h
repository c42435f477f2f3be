/*
 * round_dots.h - the model of a printer: round dots that are larger than their
 * pixels and overlap, doc/dev/color-model.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BASE_ROUND_DOTS_H
#define BASE_ROUND_DOTS_H

#include <stdint.h>

#include "page/color/color.h"

#define ROUND_MAX_DIAMETER 2.0 /* pixels */

#define ROUND_SIDE 16 /* parts of a pixel, across and down */
#define ROUND_PARTS (ROUND_SIDE * ROUND_SIDE)
#define ROUND_WORDS (ROUND_PARTS / 64)
#define ROUND_NEIGHBOURS 9

/* Parts of a pixel that are covered by the dots on it and around it: bit i of
 * the index is neighbour i, row by row from the upper left. */
struct round_dots {
    uint64_t parts[1 << ROUND_NEIGHBOURS][ROUND_WORDS];
};

/* The model's dots of K, C, M and Y, in pixels. sqrt 2 is the smallest that
 * leaves no hole in a solid. */
extern const double round_diameters[COLOR_INKS];

/* Fills the table for dots of `diameter` pixels, up to ROUND_MAX_DIAMETER, that
 * lie `right` and `down` of their places, -0.5..0.5 pixels each. */
void round_dots_init(struct round_dots *dots, double diameter, double right,
                     double down);

/* Fills the table for drops that cover `share`, 0..1, of the area of dots of
 * `diameter` pixels, to 1/256 of a pixel: few parts lie in a small circle, and
 * whole rings of them are up to 8 % off. A share of 1 gives these dots. */
void round_drops_init(struct round_dots *dots, double diameter, double share);

/* Returns how much of a pixel is covered, 0..1. */
double round_dots_area(const struct round_dots *dots, unsigned set);

/* Adds the parts of a pixel that the dots of a set cover. */
void round_dots_cover(const struct round_dots *dots, unsigned set,
                      uint64_t parts[ROUND_WORDS]);

/* The share of a pixel that each combination of inks has, when ink k covers
 * parts[k], or the parts of sets[k] in dots[k]. */
void round_parts_shares(const uint64_t parts[COLOR_INKS][ROUND_WORDS],
                        double share[COLOR_PRIMARIES]);
void round_dots_shares(const struct round_dots dots[COLOR_INKS],
                       const unsigned sets[COLOR_INKS],
                       double share[COLOR_PRIMARIES]);

#endif
