/*
 * tones.h - turns tones into ink, by a command line: the filter's
 * HalftoneCurve, -Gamma, -Density and -InkLimit, and grays.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_TONES_H
#define TOOLS_TONES_H

#include <stdbool.h>

#include "page/ink.h"

/* Each reads the value of --curve, --gamma, --density or --limit: what the
 * filter's option takes, or for a curve a file; or of --gray. False after a
 * complaint. */
bool tones_curve(struct ink_settings *tones, const char *text);
bool tones_gray(struct ink_settings *tones, const char *text);
bool tones_gamma(struct ink_settings *tones, const char *text);
bool tones_density(struct ink_settings *tones, const char *text);
bool tones_limit(struct ink_settings *tones, const char *text);

/* Drops all settings for a method that cuts tones, except gamma, which moves
 * the cut as in the filter; warns about those that were asked for. False after
 * a complaint about sharpness, which such a method does not have. */
bool tones_cut(struct ink_settings *tones);

#endif
