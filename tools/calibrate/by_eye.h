/*
 * by_eye.h - readings without an instrument: of each ink the tints that look as
 * dark as lines which cover a quarter, a half and three quarters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CALIBRATE_BY_EYE_H
#define CALIBRATE_BY_EYE_H

#include "tools/calibrate/chart.h"
#include "tools/calibrate/readings.h"

/* Reads such as "K:9/25/49,C:12/30/55": three percents for each ink, rising.
 * An ink may be left out. */
bool by_eye_parse(struct readings *readings, const char *text,
                  struct refusal *refusal);

/* Returns the light, 1 = paper, 0 = solid, of lines that are `pitch` points
 * apart and cover `share` of that, but are `wider` points than they should be,
 * where light goes `reach` points far in the paper (tools/chart_light.c). */
double lines_light(double pitch, double share, double wider, double reach);

/* Usual values, in points. */
#define LINES_WIDER 0.085 /* 0.03 mm */
#define LINES_REACH 0.17  /* 0.06 mm */

#endif
