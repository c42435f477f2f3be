/*
 * apply.h - numbers that the loops over a table's colors share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef COLOR_APPLY_H
#define COLOR_APPLY_H

#include "page/color/table.h"

#define CELLS (COLOR_POINTS - 1) /* a side, between colors */

/* Colors from one to the next. */
#define STEP_BLUE 1u
#define STEP_GREEN COLOR_POINTS
#define STEP_RED (COLOR_POINTS * COLOR_POINTS)
#define STEP_ALL (STEP_RED + STEP_GREEN + STEP_BLUE)

/* Restores the 32768 that each sample lacks, by shares that sum to 256, and
 * rounds: half of an ink's least step. */
#define BIAS ((256 * 32768) + 32768)

#endif
