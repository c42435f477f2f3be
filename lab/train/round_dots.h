/*
 * round_dots.h - the look of several inks' dots: round and larger than their
 * pixels, or square, with an ink out of register.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_ROUND_DOTS_H
#define TRAIN_ROUND_DOTS_H

#include "lab/train/color.h"

#define ROUND_DIAMETER 1.41 /* pitches, of the dots that are judged first */

/* The look of dots. */
struct look {
    double diameter;    /* of round dots, in pitches, of which sqrt 2 is the
                           pixel's diagonal; 0: dots fill their pixels */
    double right, down; /* displacement of magenta, in pixels, -1..1 */
    double aspect;      /* a pixel's height over its width, 1/2..2; 0 = 1 */
};

extern const struct look look_round, look_square; /* of dots in register */

/* The colors of drops [COLOR_INKS], the numbers 0..3 of their sizes, where a
 * size covers `area` [HT_MAX_LEVELS] of a whole dot: the mean of each pixel.
 * The picture is taken as a torus. The caller's, until colors_free(). */
struct colors round_dots(const struct plane *drops, const double *area,
                         const struct look *look);

#define ROUND_INKS 15 /* at most */

/* Inks of a page. */
struct round_inks {
    int count;
    double (*primary)[3];        /* [1 << count], of each set of them */
    double diameter[ROUND_INKS]; /* of their dots, in pitches */
    unsigned moved;              /* inks that are displaced, a bit each */
};

/* round_dots() for drops of other inks; those of `look` do not count. */
struct colors round_dots_of(const struct round_inks *inks,
                            const struct plane *drops, const double *area,
                            const struct look *look);

#endif
