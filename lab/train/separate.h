/*
 * separate.h - finds areas of K, C, M and Y that have a color on paper.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_SEPARATE_H
#define TRAIN_SEPARATE_H

#include "page/color/color.h"

/* Limit of all inks' areas together; tones are never more than their areas, so
 * neither is their sum. */
#define SEPARATE_LIMIT 3.0

/* L*, a*, b* of inks that cover these areas, 0..1, and meet by chance. */
void separate_lab(const double area[COLOR_INKS], double lab[3]);

/* Returns the distance of the nearest color that all inks can print, in L*a*b*
 * with chroma and hue counting for less than lightness. */
double separate_nearest(const double lab[3]);

/* The bounds of K among the inks that print a color, or the one nearest to it,
 * and what is wanted between them. */
struct black_share {
    double least, most, wanted;
    double gray;   /* 1 = a gray, which has no black but its own; 0 = a color */
    double off;    /* how far the nearest color is; 0 in the gamut */
    double lab[3]; /* that color */
};

/* Finds them for L*, a*, b*. Grays get mostly K as far as there is as dark a K,
 * with enough of the others that its dots lie as they do beside other inks; the
 * more color and the lighter, the less of K. */
struct black_share separate_black(const double lab[3]);

/* The areas [COLOR_INKS], with so much K, whose color is nearest; returns how
 * far it is. */
double separate_with_black(const double lab[3], double black,
                           double area[COLOR_INKS]);

#endif
