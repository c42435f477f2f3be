/*
 * color.h - the colors of pictures of dots and of contone inks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_COLOR_H
#define TRAIN_COLOR_H

#include "halftone/halftone.h"
#include "page/color/color.h"
#include "lab/train/plane.h"

/* X, Y and Z of the pixels, each [height][width]; paper is
 * color_primaries[0]. */
struct colors {
    int width, height;
    double *plane[3];
};

/* Zeros. The caller's, until colors_free(). */
struct colors colors_new(int width, int height);

/* The colors of dots [COLOR_INKS], 0 or 1, of one size. The caller's, until
 * colors_free(). */
struct colors colors_of_dots(const struct plane *dots);

/* colors_of_dots() for drops of several sizes, their numbers in the planes:
 * inks that cover `area` [HT_MAX_LEVELS], 0..1, of a pixel meet by chance. */
struct colors colors_of_drops(const struct plane *drops, const double *area);

/* colors_of_dots() for tones [COLOR_INKS], 0..255, by Demichel; each covers
 * `curve` [COLOR_INKS], 0..1, or a share of 255 if that is NULL. */
struct colors colors_of_tones(const struct plane *tones, double curve[][256]);

void colors_free(struct colors *colors);

/* A copy of the picture, the caller's. */
struct colors colors_copy(const struct colors *colors);

/* Turns X, Y, Z into L*, a*, b*, in place. */
void colors_to_lab(struct colors *colors);

/* The mean CIELAB distance of pictures of X, Y, Z, of all pixels but the outer
 * `margin`. Turns both into L*, a*, b*. */
double colors_distance(struct colors *a, struct colors *b, int margin);

/* The mean of a rectangle of pixels. */
void colors_mean(const struct colors *colors, int left, int top, int width,
                 int height, double mean[3]);

#endif
