/*
 * scaling_goals.h - limits for the cost of threads, jobs at once, a GPU and
 * options.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_SCALING_GOALS_H
#define BENCH_SCALING_GOALS_H

#include <stdio.h>

#include "lab/bench/report.h"

/* Prints them as a Markdown table. */
void scaling_goals_print(const struct bench_report *report);

/* Writes them as the elements of an array. */
void scaling_goals_json(const struct bench_report *report, FILE *out);

#endif
