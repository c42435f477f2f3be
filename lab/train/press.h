/*
 * press.h - the printer that the generic profile is for: tones get the default
 * curve and become dots, which are round, on paper that scatters light
 * (doc/dev/color-model.md).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_PRESS_H
#define TRAIN_PRESS_H

#include <stdbool.h>

#include "page/color/color.h"
#include "page/curve.h"

/* Share of the paper that each ink covers with its tones, beside other inks:
 * from (0, 0) to (1, 1). Alone it would cover more of middle tones, since its
 * dots avoid each other more. */
struct press_model {
    struct curve_points cover[COLOR_INKS]; /* K, C, M, Y */
    struct curve curve;                    /* the default one, of every ink */
};

/* Prints flat tints and counts what they cover; false after a message. */
bool press_open(struct press_model *press);

/* The area, 0..1, that a tone of the page covers, and the tone for an area. */
double press_area(const struct press_model *press, int ink, double tone);
double press_tone(const struct press_model *press, int ink, double area);

#endif
