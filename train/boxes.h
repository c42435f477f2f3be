/*
 * boxes.h - judges the color that boxes of several inks begin with, under
 * white.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_BOXES_H
#define TRAIN_BOXES_H

#include "train/printer.h"

/*
 * Prints boxes of 64 x 64 pixels with C = M = Y of 10, 20 .. 90 %, each 8
 * times, beginning at all rows of 8, on white. Gives the largest CIELAB
 * distance of the mean color of a box's first 8 rows from Demichel's. False
 * after a complaint.
 */
bool boxes_measure(double *distance, const struct printer *printer);

#endif
