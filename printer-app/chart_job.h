/*
 * chart_job.h - jobs that print the chart of tools/calibrate/, without a RIP.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_CHART_JOB_H
#define PRINTER_APP_CHART_JOB_H

#include <pappl/pappl.h>

#include "tools/calibrate/chart.h"

/* The type of documents that stand for the chart; what is in them is not read.
 */
#define CHART_TYPE "application/vnd.halftone-chart"

/* Stand for the page to judge by eye. */
#define CHART_EYE_TYPE "application/vnd.halftone-chart-by-eye"

/* Makes the chart for a sheet, of a printer with `color` or only K: the usual
 * steps, or fewer if the sheet is small; or the page to judge by eye. False
 * with the reason if the sheet is too small. */
bool chart_for(struct chart *chart, const pappl_media_col_t *media, bool color,
               bool eye, struct refusal *refusal);

/* Prints the chart, or the page to judge by eye if `data` is not NULL: PAPPL's
 * callback for documents of CHART_TYPE and CHART_EYE_TYPE. Leaves the
 * patches as they are, except for the curve that the job asks for by
 * "halftone-curve". */
bool chart_print(pappl_job_t *job, pappl_device_t *device, void *data);

#endif
