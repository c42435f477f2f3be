/*
 * tints.h - judges and prints sheets of flat tints of several inks, in drops of
 * several sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_TINTS_H
#define TRAIN_TINTS_H

#include "lab/train/printer.h"
#include "lab/train/round_dots.h"
#include "lab/train/scielab.h"

/* A sheet has its tints as squares, from left to right, in rows. */
#define TINTS_SIDE 640  /* pixels of a tint */
#define TINTS_ACROSS 6  /* tints of a row */
#define TINTS_MARGIN 64 /* pixels of a tint that are left out */

/* Standard deviations that the eye sees in a tint that should be even. */
struct unevenness {
    double light;       /* of Y, percent of paper's, blurred by .12 mm */
    double l, color;    /* of S-CIELAB L*; of a* and b* together */
    double mean_lab[3]; /* of the light's mean */
};

/* The area, 0..1, that each ink [COLOR_INKS] covers inside a tint of a sheet of
 * drops [COLOR_INKS], whose sizes have these areas [HT_MAX_LEVELS]. */
void tints_ink(const struct plane *drops, int tint, const double *area,
               double *ink);

/* Judges the inside of a tint at so many dots an inch down, and `look`'s aspect
 * as many across, from 12 inches. */
struct unevenness tints_judge(const struct plane *drops, int tint,
                              const double *area, const struct look *look,
                              double dpi);

/* Prints `count` tints, each of ink[COLOR_INKS] (0..1) that covers so much
 * inside it, as new planes [COLOR_INKS] of a sheet. False after a message. */
bool tints_print(const struct printer *printer, double ink[][COLOR_INKS],
                 int count, struct plane *sheet);

#endif
