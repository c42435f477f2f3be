/*
 * bands.h - judges flat mixtures of inks by how even they look: their grain,
 * and bands that come again every few rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_BANDS_H
#define TRAIN_BANDS_H

#include "lab/train/mixture.h"
#include "lab/train/round_dots.h"

struct mixture_list {
    int count;
    const struct mixture *mixture;
};

/* Skies, skin and pastels; shadows; and mixtures that no rule and no table was
 * made with. */
extern const struct mixture_list mixtures_light, mixtures_dark, mixtures_held;

/* Judgment of a flat patch. */
struct evenness {
    double grain; /* standard deviation of S-CIELAB L* */
    double bands; /* L*, peak to peak: the most of bands of 8, 16, 32 rows */
};

/* Judges S-CIELAB L*, a*, b* of a patch without its outer 64 pixels, at least
 * 64 x 64. */
struct evenness bands_judge(const struct colors *seen);

/* Prints a patch of a mixture and judges it, by the look of its dots. False
 * after a complaint. */
bool bands_measure(struct evenness *out, const struct printer *printer,
                   const struct mixture *mixture, const struct look *look);

#endif
