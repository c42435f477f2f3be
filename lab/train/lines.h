/*
 * lines.h - measures how much of their ink thin lines keep.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_LINES_H
#define TRAIN_LINES_H

#include "lab/train/printer.h"

#define LINES_SIDE 768      /* of a page of lines, pixels */
#define LINES_APART 29      /* from line to line: rows of all residues mod 4 */
#define LINES_WIDEST 3      /* pixels */
#define LINES_DIRECTIONS 18 /* horizontal, vertical, 8 slopes of both signs */
#define LINES_PERCENTS 6

/* The lines' tones, in percent of solid ink. */
extern const int lines_percent[LINES_PERCENTS];

/* The first directions. */
enum { LINES_HORIZONTAL, LINES_VERTICAL, LINES_DIAGONAL };

/* The tone, 0..255, nearest to so many percent. */
int lines_tone(int percent);

/*
 * Draws parallel lines of `width` pixels, 1..LINES_WIDEST, without gray edges,
 * of tone 1..255 on white, LINES_SIDE squared pixels: `width` in each column,
 * or in each row where a line is steeper than the diagonal. Free the plane.
 */
struct plane lines_draw(int direction, int width, int tone);

/* Prints such lines: *ink is ink printed over ink wanted. False after a
 * complaint. */
bool lines_ink(const struct printer *printer, int direction, int width,
               int tone, double *ink);

/* lines_ink() for lone pixels. */
bool lines_ink_of_pixels(const struct printer *printer, int tone, double *ink);

/* The least and the largest of lines_ink() over all directions, widths and
 * lines_percent. False after a complaint. */
bool lines_extremes(const struct printer *printer, double *least,
                    double *largest);

#endif
