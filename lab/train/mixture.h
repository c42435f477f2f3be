/*
 * mixture.h - judges flat mixtures of inks as one picture: how even their
 * color is, and how near to what the page asked for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_MIXTURE_H
#define TRAIN_MIXTURE_H

#include "lab/train/color.h"
#include "lab/train/printer.h"
#include "lab/train/round_dots.h"

/* C, M, Y, K in percent, and its name: "20/44/44/8". */
struct mixture {
    const char *name;
    int percent[COLOR_INKS];
};

#define MIXTURES 9
extern const struct mixture mixtures[MIXTURES];

struct mixed {
    double grain[3];      /* standard deviation of S-CIELAB L*, a*, b* */
    double distance;      /* CIELAB, of the mean color from Demichel's of what
                             each ink covers */
    double misregistered; /* CIELAB, the most that the mean color changes when
                             M is shifted by a pixel, in 8 directions */
};

/* The mixture's tones [COLOR_INKS], 0..255, K, C, M, Y. */
void mixture_tones(const struct mixture *mixture, int *tones);

/* Judges dots [COLOR_INKS] of a flat patch without its outer `margin` pixels,
 * against the color of `tones`, 0..255. `look` is in register. */
struct mixed mixture_judge(const struct plane *dots, const int *tones,
                           int margin, const struct look *look);

/* Prints a patch of the mixture and judges it; without a printer, one by joint
 * direct binary search. False after a complaint. */
bool mixture_measure(struct mixed *out, const struct printer *printer,
                     const struct mixture *mixture, const struct look *look);

/*
 * The anisotropy, dB, of the S-CIELAB L* of dots [COLOR_INKS] [MEASURE_HEIGHT]
 * [MEASURE_WIDTH], as measure_rings() defines it, of the rings that the eye
 * sees: those of which it lets a tenth or more through.
 */
double mixture_anisotropy(const struct plane *dots);

/* Prints the mixture, and its darkest ink alone; gives the mixture's anisotropy
 * less that of this ink, dB. False after a complaint. */
bool mixture_direction(double *more, const struct printer *printer,
                       const struct mixture *mixture);

#endif
