/*
 * cost.h - the distance of a flat halftone from direct binary search.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_COST_H
#define TRAIN_COST_H

#include "lab/train/reference.h"

/*
 * The paper's costs on averaged amplitude spectra [SPECTRUM_BINS], the mean
 * frequency left out: means over the full plane, also for (6), of which the
 * paper takes the sum. (8) is the "texture distance" of the meter, 0 to 1. Bins
 * where a denominator is 0 count 0.
 */
double cost_li(const double *dbs, const double *halftone);    /* (6) */
double cost_chang(const double *dbs, const double *halftone); /* (7) */
double cost_han(const double *dbs, const double *halftone);   /* (8) */

enum cost_kind { COST_EXTENDED, COST_LI, COST_CHANG, COST_HAN };

/* Cost of a tone that cannot be printed, and the least of one out of bounds:
 * more than any that is printed. */
#define COST_REFUSED 1000

#define COST_SIDE 512 /* pixels of a patch that is judged */

/* Columns that are printed and not judged, half of them at each side; as many
 * rows as at a side above. */
#define COST_MARGIN 128

/* Up to this tone dots are so few that one patch says little, and that one at
 * the wrong place is seen: what the eye sees counts four times there. */
#define COST_FEW_DOTS 10

/* References for a patch: the texture of the best DBS, and the HVS errors of
 * both (dbs.h). */
struct target {
    const struct reference *usual, *best;
};

/*
 * Judges the patch of `tone` (0..255), [COST_SIDE][COST_SIDE], against the
 * references of that tone. The extended cost is (8) and
 *   0.1   max(0, ln ratio)  ratio of the HVS error to the usual DBS's,
 *   0.05  max(0, ln ratio)  the same from twice the distance,
 *   0.02 and 0.005          the same two to the best DBS's,
 *   0.001 x the sum over vertical frequencies 1/8 .. 4/8 of
 *         max(0, ln(power / DBS's)), which a swath's unequal rows raise,
 *   0.001 x max(0, spread - 0.5)  of the means of rows 8 apart, in 1/255.
 * the ratios' terms four times up to tone COST_FEW_DOTS. A ratio under 1 earns
 * nothing: it would reward checkerboards.
 */
double cost_of(enum cost_kind kind, const struct plane *dots, int tone,
               const struct target *target);

/* HVS errors of such a patch at S and 2S, seen through a window that fades at
 * its sides. */
void cost_seen(const struct plane *dots, int tone, double error[2]);

/* The means of rows 0, 8, 16 .., of rows 1, 9, 17 .. and so on, in shares of a
 * dot. */
void cost_row_means(const struct plane *dots, double mean[8]);

/* Largest less smallest of these means, in 1/255. */
double cost_row_spread(const struct plane *dots);

#endif
