/*
 * sharpness.c - measures the strength of a halftone's fine detail.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "halftone/halftone.h"
#include "lab/train/random.h"
#include "lab/train/sharpness.h"

#define N 512
#define TURN 6.28318530717958648

/* ---- Waves ------------------------------------------------------------ */

/* Cycles a picture, to the right and down; 128 is 1/4 cycle a pixel. */
static const int waves[SHARPNESS_DIRECTIONS][SHARPNESS_WAVES][2] = {
    {{128, 3}, {123, 1}, {133, 0}},
    {{3, 128}, {1, 123}, {0, 133}},
    {{91, 91}, {88, 92}, {91, -89}}};

static double phase(const int *cycles, int x, int y)
{
    return TURN * (cycles[0] * x + cycles[1] * y) / N;
}

/* Returns the position of a pixel along the crests, 0..1. */
static double along(const int *cycles, int x, int y)
{
    double u = cycles[0], v = cycles[1];
    double span = (fabs(u) + fabs(v)) * (N - 1);
    double start = (v > 0 ? -v : 0) * (N - 1) + (u < 0 ? u : 0) * (N - 1);

    return (u * y - v * x - start) / span;
}

struct plane sharpness_waves(enum sharpness_direction direction, int wave,
                             int low, int high, int swing)
{
    const int *cycles = waves[direction][wave];
    struct plane tones = plane_new(N, N);

    for (int i = 0; i < N * N; i++)
        tones.value[i] =
            (uint8_t)lround(low + (high - low) * along(cycles, i % N, i / N) +
                            swing * cos(phase(cycles, i % N, i / N)));
    return tones;
}

double sharpness_transfer(const struct plane *dots, const struct plane *tones,
                          enum sharpness_direction direction, int wave)
{
    const int *cycles = waves[direction][wave];
    double got[2] = {0}, wanted[2] = {0};

    for (int i = 0; i < N * N; i++) {
        int x = i % N, y = i / N;
        /* A window keeps out what the ends of the picture do. */
        double w = (1 - cos(TURN * x / N)) * (1 - cos(TURN * y / N));
        double c = w * cos(phase(cycles, x, y));
        double s = w * sin(phase(cycles, x, y));

        got[0] += c * dots->value[i];
        got[1] += s * dots->value[i];
        wanted[0] += c * tones->value[i] / 255;
        wanted[1] += s * tones->value[i] / 255;
    }
    /* The part that is in phase. */
    return (got[0] * wanted[0] + got[1] * wanted[1]) /
           (wanted[0] * wanted[0] + wanted[1] * wanted[1]);
}

/* ---- A picture ---------------------------------------------------------- */

/* Adds smooth noise of +-`size` with a number every `step` pixels. */
static void add_clouds(double *tone, int step, double size, uint64_t *seed)
{
    int side = N / step + 2;
    double *at = train_alloc((size_t)side * (size_t)side, sizeof *at);

    for (int i = 0; i < side * side; i++)
        at[i] = size * (2 * random_unit(seed) - 1);
    for (int i = 0; i < N * N; i++) {
        int x = i % N, y = i / N;
        const double *a = at + y / step * side + x / step;
        double u = (double)(x % step) / step, v = (double)(y % step) / step;

        tone[i] += (1 - v) * ((1 - u) * a[0] + u * a[1]) +
                   v * ((1 - u) * a[side] + u * a[side + 1]);
    }
    free(at);
}

struct plane sharpness_picture(void)
{
    struct plane tones = plane_new(N, N);
    double *tone = train_alloc(N * N, sizeof *tone);
    uint64_t seed = 1;

    for (int step = 128; step >= 2; step /= 2)
        add_clouds(tone, step, 8 + 0.8 * step, &seed);
    for (int ball = 0; ball < 40; ball++) {
        double cx = N * random_unit(&seed), cy = N * random_unit(&seed);
        double r = 8 + 40 * random_unit(&seed);
        double shade = 220 * random_unit(&seed) - 110;

        for (int i = 0; i < N * N; i++) {
            int row = i / N;
            double dx = i % N - cx, dy = row - cy, d = hypot(dx, dy);

            if (d < r)
                tone[i] = shade + 40 * (dx + dy) / r;
            else if (d < r + 2) /* a soft edge */
                tone[i] += (shade - tone[i]) * (r + 2 - d) / 2;
        }
    }
    for (int i = 0; i < N * N; i++) {
        double v = 128 + tone[i];

        tones.value[i] = (uint8_t)lround(v < 1 ? 1 : v > 254 ? 254 : v);
    }
    free(tone);
    return tones;
}

/* ---- Sharper tones ------------------------------------------------------ */

struct plane sharpness_apply(const struct plane *tones, uint32_t sharpness)
{
    struct plane out = plane_new(tones->width, tones->height);

    for (int y = 0; y < tones->height; y++) {
        size_t at = (size_t)y * (size_t)tones->width;
        size_t next = at + (size_t)tones->width;
        const uint8_t *row = tones->value + at;

        ht_sharpen(y > 0 ? row - tones->width : NULL, row,
                   y + 1 < tones->height ? tones->value + next : NULL, 8,
                   (uint32_t)tones->width, sharpness, out.value + at);
    }
    return out;
}
