/*
 * spectrum.c - averaged amplitude spectra of halftones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include <fftw3.h>

#include "lab/train/spectrum.h"

#define N SPECTRUM_SIDE

/* Window and transform, made once: FFTW_ESTIMATE plans do not depend on the
 * machine's load. */
static double *window;
static fftw_complex *transformed;
static fftw_plan plan;

static void prepare(void)
{
    if (plan != NULL)
        return;
    window = fftw_malloc(N * N * sizeof *window);
    transformed = fftw_malloc(SPECTRUM_BINS * sizeof *transformed);
    plan = fftw_plan_dft_r2c_2d(N, N, window, transformed, FFTW_ESTIMATE);
}

/* N pixels of a row from `left` on, round and round, less their mean. */
static void take_row(double *to, const uint8_t *row, int width, int left,
                     double mean)
{
    for (int x = 0, run; x < N; x += run) {
        int from = (left + x) % width;

        run = width - from < N - x ? width - from : N - x;
        for (int i = 0; i < run; i++)
            to[x + i] = row[from + i] - mean;
    }
}

/* Adds what is in the window. */
static void add_transform(struct spectrum *out)
{
    fftw_execute(plan);
    for (int i = 0; i < SPECTRUM_BINS; i++) {
        double re = creal(transformed[i]), im = cimag(transformed[i]);
        double power = (re * re + im * im) / (N * N);
        out->amplitude[i] += sqrt(power);
        out->power[i] += power;
    }
}

static void add_window(struct spectrum *out, const struct plane *dots,
                       double tone, int left, int top)
{
    size_t width = (size_t)dots->width;

    for (int y = 0; y < N; y++)
        take_row(window + y * N,
                 dots->value + (size_t)((top + y) % dots->height) * width,
                 dots->width, left, tone / 255);
    add_transform(out);
}

static void divide(struct spectrum *out, int windows)
{
    for (int i = 0; i < SPECTRUM_BINS; i++) {
        out->amplitude[i] /= windows;
        out->power[i] /= windows;
    }
}

void spectrum_of(struct spectrum *out, const struct plane *dots, double tone,
                 int step, bool torus)
{
    int count = 0, over = torus ? 1 : N;

    prepare();
    memset(out, 0, sizeof *out);
    for (int y = 0; y + over <= dots->height; y += step)
        for (int x = 0; x + over <= dots->width; x += step, count++)
            add_window(out, dots, tone, x, y);
    divide(out, count);
}

void spectrum_of_values(struct spectrum *out, const double *value, int width,
                        int height, double mean)
{
    prepare();
    memset(out, 0, sizeof *out);
    for (int top = 0; top + N <= height; top += N)
        for (int left = 0; left + N <= width; left += N) {
            for (int i = 0; i < N * N; i++)
                window[i] = value[(top + i / N) * width + left + i % N] - mean;
            add_transform(out);
        }
    divide(out, (width / N) * (height / N));
}

double spectrum_at(const double *bins, int u, int v)
{
    u = (u % N + N) % N;
    v = (v % N + N) % N;
    if (u > N / 2) {
        u = N - u;
        v = (N - v) % N;
    }
    return bins[v * SPECTRUM_HALF + u];
}

static void symmetrise(double *bins)
{
    double made[SPECTRUM_BINS];

    for (int v = 0; v < N; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++)
            made[v * SPECTRUM_HALF + u] =
                (spectrum_at(bins, u, v) + spectrum_at(bins, -u, v) +
                 spectrum_at(bins, v, u) + spectrum_at(bins, -v, u)) /
                4;
    memcpy(bins, made, sizeof made);
}

void spectrum_symmetrise(struct spectrum *spectrum)
{
    symmetrise(spectrum->amplitude);
    symmetrise(spectrum->power);
}

void spectrum_mean(struct spectrum *out, const struct spectrum *spectra,
                   int count)
{
    memset(out, 0, sizeof *out);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < SPECTRUM_BINS; i++) {
            out->amplitude[i] += spectra[k].amplitude[i] / count;
            out->power[i] += spectra[k].power[i] / count;
        }
}

int spectrum_weight(int u, int v)
{
    if (u == 0 && v == 0)
        return 0;
    return u == 0 || u == N / 2 ? 1 : 2;
}
