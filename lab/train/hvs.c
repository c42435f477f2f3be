/*
 * hvs.c - Nasanen's model of the eye and the error that it sees in a
 * halftone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include <fftw3.h>

#include "lab/train/hvs.h"
#include "lab/train/search.h"

#define PI 3.14159265358979323846

double hvs_response(double frequency, double scale)
{
    const double c = 0.525, d = 3.91, luminance = 11;
    double cycles_per_degree = frequency * scale * PI / 180;

    return exp(-cycles_per_degree / (c * log(luminance) + d));
}

double hvs_bin(int i, int n)
{
    return (double)(2 * i > n ? i - n : i) / n;
}

/* dots - tones, [height][width] in shares of a dot; free() it. */
static double *difference_of(const struct plane *dots,
                             const struct plane *tones)
{
    size_t count = (size_t)dots->width * (size_t)dots->height;
    double *error = train_alloc(count, sizeof *error);

    for (size_t i = 0; i < count; i++)
        error[i] = dots->value[i] - tones->value[i] / 255.0;
    return error;
}

/* The half-plane spectrum [height][width / 2 + 1] of a real plane. */
static fftw_complex *transform(int width, int height, double *value)
{
    size_t bins = (size_t)height * (size_t)(width / 2 + 1);
    fftw_complex *spectrum = fftw_malloc(bins * sizeof *spectrum);
    fftw_plan plan =
        fftw_plan_dft_r2c_2d(height, width, value, spectrum, FFTW_ESTIMATE);

    fftw_execute(plan);
    fftw_destroy_plan(plan);
    return spectrum;
}

static void transform_back(int width, int height, fftw_complex *spectrum,
                           double *value)
{
    fftw_plan plan =
        fftw_plan_dft_c2r_2d(height, width, spectrum, value, FFTW_ESTIMATE);

    fftw_execute(plan);
    fftw_destroy_plan(plan);
}

/* Filters an error [height][width] as the eye does, in place. */
static void see(double *value, int width, int height, double scale)
{
    int half = width / 2 + 1;
    double count = (double)width * height;
    fftw_complex *spectrum = transform(width, height, value);

    for (int v = 0; v < height; v++)
        for (int u = 0; u < half; u++)
            spectrum[v * half + u] *=
                hvs_response(hypot(hvs_bin(u, width), hvs_bin(v, height)),
                             scale) /
                count;
    transform_back(width, height, spectrum, value);
    fftw_free(spectrum);
}

/* Mean square of an error [height][width], which it frees, as the eye sees
 * it. */
static double seen_error(double *value, int width, int height, double scale,
                         int margin)
{
    double sum = 0;

    see(value, width, height, scale);
    for (int y = margin; y < height; y++)
        for (int x = margin; x < width - margin; x++)
            sum += value[y * width + x] * value[y * width + x];
    free(value);
    return sum / ((double)(width - 2 * margin) * (height - margin));
}

double hvs_error(const struct plane *dots, const struct plane *tones,
                 double scale, int margin)
{
    return seen_error(difference_of(dots, tones), dots->width, dots->height,
                      scale, margin);
}

double hvs_error_rows(const struct plane *dots, const struct plane *tones,
                      double scale, int top, int rows)
{
    double *value = difference_of(dots, tones), sum = 0;
    int width = dots->width;

    see(value, width, dots->height, scale);
    for (int i = top * width; i < (top + rows) * width; i++)
        sum += value[i] * value[i];
    free(value);
    return sum / ((double)width * rows);
}

double hvs_error_flat(const struct plane *counts, double mean, double scale,
                      int margin)
{
    size_t pixels = (size_t)counts->width * (size_t)counts->height;
    double *value = train_alloc(pixels, sizeof *value);

    for (size_t i = 0; i < pixels; i++)
        value[i] = counts->value[i] - mean;
    return seen_error(value, counts->width, counts->height, scale, margin);
}

void hvs_error_by_tone(const struct plane *dots, const struct plane *tones,
                       double scale, double error[8])
{
    double *value = difference_of(dots, tones), count[8] = {0};

    see(value, dots->width, dots->height, scale);
    for (int k = 0; k < 8; k++)
        error[k] = 0;
    for (int i = 0; i < dots->width * dots->height; i++) {
        error[tones->value[i] / 32] += value[i] * value[i];
        count[tones->value[i] / 32]++;
    }
    for (int k = 0; k < 8; k++)
        error[k] = count[k] > 0 ? error[k] / count[k] : 0;
    free(value);
}

double hvs_lines_below(const struct plane *dots, double frequency, double scale,
                       double *strongest)
{
    int width = dots->width, height = dots->height, half = width / 2 + 1;
    double count = (double)width * height, sum = 0;
    double *value = train_alloc((size_t)count, sizeof *value);

    for (int i = 0; i < width * height; i++)
        value[i] = dots->value[i];
    fftw_complex *spectrum = transform(width, height, value);
    *strongest = 0;
    for (int v = 0; v < height; v++)
        for (int u = 0; u < half; u++) {
            double f = hypot(hvs_bin(u, width), hvs_bin(v, height));
            double line =
                cabs(spectrum[v * half + u]) / count * hvs_response(f, scale);
            double power = line * line * (u == 0 || 2 * u == width ? 1 : 2);

            if (f <= 0 || f >= frequency)
                continue;
            sum += power;
            *strongest = power > *strongest ? power : *strongest;
        }
    fftw_free(spectrum);
    free(value);
    return sum;
}

/* ---- Displaced -------------------------------------------------------- */

struct displaced {
    int width, height;
    const fftw_complex *dots, *tones;
    const double *seen; /* response squared, 2 for bins that stand for two */
};

static double displaced_error(const double *move, void *context)
{
    const struct displaced *d = context;
    int half = d->width / 2 + 1;
    double sum = 0, count = (double)d->width * d->height;

    if (fabs(move[0]) > 1.5 || fabs(move[1]) > 1.5)
        return 1;
    for (int v = 0; v < d->height; v++) {
        double complex turn =
            cexp(I * 2 * PI * hvs_bin(v, d->height) * move[1]);
        double complex step = cexp(I * 2 * PI * move[0] / d->width);
        for (int u = 0; u < half; u++, turn *= step) {
            double complex e =
                d->dots[v * half + u] * turn - d->tones[v * half + u];
            sum += d->seen[v * half + u] *
                   (creal(e) * creal(e) + cimag(e) * cimag(e));
        }
    }
    return sum / (count * count);
}

double hvs_error_displaced(const struct plane *dots, const struct plane *tones,
                           double scale, double *dx, double *dy)
{
    int width = dots->width, height = dots->height, half = width / 2 + 1;
    size_t count = (size_t)width * (size_t)height;
    double *value = train_alloc(count, sizeof *value);
    double *seen = train_alloc((size_t)height * (size_t)half, sizeof *seen);
    double move[2] = {0, 0};

    for (size_t i = 0; i < count; i++)
        value[i] = dots->value[i];
    fftw_complex *of_dots = transform(width, height, value);
    for (size_t i = 0; i < count; i++)
        value[i] = tones->value[i] / 255.0;
    fftw_complex *of_tones = transform(width, height, value);
    for (int v = 0; v < height; v++)
        for (int u = 0; u < half; u++) {
            double r = hvs_response(
                hypot(hvs_bin(u, width), hvs_bin(v, height)), scale);
            seen[v * half + u] = r * r * (u == 0 || 2 * u == width ? 1 : 2);
        }

    struct displaced d = {width, height, of_dots, of_tones, seen};
    struct search search = {.dimensions = 2,
                            .cost = displaced_error,
                            .context = &d,
                            .step = {0.4, 0.4},
                            .evaluations = 60,
                            .tolerance = 1e-9};
    double error = search_downhill(&search, move);
    if (dx != NULL)
        *dx = move[0];
    if (dy != NULL)
        *dy = move[1];
    fftw_free(of_dots);
    fftw_free(of_tones);
    free(value);
    free(seen);
    return error;
}

/* ---- Autocorrelation -------------------------------------------------- */

double *hvs_autocorrelation(int width, int height, double scale)
{
    int half = width / 2 + 1;
    double count = (double)width * height;
    double *value = train_alloc((size_t)width * (size_t)height, sizeof *value);
    fftw_complex *spectrum =
        fftw_malloc((size_t)height * (size_t)half * sizeof *spectrum);

    for (int v = 0; v < height; v++)
        for (int u = 0; u < half; u++) {
            double r = hvs_response(
                hypot(hvs_bin(u, width), hvs_bin(v, height)), scale);
            spectrum[v * half + u] = r * r / count;
        }
    transform_back(width, height, spectrum, value);
    fftw_free(spectrum);
    return value;
}
