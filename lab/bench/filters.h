/*
 * filters.h - the whole filter, from a file to /dev/null, beside the null
 * filter.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_FILTERS_H
#define BENCH_FILTERS_H

#include "lab/bench/content.h"
#include "lab/bench/report.h"

/* Options that our PPDs preset, unlike the filter; all measured jobs have them.
 */
#define OPTIONS_OF_PPDS "HalftoneBlack=Pure HalftoneCurve=Default"

/*
 * Measures lab/bench/null-filter of the build folder and the report's filter,
 * with one thread and with all `cpus`, by turns, on `pages` CMYK pages, and
 * adds the results. A file that cannot be written is reported as missing. False
 * when a filter failed, after a line on standard error.
 *
 *   folder   for the raster, 139 MB a page
 *   samples  from content_make(), four inks
 *   rounds   1..MAX_RUNS
 */
bool filters_measure(struct bench_report *report, const char *folder,
                     enum content content, const uint8_t *samples,
                     unsigned pages, uint32_t cpus, unsigned rounds);

#endif
