/*
 * ramps.h - judges ramps of an ink beside constant others: whether a row or a
 * column stands out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_RAMPS_H
#define TRAIN_RAMPS_H

#include "lab/train/printer.h"
#include "lab/train/round_dots.h"

/* Prints ramps of C, M and Y from 5 to 60 %, from left to right and from top to
 * bottom, each beside other two inks of 5, 15, 30 and 45 %. Gives by how much
 * the S-CIELAB L* of a row or a column is above or below the mean of its
 * neighbours, at most. False after a complaint. */
bool ramps_measure(double *most, const struct printer *printer,
                   const struct look *look);

/* ramps_measure() for ramps from bare paper to solid, of the inks that `has`
 * [COLOR_INKS] marks, in equal tones: most[0] of that to the right, most[1] of
 * that down. */
bool ramps_whole(double most[2], const struct printer *printer, const bool *has,
                 const struct look *look);

#endif
