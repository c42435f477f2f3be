/*
 * json.h - all that was measured as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include <stdio.h>

#include "lab/bench/report.h"
#include "lab/bench/size_goals.h"

/* Writes everything, and closes the file. False when that fails; errno says
 * why. */
bool report_json(const struct bench_report *report,
                 const struct size_goals *sizes, FILE *out);

#endif
