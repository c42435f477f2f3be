/*
 * spectrum.h - averaged amplitude spectra of halftones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_SPECTRUM_H
#define TRAIN_SPECTRUM_H

#include "lab/train/plane.h"

#define SPECTRUM_SIDE 128 /* of a window, pixels */
#define SPECTRUM_HALF (SPECTRUM_SIDE / 2 + 1)
#define SPECTRUM_BINS (SPECTRUM_SIDE * SPECTRUM_HALF)

/*
 * Spectrum of the dots less their tone, over windows of SPECTRUM_SIDE squared
 * pixels; [v][u], v = 0..127 the vertical frequency in 1/128 cycles a pixel, u
 * = 0..64 the horizontal one; the other half is the same. A dot counts 1, and
 * amplitudes are divided by SPECTRUM_SIDE: white noise of variance s^2 has
 * power s^2.
 */
struct spectrum {
    double amplitude[SPECTRUM_BINS]; /* mean of the windows' amplitudes */
    double power[SPECTRUM_BINS];     /* mean of their squares */
};

/*
 * Averages the windows of `dots` at multiples of `step` pixels. On a torus
 * windows may run over the edge. `tone` 0..255 is what the dots stand for.
 * Not while another thread is in this file.
 */
void spectrum_of(struct spectrum *out, const struct plane *dots, double tone,
                 int step, bool torus);

/* spectrum_of() for any values [height][width] less `mean`, each counting as it
 * is: the separate windows. */
void spectrum_of_values(struct spectrum *out, const double *value, int width,
                        int height, double mean);

/* Averages over the 8 symmetries of the square, which differ by chance only
 * where a halftone has no direction, as direct binary search has none. */
void spectrum_symmetrise(struct spectrum *spectrum);

/* Mean of `count` spectra. */
void spectrum_mean(struct spectrum *out, const struct spectrum *spectra,
                   int count);

/* The full plane's bins that a bin of the half plane stands for: 1 or 2; 0
 * for the mean. */
int spectrum_weight(int u, int v);

/* Anything at a column of the full plane, u and v any integer. */
double spectrum_at(const double *bins, int u, int v);

#endif
