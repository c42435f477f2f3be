/*
 * begin.h - measures how a tint begins under white paper.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_BEGIN_H
#define TRAIN_BEGIN_H

#include "lab/train/printer.h"

#define BEGIN_ROWS 16 /* of a tint that are judged one by one */

/* A tint on eight pages of 4000 columns, on which it begins in one of eight
 * rows that follow each other, so in all rows of swaths of both directions. */
struct beginning {
    double row[BEGIN_ROWS]; /* mean over the tone, on the first page */
    double highest;         /* such row of all pages */
    double furthest;        /* |row - 1| from the fourth on, the largest */
    double error;           /* HVS error at S of the tint's first 30 rows, the
                               mean of the pages */
};

/* Prints such pages of a tone 1..255. False after a complaint. */
bool begin_measure(struct beginning *out, const struct printer *printer,
                   int tone);

#endif
