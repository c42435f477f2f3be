/*
 * fixed.c - error diffusion with fixed weights: Floyd and Steinberg (1976),
 * in raster order and serpentine; Jarvis, Judice and Ninke (1976); Stucki
 * (1981); Shiau and Fan (SPIE 2658, 1996).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lab/train/peers/peers.h"

/* Weights of this row from the pixel on and of the two next rows, columns
 * -3..+2, in `divisor`s; row 0 left of the pixel is not looked at. */
struct kernel {
    int weight[3][6];
    int divisor;
    bool serpentine;
};

static const struct kernel floyd_steinberg = {
    {{0, 0, 0, 0, 7, 0}, {0, 0, 3, 5, 1, 0}}, 16, false};
static const struct kernel floyd_steinberg_serpentine = {
    {{0, 0, 0, 0, 7, 0}, {0, 0, 3, 5, 1, 0}}, 16, true};
static const struct kernel jarvis = {
    {{0, 0, 0, 0, 7, 5}, {0, 3, 5, 7, 5, 3}, {0, 1, 3, 5, 3, 1}}, 48, false};
static const struct kernel stucki = {
    {{0, 0, 0, 0, 8, 4}, {0, 2, 4, 8, 4, 2}, {0, 1, 2, 4, 2, 1}}, 42, false};
static const struct kernel shiau_fan = {
    {{0, 0, 0, 0, 8, 0}, {1, 1, 2, 4, 0, 0}}, 16, false};

/* Clamps `x` to the page. */
static int within(int x, int width)
{
    return x < 0 ? 0 : x >= width ? width - 1 : x;
}

static bool diffuse(const struct plane *tones, struct plane *dots,
                    const struct kernel *kernel)
{
    int width = tones->width;
    double *row[3];

    *dots = plane_new(width, tones->height);
    for (int k = 0; k < 3; k++)
        row[k] = train_alloc((size_t)width, sizeof *row[k]);
    for (int y = 0; y < tones->height; y++) {
        int step = kernel->serpentine && y % 2 ? -1 : 1;

        for (int i = 0; i < width; i++) {
            int x = step > 0 ? i : width - 1 - i, at = y * width + x;
            double u = tones->value[at] / 255.0 + row[0][x];

            dots->value[at] = u >= 0.5;
            u = (u - dots->value[at]) / kernel->divisor;
            for (int k = 0; k < 3; k++)
                for (int c = k == 0 ? 4 : 0; c < 6; c++) {
                    int to = x + step * (c - 3);
                    int below = k == 0 && within(to, width) != to;
                    row[k + below][within(to, width)] +=
                        kernel->weight[k][c] * u;
                }
        }
        double *done = row[0];
        row[0] = row[1];
        row[1] = row[2];
        row[2] = memset(done, 0, (size_t)width * sizeof *done);
    }
    for (int k = 0; k < 3; k++)
        free(row[k]);
    return true;
}

bool peer_floyd_steinberg(const struct plane *tones, struct plane *dots)
{
    return diffuse(tones, dots, &floyd_steinberg);
}

bool peer_floyd_steinberg_serpentine(const struct plane *tones,
                                     struct plane *dots)
{
    return diffuse(tones, dots, &floyd_steinberg_serpentine);
}

bool peer_jarvis(const struct plane *tones, struct plane *dots)
{
    return diffuse(tones, dots, &jarvis);
}

bool peer_stucki(const struct plane *tones, struct plane *dots)
{
    return diffuse(tones, dots, &stucki);
}

bool peer_shiau_fan(const struct plane *tones, struct plane *dots)
{
    return diffuse(tones, dots, &shiau_fan);
}
