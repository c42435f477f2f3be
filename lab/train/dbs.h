/*
 * dbs.h - direct binary search: halftones as good as the eye model can tell,
 * which training aims at.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_DBS_H
#define TRAIN_DBS_H

#include "halftone/halftone.h"
#include "lab/train/plane.h"

/* A search at work on one torus. Open to tests. */
struct dbs {
    struct plane dots; /* numbers of sizes, of which only a whole dot, 1, is
                          toggled */
    float area[HT_MAX_LEVELS]; /* of the sizes, 0, .. */
    float *tone;               /* [height][width], 0..1 */
    int reach;                 /* c_pp is 0 beyond so many rows or columns */
    float *eye;                /* c_pp [2 * reach + 1][2 * reach + 1] */
    float *seen;               /* c_pe [height][width], kept up to date */
};

#define DBS_LEAST 3 /* columns and rows: each pixel has 8 neighbours */

/* Takes a copy of `dots`, [DBS_LEAST..][DBS_LEAST..], and works it out for
 * `tones`; it looks `far` pixels, less on a torus too small for that. */
struct dbs dbs_open(const struct plane *dots, const struct plane *tones,
                    double scale, int far);
void dbs_close(struct dbs *dbs);

/* c_pe anew from the dots, by brute force over c_pp: what the updates have
 * to keep. */
float dbs_brute_force(const struct dbs *dbs, int x, int y);

/* Goes over all pixels once, in an order given by `seed`: each may swap with
 * the best of its 8 neighbours, or be toggled where `toggles` is set and the
 * tone is between 1/16 and 15/16, when that lessens the error. Returns the
 * changes made. */
long dbs_pass(struct dbs *dbs, bool toggles, uint64_t seed);

/*
 * The usual search starts from random places, cuts the eye's autocorrelation
 * off at 24 pixels and, as a swap moves a dot by one pixel only, keeps part
 * of the low frequencies that it started with. The best one starts from error
 * diffusion with random weights and thresholds, which has none, and looks 40
 * pixels far: lab/doc/quality.md says how much less error that leaves.
 */
enum dbs_kind { DBS_USUAL, DBS_BEST };

/* A flat patch of `tone` / 255 on a torus: exactly the share of dots that is
 * nearest, swaps only, until no swap helps. */
struct plane dbs_patch(int width, int height, double tone, double scale,
                       enum dbs_kind kind, uint64_t seed);

/* The usual patch, but looking `far` pixels. */
struct plane dbs_patch_far(int width, int height, double tone, double scale,
                           int far, uint64_t seed);

/* Returns the start of the best search: error diffusion, with exactly that
 * share of dots. */
struct plane dbs_start(int width, int height, double tone, uint64_t seed);

/* Drops of several sizes: those of `drops`, the numbers 0..3 of sizes of these
 * areas, in other places on a torus, from random ones by the usual search. */
struct plane dbs_drops(const struct plane *drops, const double *area,
                       double scale, uint64_t seed);

/* The numbers 0..count-1 in an order given by `seed`. */
void dbs_shuffle(uint32_t *order, uint32_t count, uint64_t seed);

#define DBS_USUAL_FAR 24 /* pixels that the usual search looks */

/* A picture, from random places, with swaps and toggles; looks as far as the
 * usual search. */
struct plane dbs_picture(const struct plane *tones, double scale,
                         uint64_t seed);

#endif
