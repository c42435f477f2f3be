/*
 * option_cost.h - measures what the options of our PPDs, and sharp text, cost.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_OPTION_COST_H
#define BENCH_OPTION_COST_H

#include <stdbool.h>

#include "lab/bench/report.h"

/*
 * Measures and prints the report's filter on 2, 4 and 16 CPUs, as far as there
 * are so many, without options, with those of our PPDs and with TextAndGraphic
 * as well: photos and texts in CMYK, and a page from Ghostscript. Ends and
 * fails as scaling_measure().
 *
 *   folder  for the raster, 139 MB a CMYK page
 */
bool option_cost_measure(struct bench_report *report, const char *folder);

#endif
