/*
 * grain.c - the grain of a flat tint of one ink, with square and round dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include <fftw3.h>

#include "lab/train/grain.h"
#include "lab/train/hvs.h"
#include "lab/train/scielab.h"
#include "page/color/color.h"

#define PI 3.14159265358979323846
#define N GRAIN_SIDE
#define HALF (N / 2 + 1)

/* Returns how much of each frequency's power the eye lets through, summed by
 * Parseval's theorem: [N][HALF]. */
static float *power_seen(double across, double down, double inches)
{
    float *power = train_alloc(N * HALF, sizeof *power);
    const double degree = 2 * inches * tan(PI / 360); /* inches */

    for (int v = 0; v < N; v++)
        for (int u = 0; u < HALF; u++) {
            double f = hypot(hvs_bin(u, N) * across, hvs_bin(v, N) * down);
            double r = scielab_response(0, f * degree, 1);

            power[v * HALF + u] =
                (float)(r * r * (u == 0 || u == N / 2 ? 1 : 2) / N / N / N / N);
        }
    power[0] = 0;
    return power;
}

void grain_judge_new(struct grain_judge *judge, int kinds,
                     const struct cover_dots *dots, double across, double down)
{
    double energy = 0;

    judge->kinds = kinds;
    for (int kind = 0; kind < kinds; kind++)
        cover_init(&judge->cover[kind], dots[kind], across / down, COVER_PARTS);
    for (int i = 0; i < GRAIN_DISTANCES; i++)
        judge->power[i] = power_seen(across, down, 12. / (i + 1));
    judge->taper = train_alloc(N, sizeof *judge->taper);
    for (int i = 0; i < N; i++) {
        judge->taper[i] = (float)(1 - cos(2 * PI * (i + 0.5) / N));
        energy += judge->taper[i] * judge->taper[i];
    }
    for (int i = 0; i < N; i++)
        judge->taper[i] *= (float)sqrt(N / energy);
}

void grain_judge_free(struct grain_judge *judge)
{
    for (int i = 0; i < GRAIN_DISTANCES; i++)
        free(judge->power[i]);
    free(judge->taper);
}

/* Finds the nine dots around each pixel of a patch, as bits. */
static void look_around(const struct plane *dots, uint16_t around[N * N])
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            unsigned bits = 0;

            for (int dot = 0; dot < 9; dot++)
                bits |=
                    (unsigned)
                        dots->value[(y + dot / 3) * dots->width + x + dot % 3]
                    << dot;
            around[y * N + x] = (uint16_t)bits;
        }
}

/* Returns the largest less the smallest of the means of rows 8 apart, /255. */
static double spread_of_rows(const uint16_t around[N * N])
{
    double least = 1, most = 0;

    for (int first = 0; first < 8; first++) {
        unsigned count = 0;

        for (int y = first; y < N; y += 8)
            for (int x = 0; x < N; x++)
                count += around[y * N + x] >> 4 & 1;
        least = fmin(least, count / (N * N / 8.));
        most = fmax(most, count / (N * N / 8.));
    }
    return (most - least) * 255;
}

void grain_measure(struct grain *out, const struct grain_judge *judge,
                   const struct plane *dots)
{
    static uint16_t around[N * N];
    static float *value;
    static fftwf_complex *spectrum;
    static fftwf_plan plan;
    const double paper = color_primaries[0][1];
    const double dark = (paper - color_primaries[1][1]) / paper; /* of a dot */

    if (plan == NULL) {
        value = fftwf_malloc(N * N * sizeof *value);
        spectrum = fftwf_malloc(N * HALF * sizeof *spectrum);
        plan = fftwf_plan_dft_r2c_2d(N, N, value, spectrum, FFTW_ESTIMATE);
    }
    look_around(dots, around);
    out->rows = spread_of_rows(around);
    out->mean = 0;
    for (int i = 0; i < N * N; i++)
        out->mean += (around[i] >> 4 & 1) / (double)(N * N);
    for (int kind = 0; kind < judge->kinds; kind++) {
        const double *cover = judge->cover[kind].of;
        double mean = 0, seen[GRAIN_DISTANCES] = {0};

        for (int i = 0; i < N * N; i++)
            mean += cover[around[i]] / (double)(N * N);
        for (int i = 0; i < N * N; i++)
            value[i] = (float)(cover[around[i]] - mean) * judge->taper[i % N] *
                       judge->taper[i / N];
        fftwf_execute(plan);
        for (int i = 0; i < N * HALF; i++) {
            float re = crealf(spectrum[i]), im = cimagf(spectrum[i]);

            for (int d = 0; d < GRAIN_DISTANCES; d++)
                seen[d] += (re * re + im * im) * judge->power[d][i];
        }
        const double root = cbrt(1 - dark * mean);
        out->light[kind] = cover_lightness(mean);
        for (int d = 0; d < GRAIN_DISTANCES; d++)
            out->seen[kind][d] = 116 / (3 * root * root) * dark * sqrt(seen[d]);
    }
}
