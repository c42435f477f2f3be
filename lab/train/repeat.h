/*
 * repeat.h - tells whether a flat tint repeats itself from segment to segment.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_REPEAT_H
#define TRAIN_REPEAT_H

#include "lab/train/printer.h"

/*
 * The correlation, -1..1, of rows top .. top + rows - 1 of the dots with
 * themselves `offset` columns on: the covariance of the pixels that have a
 * partner, over a (1 - a) with a the share of dots of all. 0 where these rows
 * are all white or all solid. 0 <= offset < width.
 */
double repeat_correlation(const struct plane *dots, int offset, int top,
                          int rows);

/*
 * Prints a flat tint, in segments of HT_DEFAULT_SEGMENT and in unbroken rows,
 * and judges its first 512 rows, 64 at a time, in 4096 columns far from the
 * page's sides. *found is the largest correlation with what is one or two
 * segments on, give or take 2 columns, and *own the same of unbroken rows: the
 * pattern's, which comes again at these distances, too. False after a
 * complaint.
 */
bool repeat_measure(const struct printer *printer, int tone, double *found,
                    double *own);

#endif
