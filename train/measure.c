/*
 * measure.c - what the meter says about a flat halftone, and about a picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "train/cost.h"
#include "train/measure.h"

#define N SPECTRUM_SIDE
#define LEAST_POWER 1e-12 /* of a ring; less is rounding */

/* ---- Rings ------------------------------------------------------------ */

static int ring_of(int u, int v)
{
    double f = hypot(u, 2 * v > N ? v - N : v);

    return (int)lround(f) - 1; /* ring 0 is 1/128 cycles a pixel */
}

double measure_rings(const double *power, double *rapsd, double *line)
{
    double sum[MEASURE_RINGS] = {0}, squares[MEASURE_RINGS] = {0};
    double count[MEASURE_RINGS] = {0}, spread = 0, strongest = 0;
    int rings = 0; /* with power */

    for (int v = 0; v < N; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            int ring = ring_of(u, v), weight = spectrum_weight(u, v);
            double p = power[v * SPECTRUM_HALF + u];

            if (ring < 0 || ring >= MEASURE_RINGS)
                continue;
            sum[ring] += weight * p;
            squares[ring] += weight * p * p;
            count[ring] += weight;
        }
    for (int i = 0; i < MEASURE_RINGS; i++) {
        rapsd[i] = sum[i] / count[i];
        if (rapsd[i] < LEAST_POWER)
            continue;
        double variance = (squares[i] - sum[i] * rapsd[i]) / (count[i] - 1);
        spread += variance / (rapsd[i] * rapsd[i]);
        rings++;
    }
    for (int v = 0; v < N; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            int ring = ring_of(u, v);
            double p = power[v * SPECTRUM_HALF + u];

            if (ring >= 0 && ring < MEASURE_RINGS &&
                rapsd[ring] >= LEAST_POWER && p / rapsd[ring] > strongest)
                strongest = p / rapsd[ring];
        }
    *line = rings ? 10 * log10(strongest) : 0;
    return rings ? 10 * log10(spread / rings) : 0;
}

/* ---- Flat patches ----------------------------------------------------- */

double measure_row_deviation(const struct plane *dots)
{
    double mean[8], sum = 0, squares = 0;

    cost_row_means(dots, mean);
    for (int k = 0; k < 8; k++) {
        sum += mean[k];
        squares += mean[k] * mean[k];
    }
    double variance = squares / 8 - sum / 8 * (sum / 8);
    return variance > 0 ? sqrt(variance) * 255 : 0;
}

/* What is judged of a patch; to be freed. */
static struct plane judged_part(const struct plane *dots)
{
    return plane_crop(dots, MEASURE_MARGIN, MEASURE_MARGIN,
                      dots->width - 2 * MEASURE_MARGIN,
                      dots->height - MEASURE_MARGIN);
}

/* From half-overlapping windows, whose spectrum is left in `spectrum`. */
static double texture_of(struct spectrum *spectrum, const struct plane *judged,
                         int tone, const struct reference *best)
{
    spectrum_of(spectrum, judged, tone, N / 2, false);
    return cost_han(best->spectrum.amplitude, spectrum->amplitude);
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
    out->row_range = cost_row_spread(&judged);
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
    return cost_han(from, to);
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
