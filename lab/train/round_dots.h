/*
 * round_dots.h - the look of round dots that are larger than their pixels, with
 * an ink out of register.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_ROUND_DOTS_H
#define TRAIN_ROUND_DOTS_H

#include "lab/train/color.h"

/* Displacement of magenta, in pixels, -1..1. */
struct misregister {
    double right, down;
};

/* The colors of drops [COLOR_INKS], the numbers 0..3 of their sizes, where a
 * whole dot's diameter is 1.3 pixels and a size's area is `area` [4] of its:
 * the mean of each pixel. The picture is taken as a torus. The caller's, until
 * colors_free(). */
struct colors round_dots(const struct plane *drops, const double *area,
                         const struct misregister *moved);

#endif
