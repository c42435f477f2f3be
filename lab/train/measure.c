/*
 * measure.c - the meter's measures of a flat halftone, and of a picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/train/measure.h"

#define N SPECTRUM_SIDE
#define LEAST_POWER 1e-12 /* of a ring; less is rounding */

/* ---- Rings ------------------------------------------------------------ */

static int ring_of(int u, int v)
{
    double f = hypot(u, 2 * v > N ? v - N : v);

    return (int)lround(f) - 1; /* ring 0 is 1/128 cycles a pixel */
}

/* Statistics of the bins of each ring: the weights' sum, the mean power, and
 * the variance of power over its squared mean; 0 where there is no power. */
struct rings {
    double count[MEASURE_RINGS], mean[MEASURE_RINGS], spread[MEASURE_RINGS];
};

static void rings_of(struct rings *out, const double *power)
{
    double sum[MEASURE_RINGS] = {0}, squares[MEASURE_RINGS] = {0};

    memset(out, 0, sizeof *out);
    for (int v = 0; v < N; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            int ring = ring_of(u, v), weight = spectrum_weight(u, v);
            double p = power[v * SPECTRUM_HALF + u];

            if (ring < 0 || ring >= MEASURE_RINGS)
                continue;
            sum[ring] += weight * p;
            squares[ring] += weight * p * p;
            out->count[ring] += weight;
        }
    for (int i = 0; i < MEASURE_RINGS; i++) {
        double mean = sum[i] / out->count[i];

        out->mean[i] = mean;
        if (mean >= LEAST_POWER)
            out->spread[i] = (squares[i] - sum[i] * mean) /
                             (out->count[i] - 1) / (mean * mean);
    }
}

/* The mean spread of rings first..last that have power, dB. */
static double anisotropy_of(const struct rings *rings, int first, int last)
{
    double spread = 0;
    int count = 0;

    for (int i = first; i <= last; i++)
        if (rings->mean[i] >= LEAST_POWER) {
            spread += rings->spread[i];
            count++;
        }
    return count > 0 ? 10 * log10(spread / count) : 0;
}

double measure_rings(const double *power, double *rapsd, double *line)
{
    struct rings rings;
    double strongest = 0;

    rings_of(&rings, power);
    memcpy(rapsd, rings.mean, sizeof rings.mean);
    for (int v = 0; v < N; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            int ring = ring_of(u, v);
            double p = power[v * SPECTRUM_HALF + u];

            if (ring >= 0 && ring < MEASURE_RINGS &&
                rapsd[ring] >= LEAST_POWER && p / rapsd[ring] > strongest)
                strongest = p / rapsd[ring];
        }
    *line = strongest > 0 ? 10 * log10(strongest) : 0;
    return anisotropy_of(&rings, 0, MEASURE_RINGS - 1);
}

double measure_band_anisotropy(const double *power, int tone)
{
    double a = (tone > 127 ? 255 - tone : tone) / 255.0;
    double principal = sqrt(a) * N; /* in rings, 1 = ring 0 */
    int first = (int)ceil(0.35 * principal) - 1;
    int last = (int)floor(1.4 * principal) - 1;
    struct rings rings;

    rings_of(&rings, power);
    return anisotropy_of(&rings, first,
                         last < MEASURE_RINGS ? last : MEASURE_RINGS - 1);
}

/* ---- Flat patches ----------------------------------------------------- */

/* Finds the means of rows 0, 8, 16 .., of rows 1, 9, 17 .. and so on, in shares
 * of a dot. */
static void row_means(const struct plane *dots, double mean[8])
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

double measure_row_range(const struct plane *dots)
{
    double mean[8], least = 1, most = 0;

    row_means(dots, mean);
    for (int k = 0; k < 8; k++) {
        least = fmin(least, mean[k]);
        most = fmax(most, mean[k]);
    }
    return (most - least) * 255;
}

double measure_row_deviation(const struct plane *dots)
{
    double mean[8], sum = 0, squares = 0;

    row_means(dots, mean);
    for (int k = 0; k < 8; k++) {
        sum += mean[k];
        squares += mean[k] * mean[k];
    }
    double variance = squares / 8 - sum / 8 * (sum / 8);
    return variance > 0 ? sqrt(variance) * 255 : 0;
}

/* Returns the part of a patch that is judged; to be freed. */
static struct plane judged_part(const struct plane *dots)
{
    return plane_crop(dots, MEASURE_MARGIN, MEASURE_MARGIN,
                      dots->width - 2 * MEASURE_MARGIN,
                      dots->height - MEASURE_MARGIN);
}

/* Returns Han and Allebach's distance of two amplitude spectra, (8) of Mao and
 * others (ICIP 2018), 0 to 1: a mean over the full plane, the mean frequency
 * left out. Bins where both are 0 count 0. */
static double texture_distance(const double *a, const double *b)
{
    double sum = 0;

    for (int v = 0; v < N; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            int i = v * SPECTRUM_HALF + u;
            double part = a[i] + b[i] > 0 ? (a[i] - b[i]) / (a[i] + b[i]) : 0;

            sum += spectrum_weight(u, v) * part * part;
        }
    return sum / (N * N - 1);
}

/* From half-overlapping windows, whose spectrum is left in `spectrum`. */
static double texture_of(struct spectrum *spectrum, const struct plane *judged,
                         int tone, const struct reference *best)
{
    spectrum_of(spectrum, judged, tone, N / 2, false);
    return texture_distance(best->spectrum.amplitude, spectrum->amplitude);
}

double measure_texture(const struct plane *dots, int tone,
                       const struct reference *best)
{
    static struct spectrum spectrum;
    struct plane judged = judged_part(dots);
    double texture = texture_of(&spectrum, &judged, tone, best);

    plane_free(&judged);
    return texture;
}

double measure_band(const struct plane *dots, int tone)
{
    static struct spectrum spectrum;
    struct plane judged = judged_part(dots);

    spectrum_of(&spectrum, &judged, tone, N, false);
    plane_free(&judged);
    return measure_band_anisotropy(spectrum.power, tone);
}

void measure_flat(struct measured *out, const struct plane *dots, int tone,
                  const struct reference *usual, const struct reference *best)
{
    static struct spectrum spectrum;
    double a = tone / 255.0;
    struct plane flat = plane_flat(dots->width, dots->height, tone);
    struct plane judged = judged_part(dots);

    for (int k = 0; k < 2; k++) {
        double error =
            hvs_error(dots, &flat, HVS_SCALE * (k + 1), MEASURE_MARGIN);
        out->ratio[k] = error / usual->hvs[k];
        out->best_ratio[k] = error / best->hvs[k];
    }
    spectrum_of(&spectrum, &judged, tone, N, false);
    out->anisotropy = measure_rings(spectrum.power, out->rapsd, &out->line);
    for (int i = 0; i < MEASURE_RINGS; i++)
        out->rapsd[i] /= a * (1 - a);
    out->texture = texture_of(&spectrum, &judged, tone, best);
    for (int i = 0; i < SPECTRUM_BINS; i++)
        out->amplitude[i] = (float)spectrum.amplitude[i];
    out->rows = measure_row_deviation(&judged);
    out->row_range = measure_row_range(&judged);
    out->tone = (plane_mean(&judged) - a) * 255;
    plane_free(&judged);
    plane_free(&flat);
}

double measure_jump(const struct measured *a, const struct measured *b)
{
    static double from[SPECTRUM_BINS], to[SPECTRUM_BINS];

    for (int i = 0; i < SPECTRUM_BINS; i++) {
        from[i] = a->amplitude[i];
        to[i] = b->amplitude[i];
    }
    return texture_distance(from, to);
}

/* ---- Pictures --------------------------------------------------------- */

bool measure_picture_fits(const struct plane *tones, const char *path)
{
    int width = 2 * MEASURE_PICTURE_MARGIN + SPECTRUM_SIDE;
    int height = MEASURE_PICTURE_MARGIN + SPECTRUM_SIDE;

    if (tones->width >= width && tones->height >= height)
        return true;
    fprintf(stderr, "%s: smaller than %d x %d\n", path, width, height);
    return false;
}

void measure_picture(struct measured_picture *out, const struct plane *dots,
                     const struct plane *tones)
{
    double sum = 0;
    int count = tones->width * tones->height;

    for (int k = 0; k < 2; k++) {
        double scale = HVS_SCALE * (k + 1);
        out->error[k] = hvs_error(dots, tones, scale, MEASURE_PICTURE_MARGIN);
        out->displaced[k] = hvs_error_displaced(dots, tones, scale, NULL, NULL);
    }
    for (int i = 0; i < count; i++)
        sum += tones->value[i];
    out->tone = plane_mean(dots) * 255 - sum / count;
    hvs_error_by_tone(dots, tones, HVS_SCALE, out->by_tone);
}
