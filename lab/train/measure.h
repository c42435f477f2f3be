/*
 * measure.h - the meter's measures of a flat halftone, and of a picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_MEASURE_H
#define TRAIN_MEASURE_H

#include "lab/train/reference.h"

#define MEASURE_WIDTH 728 /* of a flat patch, pixels */
#define MEASURE_HEIGHT 656
#define MEASURE_MARGIN 64 /* not judged: left, right and top */
#define MEASURE_RINGS 64  /* of the plane of frequencies, 1/128 cycles wide */

/* A flat patch. */
struct measured {
    double ratio[2];      /* HVS error to the usual DBS's, at S and 2S */
    double best_ratio[2]; /* the same, to the best DBS's */
    double texture;       /* (8) of the spectrum, from the best DBS's */
    double anisotropy;    /* dB */
    double rows;      /* standard deviation of means of rows 8 apart, /255 */
    double row_range; /* largest less smallest of them */
    double line;      /* strongest bin over its ring's mean, dB */
    double tone;      /* mean tone's error, /255 */
    double rapsd[MEASURE_RINGS]; /* mean power of a ring over a (1 - a) */
    float amplitude[SPECTRUM_BINS];
};

/* dots [MEASURE_HEIGHT][MEASURE_WIDTH] that stand for `tone`, 1..254. */
void measure_flat(struct measured *out, const struct plane *dots, int tone,
                  const struct reference *usual, const struct reference *best);

/* Its anisotropy in the texture's band alone, measure_band_anisotropy(). */
double measure_band(const struct plane *dots, int tone);

/* Its texture alone. */
double measure_texture(const struct plane *dots, int tone,
                       const struct reference *best);

/* Standard deviation of the means of rows 8 apart, in 1/255; and the largest
 * less the smallest of them. */
double measure_row_deviation(const struct plane *dots);
double measure_row_range(const struct plane *dots);

/* (8) between two patches. */
double measure_jump(const struct measured *a, const struct measured *b);

/*
 * Ulichney's radially averaged power and anisotropy of a spectrum of 16 or so
 * separate windows: each ring's mean power in `rapsd` [MEASURE_RINGS], and
 * the mean over rings of the variance of power over its squared mean, in dB.
 * Noise without direction has -10 log10 of the number of windows. `line` gets
 * the strongest bin over its ring's mean, dB. Rings without power, which
 * periodic screens have, do not count; 0 dB when none has any.
 */
double measure_rings(const double *power, double *rapsd, double *line);

/*
 * The anisotropy, dB, of those rings alone that hold the texture of `tone`
 * 1..254: 0.35 to 1.4 of the principal frequency, sqrt(a) cycles a pixel for a
 * share of dots or of holes a <= 1/2, within MEASURE_RINGS. The mean over all
 * rings hides what few dots do, as their texture has few rings. `power`
 * [SPECTRUM_BINS]; 0 dB when the band has no power.
 */
double measure_band_anisotropy(const double *power, int tone);

/* A picture. */
struct measured_picture {
    double error[2];     /* HVS error at S and 2S */
    double displaced[2]; /* the least over displacements */
    double tone;         /* mean tone's error, /255 */
    double by_tone[8];   /* HVS error at S over tones 32 k .. 32 k + 31 */
};

#define MEASURE_PICTURE_MARGIN 32

/* Whether a picture is large enough to be measured; complains if not. */
bool measure_picture_fits(const struct plane *tones, const char *path);

void measure_picture(struct measured_picture *out, const struct plane *dots,
                     const struct plane *tones);

#endif
