/*
 * dbs.c - direct binary search (Analoui and Allebach, SPIE 1666, 1992) with
 * the autocorrelation update of Lieberman and Allebach (IEEE Trans. IP 9,
 * 2000): with c_pp the eye's autocorrelation and c_pe its correlation with
 * the error, a change of the dot at m by a lessens the seen error by
 * -(a^2 c_pp(0) + 2 a c_pe(m)), and then c_pe(n) gains a c_pp(n - m).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/train/dbs.h"
#include "lab/train/hvs.h"
#include "lab/train/random.h"

#define PASSES 200     /* far more than ever needed */
#define SMALLEST 1e-7f /* gain of a change, so that rounding cannot loop */

/* Pixels that a search looks, by kind; c_pp is at 0.004 and 0.001 of its peak
 * there. */
static const int reach[] = {[DBS_USUAL] = DBS_USUAL_FAR, [DBS_BEST] = 40};

static int wrap(int i, int n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

static float eye(const struct dbs *dbs, int dx, int dy)
{
    return dbs->eye[(dy + dbs->reach) * (2 * dbs->reach + 1) + dx + dbs->reach];
}

/* ---- c_pe ------------------------------------------------------------- */

static void add_row(float *seen, const float *c_pp, int count, float change)
{
    for (int i = 0; i < count; i++)
        seen[i] += change * c_pp[i];
}

/* The error at (x, y) has changed by `change`. */
static void changed(struct dbs *dbs, int x, int y, float change)
{
    int width = dbs->dots.width, height = dbs->dots.height;
    int side = 2 * dbs->reach + 1, from = wrap(x - dbs->reach, width);
    int first = side < width - from ? side : width - from;

    for (int dy = 0; dy < side; dy++) {
        float *seen = dbs->seen +
                      (size_t)wrap(y - dbs->reach + dy, height) * (size_t)width;
        const float *c_pp = dbs->eye + (size_t)dy * (size_t)side;

        add_row(seen + from, c_pp, first, change);
        add_row(seen, c_pp + first, side - first, change);
    }
}

float dbs_brute_force(const struct dbs *dbs, int x, int y)
{
    int width = dbs->dots.width, height = dbs->dots.height;
    double sum = 0;

    for (int dy = -dbs->reach; dy <= dbs->reach; dy++)
        for (int dx = -dbs->reach; dx <= dbs->reach; dx++) {
            size_t at = (size_t)wrap(y + dy, height) * (size_t)width +
                        (size_t)wrap(x + dx, width);
            sum += (double)(dbs->area[dbs->dots.value[at]] - dbs->tone[at]) *
                   eye(dbs, dx, dy);
        }
    return (float)sum;
}

/* Works c_pe out. */
static void see(struct dbs *dbs)
{
    int width = dbs->dots.width, height = dbs->dots.height;

    memset(dbs->seen, 0, (size_t)width * (size_t)height * sizeof *dbs->seen);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            size_t at = (size_t)y * (size_t)width + (size_t)x;
            changed(dbs, x, y, dbs->area[dbs->dots.value[at]] - dbs->tone[at]);
        }
}

struct dbs dbs_open(const struct plane *dots, const struct plane *tones,
                    double scale, int far)
{
    int width = dots->width, height = dots->height;
    size_t count = (size_t)width * (size_t)height;
    struct dbs dbs = {.dots = plane_crop(dots, 0, 0, width, height),
                      .area = {0, 1}};
    double *c_pp = hvs_autocorrelation(width, height, scale);
    int least = width < height ? width : height;

    assert(least >= DBS_LEAST);
    dbs.reach = far < (least - 1) / 2 ? far : (least - 1) / 2;
    int side = 2 * dbs.reach + 1;
    dbs.eye = train_alloc((size_t)side * (size_t)side, sizeof *dbs.eye);
    dbs.tone = train_alloc(count, sizeof *dbs.tone);
    dbs.seen = train_alloc(count, sizeof *dbs.seen);
    for (int dy = -dbs.reach; dy <= dbs.reach; dy++)
        for (int dx = -dbs.reach; dx <= dbs.reach; dx++)
            dbs.eye[(dy + dbs.reach) * side + dx + dbs.reach] =
                (float)(c_pp[wrap(dy, height) * width + wrap(dx, width)] /
                        c_pp[0]);
    free(c_pp);
    for (size_t i = 0; i < count; i++)
        dbs.tone[i] = (float)tones->value[i] / 255.0f;
    see(&dbs);
    return dbs;
}

void dbs_close(struct dbs *dbs)
{
    plane_free(&dbs->dots);
    free(dbs->tone);
    free(dbs->eye);
    free(dbs->seen);
}

/* ---- Changes ---------------------------------------------------------- */

static void put(struct dbs *dbs, int x, int y, uint8_t size)
{
    uint8_t *dot = &dbs->dots.value[y * dbs->dots.width + x];
    float change = dbs->area[size] - dbs->area[*dot];

    *dot = size;
    changed(dbs, x, y, change);
}

/* Makes the change at (x, y) that lessens the error most, if any does. */
static bool improve(struct dbs *dbs, int x, int y, bool toggles)
{
    int width = dbs->dots.width, height = dbs->dots.height;
    size_t here = (size_t)y * (size_t)width + (size_t)x;
    uint8_t size = dbs->dots.value[here];
    float best = -SMALLEST;
    int best_x = -1, best_y = -1;

    if (toggles && dbs->tone[here] > 1 / 16.0f &&
        dbs->tone[here] < 15 / 16.0f) {
        float a = size ? -1.0f : 1.0f;
        float gain = eye(dbs, 0, 0) + 2 * a * dbs->seen[here];
        if (gain < best) {
            best = gain;
            best_x = x;
            best_y = y;
        }
    }
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int nx = wrap(x + dx, width), ny = wrap(y + dy, height);
            size_t there = (size_t)ny * (size_t)width + (size_t)nx;

            float a = dbs->area[dbs->dots.value[there]] - dbs->area[size];

            if (dbs->dots.value[there] == size)
                continue;
            float gain = 2 * a * a * (eye(dbs, 0, 0) - eye(dbs, dx, dy)) +
                         2 * a * (dbs->seen[here] - dbs->seen[there]);
            if (gain < best) {
                best = gain;
                best_x = nx;
                best_y = ny;
            }
        }
    if (best_x < 0)
        return false;
    if (best_x == x && best_y == y) {
        put(dbs, x, y, !size);
        return true;
    }
    put(dbs, x, y, dbs->dots.value[best_y * width + best_x]);
    put(dbs, best_x, best_y, size);
    return true;
}

void dbs_shuffle(uint32_t *order, uint32_t count, uint64_t seed)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = random_below(&seed, i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

long dbs_pass(struct dbs *dbs, bool toggles, uint64_t seed)
{
    uint32_t width = (uint32_t)dbs->dots.width;
    uint32_t count = width * (uint32_t)dbs->dots.height;
    uint32_t *order = train_alloc(count, sizeof *order);
    long changes = 0;

    dbs_shuffle(order, count, seed);
    for (uint32_t i = 0; i < count; i++)
        changes += improve(dbs, (int)(order[i] % width),
                           (int)(order[i] / width), toggles);
    free(order);
    return changes;
}

static struct plane finish(struct dbs *dbs, bool toggles, uint64_t seed)
{
    for (int pass = 0; pass < PASSES; pass++)
        if (dbs_pass(dbs, toggles, seed + (uint64_t)pass) == 0)
            break;

    struct plane dots =
        plane_crop(&dbs->dots, 0, 0, dbs->dots.width, dbs->dots.height);
    dbs_close(dbs);
    return dots;
}

/* Floyd and Steinberg's weights, each row's columns a ring, with random parts
 * that leave no pattern; the rows before the first let it settle. */
static struct plane diffused(int width, int height, double tone, uint64_t seed)
{
    struct plane dots = plane_new(width, height);
    double *here = train_alloc((size_t)width, sizeof *here);
    double *below = train_alloc((size_t)width, sizeof *below);

    for (int y = -64; y < height; y++) {
        int step = y % 2 ? -1 : 1;

        memset(below, 0, (size_t)width * sizeof *below);
        for (int i = 0; i < width; i++) {
            int x = step > 0 ? i : width - 1 - i;
            double u = tone / 255 + here[x];
            bool dot = u >= 0.5 + 0.6 * (random_unit(&seed) - 0.5);
            double e = u - dot, r = 0.3 * random_unit(&seed) - 0.15;

            here[wrap(x + step, width)] += e * (7 / 16. + r * 0.5);
            below[wrap(x - step, width)] += e * (3 / 16. - r * 0.3);
            below[x] += e * (5 / 16. - r * 0.2);
            below[wrap(x + step, width)] += e / 16;
            if (y >= 0)
                dots.value[y * width + x] = dot;
        }
        double *kept = here;
        here = below;
        below = kept;
    }
    free(here);
    free(below);
    return dots;
}

/* Adds or takes dots at random places until there are `wanted`. */
static void make_count(struct plane *dots, uint32_t wanted, uint64_t seed)
{
    uint32_t count = (uint32_t)dots->width * (uint32_t)dots->height;
    uint32_t *order = train_alloc(count, sizeof *order);
    uint32_t have = (uint32_t)lround(plane_mean(dots) * count);

    dbs_shuffle(order, count, seed);
    for (uint32_t i = 0; have != wanted; i++) {
        uint8_t *dot = &dots->value[order[i]];

        if (*dot == (have > wanted)) {
            have += *dot ? -1u : 1u;
            *dot = !*dot;
        }
    }
    free(order);
}

struct plane dbs_start(int width, int height, double tone, uint64_t seed)
{
    struct plane dots = diffused(width, height, tone, seed);
    double count = (double)width * height;

    make_count(&dots, (uint32_t)lround(count * tone / 255), seed);
    return dots;
}

/* Searches a flat patch from `first`, which it frees. */
static struct plane patch_from(struct plane *first, double tone, double scale,
                               int far, uint64_t seed)
{
    int width = first->width, height = first->height;
    double count = (double)width * height;
    struct plane flat = plane_flat(width, height, (int)lround(tone));

    make_count(first, (uint32_t)lround(count * tone / 255), seed);
    struct dbs dbs = dbs_open(first, &flat, scale, far);
    plane_free(first);
    plane_free(&flat);
    return finish(&dbs, false, seed + 1);
}

struct plane dbs_patch(int width, int height, double tone, double scale,
                       enum dbs_kind kind, uint64_t seed)
{
    struct plane first = kind == DBS_BEST ? diffused(width, height, tone, seed)
                                          : plane_new(width, height);

    return patch_from(&first, tone, scale, reach[kind], seed);
}

struct plane dbs_patch_far(int width, int height, double tone, double scale,
                           int far, uint64_t seed)
{
    struct plane first = plane_new(width, height);

    return patch_from(&first, tone, scale, far, seed);
}

struct plane dbs_drops(const struct plane *drops, const double *area,
                       double scale, uint64_t seed)
{
    int width = drops->width, height = drops->height;
    uint32_t count = (uint32_t)width * (uint32_t)height;
    uint32_t *order = train_alloc(count, sizeof *order);
    struct plane first = plane_new(width, height),
                 none = plane_new(width, height);
    double sum = 0;

    dbs_shuffle(order, count, seed);
    for (uint32_t i = 0; i < count; i++) {
        first.value[order[i]] = drops->value[i];
        sum += area[drops->value[i]];
    }
    free(order);
    struct dbs dbs = dbs_open(&none, &none, scale, reach[DBS_USUAL]);
    for (unsigned size = 0; size < HT_MAX_LEVELS; size++)
        dbs.area[size] = (float)area[size];
    for (uint32_t i = 0; i < count; i++)
        dbs.tone[i] = (float)(sum / count);
    memcpy(dbs.dots.value, first.value, count);
    see(&dbs);
    plane_free(&first);
    plane_free(&none);
    return finish(&dbs, false, seed + 1);
}

struct plane dbs_picture(const struct plane *tones, double scale, uint64_t seed)
{
    struct plane start = plane_new(tones->width, tones->height);
    size_t count = (size_t)tones->width * (size_t)tones->height;
    uint64_t random = seed;

    for (size_t i = 0; i < count; i++)
        start.value[i] = random_unit(&random) < tones->value[i] / 255.0;

    struct dbs dbs = dbs_open(&start, tones, scale, DBS_USUAL_FAR);
    plane_free(&start);
    return finish(&dbs, true, seed + 1);
}
