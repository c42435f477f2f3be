/*
 * color.h - the colors of dots and of contone inks: Neugebauer's primaries,
 * Demichel's areas, CIE L*a*b*.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_COLOR_H
#define TRAIN_COLOR_H

#include "train/plane.h"

#define COLOR_INKS 4 /* K, C, M, Y, as pages have them */
#define COLOR_PRIMARIES (1 << COLOR_INKS)

/* X, Y and Z of the pixels, each [height][width]; paper is color_paper. */
struct colors {
    int width, height;
    double *plane[3];
};

/* X, Y, Z of solid inks, by bits K = 1, C = 2, M = 4, Y = 8: doc/user/color.md.
 * Paper is D50, Y = 100. */
extern const double color_primaries[COLOR_PRIMARIES][3];

/* The mean color of inks that cover `area` [COLOR_INKS], 0..1, and meet by
 * chance (Demichel). */
void color_of_areas(const double *area, double xyz[3]);

/* CIE 1976 L*a*b*, relative to paper, and the distance of two of these. */
void color_lab(const double xyz[3], double lab[3]);
double color_distance(const double a[3], const double b[3]);

/* The colors of dots [COLOR_INKS], 0 or 1, of one size. The caller's, until
 * colors_free(). */
struct colors colors_of_dots(const struct plane *dots);

/* Those of tones [COLOR_INKS], 0..255, by Demichel, in the same way. */
struct colors colors_of_tones(const struct plane *tones);

void colors_free(struct colors *colors);

/* Turns X, Y, Z into L*, a*, b*, in place. */
void colors_to_lab(struct colors *colors);

/* The mean of a rectangle of pixels. */
void colors_mean(const struct colors *colors, int left, int top, int width,
                 int height, double mean[3]);

#endif
