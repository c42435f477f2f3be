/*
 * report.h - prints what the meter found, as a table and as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_REPORT_H
#define TRAIN_REPORT_H

#include <stdio.h>

#include "lab/train/quality.h"

struct report {
    FILE *json;        /* NULL = none */
    const char *tones; /* CSV files of every tone begin so; NULL = none */
    int makers;
};

/* `json` names a file or is NULL. False after a complaint. */
bool report_open(struct report *report, const char *json);

/* Closes the JSON file. False after a complaint when it is not all written. */
bool report_close(struct report *report);

/* Prints a maker's table on standard output; returns the musts missed.
 * `measured` may be NULL: then nothing is said of every tone. */
int report_quality(struct report *report, const char *maker,
                   const struct quality *quality,
                   const struct measured *measured);

/* Writes a picture's figures, one a line. */
void report_picture(FILE *file, const struct measured_picture *measured);

#endif
