/*
 * readings.h - readings of a chart's patches, from a CSV that is not trusted
 * (doc/user/calibration.md).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CALIBRATE_READINGS_H
#define CALIBRATE_READINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/calibrate/refusal.h"
#include "page/curve.h"

#define READINGS_MOST_BYTES (1u << 20) /* a larger CSV is refused */

enum readings_unit { READINGS_DENSITY, READINGS_REFLECTANCE };

/* Readings of one ink, sorted by tone: sums of the reflectance of `count`
 * patches of one tone. */
struct readings_ink {
    unsigned steps; /* 0 = not measured */
    double tone[CURVE_MAX_POINTS], sum[CURVE_MAX_POINTS];
    unsigned count[CURVE_MAX_POINTS];
};

struct readings {
    struct readings_ink ink[CURVE_INKS]; /* in the order of CURVE_LETTERS */
};

/* Reads one number as the reflectance that it stands for, in any unit.
 * Returns what is wrong with it, NULL = nothing. */
const char *readings_value(enum readings_unit unit, const char *text,
                           double *reflectance);

/* Reads a CSV, `size` bytes at `text` (no final NUL needed), that has at least
 * one reading. `*readings` is of use only after true. */
bool readings_parse(struct readings *readings, const char *text, size_t size,
                    struct refusal *refusal);

#endif
