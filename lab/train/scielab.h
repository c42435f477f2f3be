/*
 * scielab.h - S-CIELAB: the colors of a picture as the eye blurs them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_SCIELAB_H
#define TRAIN_SCIELAB_H

#include "lab/train/color.h"

/* Pixels a degree at 600 dots per inch and 12 inches. */
#define SCIELAB_SCALE 125.66

/*
 * Returns the eye's response to `frequency`, cycles a pixel, at `scale` pixels
 * a degree, in the opponent colors 0 (light), 1 (red and green) and 2 (blue and
 * yellow): Gaussians whose weights sum to 1. 1 at frequency 0.
 */
double scielab_response(int opponent, double frequency, double scale);

/* Pixels a degree. */
struct sight {
    double across, down;
};

/* The sight of dots of so many an inch, from so many inches. */
struct sight scielab_sight(double across, double down, double inches);

/* Blurs X, Y, Z as the eye does, in place; colors_to_lab() then gives S-CIELAB.
 * The picture is taken as a torus. */
void scielab_see_at(struct colors *colors, struct sight sight);

/* scielab_see_at() for square pixels. */
void scielab_see(struct colors *colors, double scale);

/* scielab_see_at() for the Y of paper and black ink, or for what the ink
 * covers: [height][width]. */
void scielab_black(double *value, int width, int height, struct sight sight);

#endif
