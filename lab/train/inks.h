/*
 * inks.h - measures inks that are printed together.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_INKS_H
#define TRAIN_INKS_H

#include "lab/train/measure.h"
#include "lab/train/printer.h"

#define INKS_MAX 4

/* Pages have four inks, K, C, M and Y. Of these, flat patches of equal tones
 * are printed together: of two inks C and M, or all. */
struct together {
    double overprint; /* pixels with two given inks, over chance; mean of all
                         pairs */
    double ratio;     /* worst ink's HVS error, over the same ink's alone */
    double texture;   /* worst ink's texture distance, over alone */
    double sum;       /* HVS error of the inks' sum, over the sum of the
                         errors of inks alone: what independent inks have */
    double joint;     /* the same error over the best DBS's of a single ink
                         with as many dots; 0 where the inks would cover all */
};

/* One ink of a page. */
struct of_ink {
    double error;   /* HVS error at S */
    double texture; /* distance from the best DBS's */
};

/* Judges `inks`, 2 or 4, each of `tone` 1..254, against what inks_alone() gave
 * for it, alone [inks], and the best DBS's reference of the tone. False after a
 * complaint when they cannot be printed. */
bool inks_together(struct together *out, const struct printer *printer,
                   int tone, int inks, const struct of_ink *alone,
                   const struct reference *best);

/* Pixels with both inks, over what chance would give; planes of one size. */
double inks_overprint(const struct plane *a, const struct plane *b);

/* Each of those inks printed with the others' planes white: alone [inks]. False
 * after a complaint. */
bool inks_alone(const struct printer *printer, int tone, int inks,
                const struct reference *best, struct of_ink *alone);

#endif
