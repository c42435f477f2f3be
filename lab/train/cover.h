/*
 * cover.h - the look of one ink's dots: how much of each pixel they cover, and
 * how even that is to the eye.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_COVER_H
#define TRAIN_COVER_H

#include "lab/train/plane.h"
#include "lab/train/scielab.h"

#define COVER_PARTS 24          /* of a pixel, across and down */
#define COVER_SETS (1 << 3 * 3) /* of dots on a pixel and around it */
#define COVER_MARGIN 64         /* pixels, not judged, at every edge */

/* Dots: their diameter in pitches, of which sqrt 2 is the pixel's diagonal, or
 * 0 for those that fill their pixels; and that of the smaller drops on all
 * other pixels, 0 without any. */
struct cover_dots {
    double diameter, smaller;
};

/* Share of a pixel that a set of dots covers; bit 3 (down + 1) + right + 1 of
 * the index is the dot of that neighbour. */
struct cover {
    double of[COVER_SETS];
};

/* Fills the table for dots. Pixels are `aspect` times as high as wide, 1/2..2,
 * and counted in `parts` x `parts`. */
void cover_init(struct cover *cover, struct cover_dots dots, double aspect,
                int parts);

/* Returns what dots cover of each pixel, [height][width]; the picture is a
 * torus. free() it. */
double *cover_plane(const struct cover *cover, const struct plane *dots);

/* Returns the mean of a picture without its outer COVER_MARGIN pixels. */
double cover_mean(const double *value, int width, int height);

/* Turns what black ink covers of each pixel into S-CIELAB L*, in place. */
void cover_see(double *value, int width, int height, struct sight sight);

/* Returns the standard deviation of a picture without its outer COVER_MARGIN
 * pixels. */
double cover_grain(const double *value, int width, int height);

/* Returns the L* of paper of which black ink covers `area`, 0..1. */
double cover_lightness(double area);

#endif
