/*
 * seen.h - judges pictures of dots by what the eye sees of them beside their
 * tones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_SEEN_H
#define TRAIN_SEEN_H

#include "lab/train/round_dots.h"
#include "lab/train/scielab.h"

/*
 * The S-CIELAB distances of dots [COLOR_INKS], whose sizes cover `area`
 * [HT_MAX_LEVELS] of a whole dot, from their tones [COLOR_INKS], the mean of
 * all pixels but the outer 16, at `count` sights. Tones are seen as inks that
 * meet by chance and cover as much as the picture's own dots do where the tone
 * is near: neither tone curves nor the gain of round dots count, but grain,
 * lost detail, and inks that do not meet as often as they should.
 */
void seen_distances(const struct plane *dots, const double *area,
                    const struct plane *tones, const struct look *look,
                    const struct sight *sight, int count, double *distance);

/*
 * The mean S-CIELAB distances of prints of a picture, 2 or more that are one
 * below the other in `dots`, from their mean: grain, whatever colors the inks
 * make. The first eighth of each is left out; there tones should differ, so
 * that the same dots are not printed again.
 */
void seen_grain(const struct plane *dots, const double *area,
                const struct look *look, const struct sight *sight, int count,
                int prints, double *grain);

#endif
