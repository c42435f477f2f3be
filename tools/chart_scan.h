/*
 * chart_scan.h - the patches of a chart on a scan of it: where they are, and
 * their light, from a scanner that nobody has calibrated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_CHART_SCAN_H
#define TOOLS_CHART_SCAN_H

#include "tools/calibrate/chart.h"
#include "tools/calibrate/readings.h"
#include "tools/image.h"

/* The centers of the chart's marks on a scan, in pixels from its upper left
 * corner. */
struct scan_marks {
    double x[CHART_MARKS], y[CHART_MARKS];
};

/* Finds the marks. Refuses a scan that has not the chart's four, or has them
 * in other proportions, or has less than SCAN_LEAST_DPI. */
#define SCAN_LEAST_DPI 140
bool scan_find(struct scan_marks *marks, const struct image *scan,
               const struct chart *chart, struct refusal *refusal);

/* Values of a channel within a patch: how many pixels have each of them, as
 * shares of 1. */
#define SCAN_VALUES 1024
struct scan_values {
    double share[SCAN_VALUES];
};

double scan_mean(const struct scan_values *values);

/* Returns the light of values, of which `light` is each one's. */
double scan_light_of(const struct scan_values *values,
                     const double light[SCAN_VALUES]);

/* What is known of a channel: bare paper, the known grays, the last of which is
 * solid, and perhaps the tone that an eye found as dark as half of lines. */
struct scan_sample {
    struct scan_values paper, gray[CHART_GRAYS], half;
    bool seen;
};

/* How a scanner makes values of light, if somebody says so. */
struct scan_gamma {
    const char *name; /* NULL = nobody has said */
    double power;
};

/* Reads sRGB, L*, linear or a power of 1 to 3; keeps the text. */
bool scan_gamma_read(struct scan_gamma *gamma, const char *text);

/* The light that each value of a channel stands for: 1 = bare paper, 0 = the
 * solid of chart_dark(). */
struct scan_light {
    const char *as; /* what the scanner is taken for */
    double of[SCAN_VALUES];
};

/* Finds the light of a channel's values. Refuses values that are cut off,
 * sharpened or fit no scanner, and those that leave more than one answer. */
bool scan_learn(struct scan_light *light, const struct chart *chart,
                const struct scan_sample *sample,
                const struct scan_gamma *gamma, struct refusal *refusal);

/* A scan of a chart, how to read it, and what was found. */
struct scan {
    const struct image *image;
    struct chart chart;
    struct scan_gamma gamma;
    double match;            /* the tone of K, 0..1, that an eye found as dark
                                as lines that cover half; 0 = none */
    struct scan_marks marks; /* found */
    const char *as;          /* found: what the scanner is taken for */
};

/* Reads the patches, as an instrument does: C in red light, M and K in green, Y
 * in blue. */
bool scan_read(struct readings *readings, struct scan *scan,
               struct refusal *refusal);

#endif
