/*
 * hvs.h - Nasanen's model of the eye and the error that it sees in a
 * halftone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_HVS_H
#define TRAIN_HVS_H

#include "lab/train/plane.h"

/* Printer resolution in dots per inch times viewing distance in inches. */
#define HVS_SCALE 3500.0

/*
 * Returns the eye's response to `frequency` cycles a pixel at `scale`: exp(-f /
 * (c ln L + d)) with f in cycles a degree, c = 0.525, d = 3.91, L = 11 cd/m2
 * (Nasanen, IEEE Trans. SMC 14, 1984). 1 at frequency 0.
 */
double hvs_response(double frequency, double scale);

/*
 * Mean square of the filtered error, dots - tones in shares of a dot, of
 * planes of one size. The planes are taken as a torus; the mean is over the
 * pixels at least `margin` from the left, right and top edges (exactly the
 * torus' own when 0).
 */
double hvs_error(const struct plane *dots, const struct plane *tones,
                 double scale, int margin);

/* hvs_error(), the mean over rows top .. top + rows - 1. */
double hvs_error_rows(const struct plane *dots, const struct plane *tones,
                      double scale, int top, int rows);

/* hvs_error() for counts of dots, 0..255 a pixel, whose mean should be `mean`.
 */
double hvs_error_flat(const struct plane *counts, double mean, double scale,
                      int margin);

/* hvs_error() for the pixels whose tone is 32 k .. 32 k + 31, k = 0..7; 0 if
 * there are none. No margin. */
void hvs_error_by_tone(const struct plane *dots, const struct plane *tones,
                       double scale, double error[8]);

/*
 * The least such error over displacements of the dots by up to 1.5 pixels
 * each way, in parts of a pixel: error diffusion moves a picture a little,
 * which hvs_error() would count as error. Torus, no margin. `dx`, `dy` get
 * the displacement; they may be NULL.
 */
double hvs_error_displaced(const struct plane *dots, const struct plane *tones,
                           double scale, double *dx, double *dy);

/*
 * Returns the mean square that the eye sees of the spectral lines below
 * `frequency` cycles a pixel, for dots that repeat, without their mean;
 * `strongest` gets that of the strongest line. hvs_error_flat() sums up all
 * lines.
 */
double hvs_lines_below(const struct plane *dots, double frequency, double scale,
                       double *strongest);

/* The eye's autocorrelation c_pp on a torus of width x height pixels: the
 * transform of hvs_response() squared. [height][width], free() it. */
double *hvs_autocorrelation(int width, int height, double scale);

/* Frequency of bin i of n, -1/2..1/2 cycles a pixel. */
double hvs_bin(int i, int n);

#endif
