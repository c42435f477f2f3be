/*
 * scielab.c - S-CIELAB (Zhang and Wandell, A spatial extension of CIELAB for
 * digital color image reproduction, SID 1996): the opponent colors, the
 * Gaussians and their weights are theirs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <complex.h>
#include <math.h>

#include <fftw3.h>

#include "lab/train/hvs.h"
#include "lab/train/scielab.h"

#define PI 3.14159265358979323846
#define GAUSSIANS 3

/* From X, Y, Z to light, red and green, blue and yellow; and back. */
static const double opponents[3][3] = {
    {0.279, 0.72, -0.107}, {-0.449, 0.29, -0.077}, {0.086, -0.59, 0.501}};
static const double inverse[3][3] = {
    {0.6265545042, -1.8671775978, -0.1531563734},
    {1.3698554501, 0.9347558241, 0.4362290052},
    {1.5056507549, 1.4213237718, 2.5360210802}};

/* exp(-(r / spread)^2), r and spread in degrees. */
static const struct gaussian {
    double weight, spread;
} gaussians[3][GAUSSIANS] = {{{0.921, 0.0283}, {0.105, 0.133}, {-0.108, 4.336}},
                             {{0.531, 0.0392}, {0.330, 0.494}, {0, 0}},
                             {{0.488, 0.0536}, {0.371, 0.386}, {0, 0}}};

double scielab_response(int opponent, double frequency, double scale)
{
    double sum = 0, weights = 0;

    for (int i = 0; i < GAUSSIANS; i++) {
        const struct gaussian *g = &gaussians[opponent][i];
        double turn = PI * frequency * scale * g->spread;

        sum += g->weight * exp(-turn * turn);
        weights += g->weight;
    }
    return sum / weights;
}

/* value[i] = m value[i], for each pixel. */
static void multiply(struct colors *colors, const double m[3][3])
{
    int count = colors->width * colors->height;
    double *const *plane = colors->plane;

    for (int i = 0; i < count; i++) {
        double from[3] = {plane[0][i], plane[1][i], plane[2][i]};

        for (int c = 0; c < 3; c++)
            plane[c][i] =
                m[c][0] * from[0] + m[c][1] * from[1] + m[c][2] * from[2];
    }
}

/* Blurs a plane that holds so much of each opponent color. */
static void blur(double *value, int width, int height, const double hold[3],
                 struct sight sight)
{
    int half = width / 2 + 1;
    double count = (double)width * height;
    fftw_complex *spectrum =
        fftw_malloc((size_t)height * (size_t)half * sizeof *spectrum);
    fftw_plan there =
        fftw_plan_dft_r2c_2d(height, width, value, spectrum, FFTW_ESTIMATE);
    fftw_plan back =
        fftw_plan_dft_c2r_2d(height, width, spectrum, value, FFTW_ESTIMATE);

    fftw_execute(there);
    for (int v = 0; v < height; v++)
        for (int u = 0; u < half; u++) {
            double frequency = hypot(hvs_bin(u, width) * sight.across,
                                     hvs_bin(v, height) * sight.down),
                   share = 0;

            for (int c = 0; c < 3; c++)
                if (hold[c] != 0)
                    share += hold[c] * scielab_response(c, frequency, 1);
            spectrum[v * half + u] *= share / count;
        }
    fftw_execute(back);
    fftw_destroy_plan(there);
    fftw_destroy_plan(back);
    fftw_free(spectrum);
}

struct sight scielab_sight(double across, double down, double inches)
{
    const double degree = inches * tan(PI / 180);

    return (struct sight){across * degree, down * degree};
}

void scielab_black(double *value, int width, int height, struct sight sight)
{
    const double *paper = color_primaries[0], *ink = color_primaries[1];
    double hold[3] = {0}, all = 0;

    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++)
            hold[c] += inverse[1][c] * opponents[c][i] * (paper[i] - ink[i]);
        all += hold[c];
    }
    for (int c = 0; c < 3; c++)
        hold[c] /= all;
    blur(value, width, height, hold, sight);
}

void scielab_see_at(struct colors *colors, struct sight sight)
{
    multiply(colors, opponents);
    for (int c = 0; c < 3; c++) {
        const double alone[3] = {c == 0, c == 1, c == 2};

        blur(colors->plane[c], colors->width, colors->height, alone, sight);
    }
    multiply(colors, inverse);
}

void scielab_see(struct colors *colors, double scale)
{
    scielab_see_at(colors, (struct sight){scale, scale});
}
