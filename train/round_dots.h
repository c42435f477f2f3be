/*
 * round_dots.h - what round dots look like that are larger than their pixels,
 * with an ink out of register.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_ROUND_DOTS_H
#define TRAIN_ROUND_DOTS_H

#include "train/color.h"

/* How far magenta lies from where it should, in pixels, -1..1. */
struct misregister {
    double right, down;
};

/* The colors of dots [COLOR_INKS], 0 or 1, of one size, whose diameter is 1.3
 * pixels: the mean of each pixel. The picture is taken as a torus. The
 * caller's, until colors_free(). */
struct colors round_dots(const struct plane *dots,
                         const struct misregister *moved);

#endif
