/*
 * chart.h - the page of patches that a queue is calibrated with: each ink from
 * bare paper to solid, in even steps (doc/user/calibration.md).
 *
 * Whoever prints it leaves the patches as they are: no curve, gamma 1, black
 * not replaced, no sharpness, the page at its own size.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CALIBRATE_CHART_H
#define CALIBRATE_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/calibrate/refusal.h"

#define CHART_INKS "CMYK"     /* in the order of samples */
#define CHART_ALL_INKS "KCMY" /* in the order of patches, unless chosen */
#define CHART_LEAST_STEPS 3
#define CHART_MOST_STEPS 51
#define CHART_STEPS 21 /* unless chosen */
#define CHART_MOST_PATCHES (4 * CHART_MOST_STEPS)
#define CHART_LABEL_BYTES 16

/* One that chart_check() accepts is what the functions below take. */
struct chart {
    double width, height; /* of the sheet, in points */
    const char *inks;     /* letters of CHART_INKS, each once at most, in the
                             order of their patches; the caller's */
    uint32_t steps;       /* of an ink */
    bool eye;             /* a page to judge by eye, of CHART_EYE_STEPS: tints
                             within lines of the ink, which cover a quarter, a
                             half and three quarters */
};
#define CHART_EYE_ROWS 3
#define CHART_EYE_STEPS 33
#define CHART_EYE_PITCH 3.84 /* of the lines, in points */

/* Position of a patch, in points from the sheet's upper left corner. */
struct chart_patch {
    char ink;
    double percent; /* of the ink */
    double x, y, width, height;
    double pitch; /* from this patch to the one beside it */
};

/* A rectangle of solid ink, in points. */
struct chart_solid {
    double x, y, width, height;
};

/* The corner marks: a ring, and in all but the last one a square in it. Their
 * order is that of reading. */
#define CHART_MARKS 4
#define CHART_MARK_CELLS 7 /* of its width: the ring has 1, the square 3 */
#define CHART_MARK_PARTS 5

/* Lines of solid inks, as high as their field, whose mean light a printer
 * hardly changes: the known grays of a chart, of its dark inks, or what is
 * around each patch of a page to judge by eye. */
#define CHART_GRAYS 11
struct chart_gray {
    double x, y, width, height;
    double pitch; /* of the lines, in points */
    double share; /* of the pitch that a line covers, a multiple of 1/8 */
    char inks[sizeof CHART_INKS];
};

/* Says what is wrong with letters of inks; NULL = nothing. */
const char *chart_inks_wrong(const char *inks);

/* Whether the inks and steps are such, and the sheet has room for patches that
 * can be measured, at least 9 points (3.2 mm) each way. */
bool chart_check(const struct chart *chart, struct refusal *refusal);

/* Returns the number of patches, CHART_MOST_PATCHES at most. */
unsigned chart_patches(const struct chart *chart);

/* Patch `number`, from 0: the steps of the first ink, then of the next. */
struct chart_patch chart_patch(const struct chart *chart, unsigned number);

/* Returns the inks of the marks and the known grays: black, or all inks of a
 * chart without it. */
const char *chart_dark(const struct chart *chart);

/* Mark `number`, from 0. */
struct chart_solid chart_mark(const struct chart *chart, unsigned number);

/* Fills the rectangles of a mark; returns how many they are. */
unsigned chart_mark_parts(const struct chart *chart, unsigned number,
                          struct chart_solid parts[CHART_MARK_PARTS]);

/* Returns the number of fields of lines. */
unsigned chart_grays(const struct chart *chart);

/* Field of lines `number`, from 0. */
struct chart_gray chart_gray(const struct chart *chart, unsigned number);

/* Writes a patch's label, such as "K 5". */
void chart_label(const struct chart_patch *patch,
                 char label[CHART_LABEL_BYTES]);

/* Writes where the patches are, as CSV. `file` has its error indicator set
 * when that has failed. */
void chart_write_layout(const struct chart *chart, FILE *file);

/* Writes what scanin of ArgyllCMS reads a scan of the chart by: where its
 * patches are, and what ink they have. */
void chart_write_cht(const struct chart *chart, FILE *file);
void chart_write_ti2(const struct chart *chart, FILE *file);

/* Writes the chart as a page of PDF, with K as gray, which gray and color
 * queues print alike. False, with errno set, when that has failed or memory
 * runs out. */
bool chart_write_pdf(const struct chart *chart, FILE *file);

#endif
