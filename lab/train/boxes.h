/*
 * boxes.h - judges the color that boxes of several inks begin and end with, on
 * white.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_BOXES_H
#define TRAIN_BOXES_H

#include "lab/train/printer.h"

/* CIELAB distances of the mean colors of the first and last rows of a tone's
 * boxes from those of their middles: the mean, and the largest. */
struct ends {
    double mean, worst;
};

struct boxes {
    double top[2]; /* S-CIELAB, from 12 and 6 inches, of a row of the first 8 of
                      the boxes of 10 % from flat color: the largest, of round
                      dots */
    double distance; /* CIELAB, of a box's first 8 rows from Demichel's color:
                        the largest */
    struct ends two_rows, four_rows;
};

/* Prints boxes of 64 x 64 pixels with C = M = Y of 10, 20 .. 90 %, each 8
 * times, beginning at all rows of 8, on white. False after a complaint. */
bool boxes_measure(struct boxes *boxes, const struct printer *printer);

#endif
