/*
 * cost.c - the distance of a flat halftone from direct binary search: the costs
 * of Mao and others (ICIP 2018), equations (6) to (8), and an extended one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <complex.h>
#include <math.h>

#include <fftw3.h>

#include "lab/train/cost.h"

#define N COST_SIDE
#define HALF (N / 2 + 1)
#define PI 3.14159265358979323846

/* ---- Equations (6) to (8) --------------------------------------------- */

/* Mean over the full plane of squared differences over squared divisors,
 * c_dbs dbs + c_halftone halftone; 1 when both are 0. */
static double mean_of(const double *dbs, const double *halftone, double c_dbs,
                      double c_halftone)
{
    double sum = 0;

    for (int v = 0; v < SPECTRUM_SIDE; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            int i = v * SPECTRUM_HALF + u, weight = spectrum_weight(u, v);
            double difference = dbs[i] - halftone[i];
            double divisor = c_dbs * dbs[i] + c_halftone * halftone[i];

            if (c_dbs == 0 && c_halftone == 0)
                divisor = 1;
            if (divisor > 0)
                sum += weight * difference * difference / (divisor * divisor);
        }
    return sum / (SPECTRUM_SIDE * SPECTRUM_SIDE - 1);
}

double cost_li(const double *dbs, const double *halftone)
{
    return mean_of(dbs, halftone, 0, 0);
}

double cost_chang(const double *dbs, const double *halftone)
{
    return mean_of(dbs, halftone, 1, 0);
}

double cost_han(const double *dbs, const double *halftone)
{
    return mean_of(dbs, halftone, 1, 1);
}

/* ---- The eye and the rows --------------------------------------------- */

/* Made once: a Hann window, whose smoothness keeps the strong high frequencies
 * out of the low ones, and the eye's responses. */
static double *taper, *value, *seen[2];
static fftw_complex *transformed;
static fftw_plan plan;

static void prepare(void)
{
    double energy = 0;

    if (plan != NULL)
        return;
    taper = train_alloc(N, sizeof *taper);
    value = fftw_malloc(N * N * sizeof *value);
    transformed = fftw_malloc(N * HALF * sizeof *transformed);
    plan = fftw_plan_dft_r2c_2d(N, N, value, transformed, FFTW_ESTIMATE);
    for (int i = 0; i < N; i++) {
        taper[i] = 1 - cos(2 * PI * (i + 0.5) / N);
        energy += taper[i] * taper[i];
    }
    for (int i = 0; i < N; i++)
        taper[i] *= sqrt(N / energy);
    for (int k = 0; k < 2; k++) {
        seen[k] = train_alloc(N * HALF, sizeof *seen[k]);
        for (int v = 0; v < N; v++)
            for (int u = 0; u < HALF; u++) {
                double r = hvs_response(hypot(hvs_bin(u, N), hvs_bin(v, N)),
                                        HVS_SCALE * (k + 1));
                seen[k][v * HALF + u] =
                    r * r * (u == 0 || u == N / 2 ? 1 : 2) / N / N / N / N;
            }
    }
}

/* By Parseval's theorem. */
void cost_seen(const struct plane *dots, int tone, double error[2])
{
    prepare();
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            value[y * N + x] =
                (dots->value[y * N + x] - tone / 255.0) * taper[x] * taper[y];
    fftw_execute(plan);
    error[0] = error[1] = 0;
    for (int i = 0; i < N * HALF; i++) {
        double re = creal(transformed[i]), im = cimag(transformed[i]);
        double power = re * re + im * im;
        error[0] += seen[0][i] * power;
        error[1] += seen[1][i] * power;
    }
}

/* Power of the rows at k / 8 cycles a pixel, of which `mean` are the means of
 * rows 8 apart, on spectrum's scale. */
static double row_power(const double mean[8], int tone, int k)
{
    double re = 0, im = 0;

    for (int j = 0; j < 8; j++) {
        re += (mean[j] - tone / 255.0) * cos(2 * PI * k * j / 8);
        im += (mean[j] - tone / 255.0) * sin(2 * PI * k * j / 8);
    }
    return (re * re + im * im) * N * N / 64;
}

/* DBS's power there: the mean of the bins around. */
static double dbs_power(const struct reference *reference, int k)
{
    double sum = 0;

    for (int v = -2; v <= 2; v++)
        for (int u = -2; u <= 2; u++)
            sum += spectrum_at(reference->spectrum.power, u,
                               k * SPECTRUM_SIDE / 8 + v);
    return sum / 25;
}

static double positive_log(double ratio)
{
    return ratio > 1 ? log(ratio) : 0;
}

void cost_row_means(const struct plane *dots, double mean[8])
{
    double sum[8] = {0}, count[8] = {0};

    for (int y = 0; y < dots->height; y++) {
        const uint8_t *row = dots->value + (size_t)y * (size_t)dots->width;
        unsigned of_row = 0;

        for (int x = 0; x < dots->width; x++)
            of_row += row[x];
        sum[y % 8] += of_row;
        count[y % 8] += dots->width;
    }
    for (int k = 0; k < 8; k++)
        mean[k] = sum[k] / count[k];
}

/* Largest less smallest, in 1/255. */
static double spread_of(const double mean[8])
{
    double least = 1, most = 0;

    for (int k = 0; k < 8; k++) {
        least = mean[k] < least ? mean[k] : least;
        most = mean[k] > most ? mean[k] : most;
    }
    return (most - least) * 255;
}

double cost_row_spread(const struct plane *dots)
{
    double mean[8];

    cost_row_means(dots, mean);
    return spread_of(mean);
}

/* Terms of the extended cost. */
struct cost_parts {
    double texture;  /* cost_han() */
    double ratio[2]; /* HVS error to the usual DBS's, at S and 2S */
    double best[2];  /* to the best DBS's */
    double rows;     /* the sum over vertical frequencies */
    double spread;   /* of row means, /255 */
};

static void measure(struct cost_parts *out, const struct plane *dots, int tone,
                    const struct target *target)
{
    static struct spectrum spectrum;
    double error[2], mean[8];

    spectrum_of(&spectrum, dots, tone, SPECTRUM_SIDE, false);
    out->texture =
        cost_han(target->best->spectrum.amplitude, spectrum.amplitude);
    cost_seen(dots, tone, error);
    for (int k = 0; k < 2; k++) {
        out->ratio[k] = error[k] / target->usual->hvs[k];
        out->best[k] = error[k] / target->best->hvs[k];
    }
    cost_row_means(dots, mean);
    out->rows = 0;
    for (int k = 1; k <= 4; k++)
        out->rows +=
            positive_log(row_power(mean, tone, k) / dbs_power(target->best, k));
    out->spread = spread_of(mean);
}

double cost_of(enum cost_kind kind, const struct plane *dots, int tone,
               const struct target *target)
{
    static struct spectrum spectrum;
    const double *dbs = target->best->spectrum.amplitude;
    struct cost_parts parts;

    if (kind != COST_EXTENDED) {
        spectrum_of(&spectrum, dots, tone, SPECTRUM_SIDE, false);
        return kind == COST_LI      ? cost_li(dbs, spectrum.amplitude)
               : kind == COST_CHANG ? cost_chang(dbs, spectrum.amplitude)
                                    : cost_han(dbs, spectrum.amplitude);
    }
    measure(&parts, dots, tone, target);

    double hvs = 0.1 * positive_log(parts.ratio[0]) +
                 0.05 * positive_log(parts.ratio[1]) +
                 0.02 * positive_log(parts.best[0]) +
                 0.005 * positive_log(parts.best[1]);
    return parts.texture + hvs * (tone <= COST_FEW_DOTS ? 4 : 1) +
           0.001 * parts.rows +
           0.001 * (parts.spread > 0.5 ? parts.spread - 0.5 : 0);
}
