/*
 * chart_options.h - the options by which tools say which chart they mean.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_CHART_OPTIONS_H
#define TOOLS_CHART_OPTIONS_H

#include "tools/calibrate/chart.h"

#define CHART_OPTIONS                                                          \
    {"inks", required_argument, NULL, 'i'},                                    \
        {"steps", required_argument, NULL, 's'},                               \
    {                                                                          \
        "paper", required_argument, NULL, 'p'                                  \
    }

#define CHART_OPTIONS_USAGE                                                    \
    "  --inks LETTERS  of CMYK (KCMY)\n"                                       \
    "  --steps N       of an ink, 3 to 51 (21)\n"                              \
    "  --paper NAME    A4 or Letter (A4)\n"

/* Returns the chart without options. */
struct chart chart_usual(void);

/* Takes the value of an option of CHART_OPTIONS. False after a complaint. */
bool chart_option(struct chart *chart, int option, const char *value);

#endif
