/*
 * joint.h - direct binary search of all inks of a page together: how even the
 * light that a mixture reflects can be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_JOINT_H
#define TRAIN_JOINT_H

#include "lab/train/color.h"

/* A search at work on one torus. Open to tests. */
struct joint {
    struct plane *dots; /* [COLOR_INKS], the caller's */
    float *wanted;      /* light [height][width], the Y of white being 1 */
    int reach;          /* c_pp is 0 beyond so many rows or columns */
    float *eye;         /* c_pp [2 * reach + 1][2 * reach + 1] */
    float *seen;        /* c_pe [height][width], kept up to date */
};

/*
 * Begins a search that changes `dots` [COLOR_INKS], of one size of at least 3 x
 * 3, so that the eye (scielab_response() of light) sees the Y of `wanted`.
 */
struct joint joint_open(struct plane *dots, const struct colors *wanted);
void joint_close(struct joint *joint);

/*
 * Goes over all pixels once, in an order given by `seed`: each makes the change
 * that lessens the error most, if any does. That is a swap of one ink's dot
 * with one of the 8 neighbours, or, where `toggles` is set, one ink's dot more
 * or less. Returns the changes made.
 */
long joint_pass(struct joint *joint, bool toggles, uint64_t seed);

/* The mean square of the error of light as the eye sees it, from c_pe. */
double joint_error(const struct joint *joint);

/* A flat patch of `tones` [COLOR_INKS], 0..255, on a torus, into new planes
 * `dots`: each ink has the number of dots that is nearest, from error diffusion
 * and with swaps only, until no swap helps. */
void joint_patch(struct plane *dots, int width, int height, const int *tones,
                 uint64_t seed);

#endif
