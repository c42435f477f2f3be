/*
 * gradient.h - judges how even the color of a gradient is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_GRADIENT_H
#define TRAIN_GRADIENT_H

#include "lab/train/palette.h"
#include "lab/train/printer.h"

#define GRADIENTS 5
extern const struct palette *const gradients[GRADIENTS];

#define GRADIENT_WIDTH 2048
#define GRADIENT_HEIGHT 512
#define GRADIENT_PART 32 /* columns of a part */
#define GRADIENT_PARTS (GRADIENT_WIDTH / GRADIENT_PART)

/*
 * Prints the palette from left to right, and takes the mean color of each part,
 * all of its rows: shift [GRADIENT_PARTS] is L*, a*, b* of the dots less
 * Demichel's. False after a complaint.
 */
bool gradient_shifts(double shift[][3], const struct printer *printer,
                     const struct palette *palette);

/* CIELAB distance of the shifts of two neighbours: the largest of `parts`. */
double gradient_unevenness(const double shift[][3], int parts);

#endif
