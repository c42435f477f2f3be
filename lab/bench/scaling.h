/*
 * scaling.h - measures more threads, more jobs at once and a GPU, in wall and
 * CPU time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_SCALING_H
#define BENCH_SCALING_H

#include <stdbool.h>

#include "lab/bench/report.h"

/*
 * Measures and prints the scaling: numbers of threads of the report's filter
 * and of the engine in memory, jobs at once and, where a GPU can be used, the
 * engines. Rows are printed as they come. A file that cannot be written ends
 * it, and is reported as missing. False when a run failed, after a line on
 * standard error.
 *
 *   folder  for the raster, 139 MB a CMYK page
 */
bool scaling_measure(struct bench_report *report, const char *folder);

#endif
