/*
 * boxes.h - judges the color that boxes of several inks begin with, under
 * white.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_BOXES_H
#define TRAIN_BOXES_H

#include "train/printer.h"

/* CIELAB distances of mean colors. */
struct boxes {
    double distance;        /* of a box's first 8 rows from Demichel's: the
                               largest */
    double ends, worst_end; /* of the first and last 2 rows of a tone's boxes
                               from their middles: the mean, and the largest */
};

/* Prints boxes of 64 x 64 pixels with C = M = Y of 10, 20 .. 90 %, each 8
 * times, beginning at all rows of 8, on white. False after a complaint. */
bool boxes_measure(struct boxes *boxes, const struct printer *printer);

#endif
