/*
 * grain.h - the grain of a flat tint of one ink, with square and round dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_GRAIN_H
#define TRAIN_GRAIN_H

#include "lab/train/cover.h"

#define GRAIN_DOTS 4      /* kinds of dots that a judge looks at, at most */
#define GRAIN_DISTANCES 2 /* 12 inches, and 6 */
#define GRAIN_SIDE 512    /* pixels of a patch that are judged, a side */

/* Judge of tints: made by grain_judge_new(), the caller's. */
struct grain_judge {
    int kinds;
    struct cover cover[GRAIN_DOTS];
    float *power[GRAIN_DISTANCES]; /* that the eye lets through */
    float *taper;                  /* [GRAIN_SIDE] */
};

struct grain {
    /* Standard deviation of L* as the eye sees it. */
    double seen[GRAIN_DOTS][GRAIN_DISTANCES];
    double light[GRAIN_DOTS]; /* L* of the mean */
    double mean;              /* of the dots */
    double rows; /* the largest less the smallest mean of rows 8 apart, /255 */
};

/* Makes a judge of `kinds` dots at a resolution in dots an inch. */
void grain_judge_new(struct grain_judge *judge, int kinds,
                     const struct cover_dots *dots, double across, double down);
void grain_judge_free(struct grain_judge *judge);

/* Judges dots of one ink, as black as the model printer's; GRAIN_SIDE + 2
 * pixels a side, of which the outer ones lie beside the patch. Small deviations
 * alone: L* is taken as linear around the mean. */
void grain_measure(struct grain *out, const struct grain_judge *judge,
                   const struct plane *dots);

#endif
