/*
 * scene.c - pictures made by program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "lab/train/random.h"
#include "lab/train/scene.h"
#include "lab/train/scielab.h"

#define SIDE 512
#define MARGIN 32

const char *const scene_name[SCENES] = {"skin", "sky", "leaves"};

/* ---- Noise ------------------------------------------------------------ */

/* 0..1 for the point of a grid. */
static double grid_value(int x, int y, int layer)
{
    uint64_t seed = (uint64_t)layer << 40 | (uint64_t)y << 20 | (uint64_t)x;

    random_next(&seed);
    return random_unit(&seed);
}

static double ease(double t)
{
    return t * t * (3 - 2 * t);
}

/* Smooth noise, 0..1, on a grid of `pitch` pixels. */
static double noise(double x, double y, double pitch, int layer)
{
    int left = (int)(x / pitch), top = (int)(y / pitch);
    double u = ease(x / pitch - left), v = ease(y / pitch - top);
    double above = grid_value(left, top, layer) * (1 - u) +
                   grid_value(left + 1, top, layer) * u;
    double below = grid_value(left, top + 1, layer) * (1 - u) +
                   grid_value(left + 1, top + 1, layer) * u;

    return above * (1 - v) + below * v;
}

/* Noise of ever finer grids, each with half of the one before: 0..1. */
static double clouds(double x, double y, double pitch, int layers)
{
    double sum = 0, share = 1, shares = 0;

    for (int layer = 0; layer < layers; layer++, pitch /= 2, share /= 2) {
        sum += share * noise(x, y, pitch, layer);
        shares += share;
    }
    return sum / shares;
}

/* ---- Scenes ----------------------------------------------------------- */

/* Each gives the place on the palette, 0 = light, of a pixel. */

/* A round face, lit from the left above, and fine grain. */
static double skin(int x, int y)
{
    double u = (x - 256) / 300.0, v = (y - 256) / 340.0;
    double w = sqrt(fmax(0, 1 - u * u - v * v));
    double light = fmax(0, 0.45 * -u + 0.4 * -v + 0.8 * w);

    return 0.95 - 0.9 * light + 0.06 * (noise(x, y, 5, 1) - 0.5);
}

/* Darker to the zenith; clouds are light. */
static double sky(int x, int y)
{
    double cover = (clouds(x, 2 * y, 160, 5) - 0.5) / 0.2;

    return (0.95 - 0.75 * y / SIDE) * (1 - ease(fmin(fmax(cover, 0), 1)));
}

static double leaves(int x, int y)
{
    double mass = clouds(x, y, 96, 6), ribs = fabs(noise(x, y, 22, 9) - 0.5);

    return 0.5 + 1.9 * (mass - 0.5) + 0.6 * (ribs - 0.17);
}

void scene_planes(struct plane *planes, int scene)
{
    static double (*const place[SCENES])(int x, int y) = {skin, sky, leaves};
    static const struct palette *const palette[SCENES] = {
        &palette_skin, &palette_sky, &palette_leaves};
    double *along = train_alloc((size_t)SIDE * SIDE, sizeof *along);

    for (int i = 0; i < SIDE * SIDE; i++)
        along[i] = place[scene](i % SIDE, i / SIDE);
    palette_planes(planes, palette[scene], SIDE, SIDE, along);
    free(along);
}

/* ---- Judged ----------------------------------------------------------- */

double scene_distance(const struct plane *drops, const double *area,
                      const struct plane *tones)
{
    struct colors is = colors_of_drops(drops, area),
                  wanted = colors_of_tones(tones, NULL);

    scielab_see(&is, SCIELAB_SCALE);
    scielab_see(&wanted, SCIELAB_SCALE);
    double distance = colors_distance(&is, &wanted, MARGIN);
    colors_free(&is);
    colors_free(&wanted);
    return distance;
}

bool scene_measure(double *distance, const struct printer *printer, int scene)
{
    struct plane tones[COLOR_INKS], dots[COLOR_INKS];
    double area[HT_MAX_LEVELS];

    scene_planes(tones, scene);
    bool ok = printer_print(printer, tones, COLOR_INKS, dots);
    if (ok) {
        printer_areas(printer, area);
        *distance = scene_distance(dots, area, tones);
        planes_free(dots, COLOR_INKS);
    }
    planes_free(tones, COLOR_INKS);
    return ok;
}
