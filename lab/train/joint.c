/*
 * joint.c - direct binary search of all inks of a page together: dbs.c for the
 * light that the dots reflect, whose error is not 1 or -1 at a change, but
 * depends on the other inks of the pixel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include <fftw3.h>

#include "lab/train/dbs.h"
#include "lab/train/hvs.h"
#include "lab/train/joint.h"
#include "lab/train/scielab.h"

#define FAR 40         /* pixels; c_pp is at 0.0002 of its peak there */
#define PASSES 200     /* far more than ever needed */
#define SMALLEST 1e-7f /* gain of a change, so that rounding cannot loop */

static int wrap(int i, int n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

static int primary_at(const struct plane *dots, int at)
{
    int primary = 0;

    for (int ink = 0; ink < COLOR_INKS; ink++)
        primary |= dots[ink].value[at] << ink;
    return primary;
}

static float light_of(int primary)
{
    return (float)(color_primaries[primary][1] / color_primaries[0][1]);
}

/* ---- The error as it is seen ------------------------------------------ */

/* c_pp on a torus: the transform of the response squared; free() it. */
static double *autocorrelation(int width, int height)
{
    int half = width / 2 + 1;
    double count = (double)width * height;
    double *value = train_alloc((size_t)width * (size_t)height, sizeof *value);
    fftw_complex *spectrum =
        fftw_malloc((size_t)height * (size_t)half * sizeof *spectrum);
    fftw_plan back =
        fftw_plan_dft_c2r_2d(height, width, spectrum, value, FFTW_ESTIMATE);

    for (int v = 0; v < height; v++)
        for (int u = 0; u < half; u++) {
            double r = scielab_response(
                0, hypot(hvs_bin(u, width), hvs_bin(v, height)), SCIELAB_SCALE);
            spectrum[v * half + u] = r * r / count;
        }
    fftw_execute(back);
    fftw_destroy_plan(back);
    fftw_free(spectrum);
    return value;
}

static float eye(const struct joint *joint, int dx, int dy)
{
    int side = 2 * joint->reach + 1;

    return joint->eye[(dy + joint->reach) * side + dx + joint->reach];
}

/* The error at (x, y) has changed by `change`. */
static void changed(struct joint *joint, int x, int y, float change)
{
    int width = joint->dots->width, height = joint->dots->height;
    int side = 2 * joint->reach + 1, from = wrap(x - joint->reach, width);
    int first = side < width - from ? side : width - from;

    for (int dy = 0; dy < side; dy++) {
        float *seen = joint->seen + wrap(y - joint->reach + dy, height) * width;
        const float *c_pp = joint->eye + dy * side;

        for (int i = 0; i < first; i++)
            seen[from + i] += change * c_pp[i];
        for (int i = first; i < side; i++)
            seen[i - first] += change * c_pp[i];
    }
}

struct joint joint_open(struct plane *dots, const struct colors *wanted)
{
    int width = dots->width, height = dots->height;
    int least = width < height ? width : height;
    size_t count = (size_t)width * (size_t)height;
    struct joint joint = {.dots = dots};
    double *c_pp = autocorrelation(width, height);

    joint.reach = FAR < (least - 1) / 2 ? FAR : (least - 1) / 2;
    int side = 2 * joint.reach + 1;
    joint.eye = train_alloc((size_t)side * (size_t)side, sizeof *joint.eye);
    joint.wanted = train_alloc(count, sizeof *joint.wanted);
    joint.seen = train_alloc(count, sizeof *joint.seen);
    for (int dy = -joint.reach; dy <= joint.reach; dy++)
        for (int dx = -joint.reach; dx <= joint.reach; dx++)
            joint.eye[(dy + joint.reach) * side + dx + joint.reach] =
                (float)(c_pp[wrap(dy, height) * width + wrap(dx, width)] /
                        c_pp[0]);
    free(c_pp);
    for (int at = 0; at < width * height; at++) {
        joint.wanted[at] =
            (float)(wanted->plane[1][at] / color_primaries[0][1]);
        changed(&joint, at % width, at / width,
                light_of(primary_at(dots, at)) - joint.wanted[at]);
    }
    return joint;
}

void joint_close(struct joint *joint)
{
    free(joint->wanted);
    free(joint->eye);
    free(joint->seen);
}

double joint_error(const struct joint *joint)
{
    int count = joint->dots->width * joint->dots->height;
    double sum = 0;

    for (int at = 0; at < count; at++)
        sum += (double)joint->seen[at] *
               (light_of(primary_at(joint->dots, at)) - joint->wanted[at]);
    return sum / count;
}

/* ---- Changes ---------------------------------------------------------- */

/* A change of one ink at one pixel, or, if `there` is another, at two. */
struct change {
    int ink, here, there;
    float gain; /* of the error; below 0 is good */
};

static void take(struct change *best, int ink, int here, int there, float gain)
{
    if (gain < best->gain)
        *best = (struct change){ink, here, there, gain};
}

/* Returns how much lighter a pixel becomes with this ink's dot toggled. */
static float lighter(int primary, int ink)
{
    return light_of(primary ^ 1 << ink) - light_of(primary);
}

static void flip(struct joint *joint, int ink, int at)
{
    int width = joint->dots->width;
    float change = lighter(primary_at(joint->dots, at), ink);

    joint->dots[ink].value[at] ^= 1;
    changed(joint, at % width, at / width, change);
}

static bool improve(struct joint *joint, int x, int y, bool toggles)
{
    int width = joint->dots->width, height = joint->dots->height;
    int here = y * width + x, primary = primary_at(joint->dots, here);
    struct change best = {.gain = -SMALLEST};

    for (int ink = 0; toggles && ink < COLOR_INKS; ink++) {
        float a = lighter(primary, ink);
        take(&best, ink, here, here, a * (a + 2 * joint->seen[here]));
    }
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int there = wrap(y + dy, height) * width + wrap(x + dx, width);
            int other = primary_at(joint->dots, there);

            for (int ink = 0; ink < COLOR_INKS; ink++) {
                if (((primary ^ other) >> ink & 1) == 0)
                    continue;
                float a = lighter(primary, ink), b = lighter(other, ink);
                float gain =
                    a * a + b * b + 2 * a * b * eye(joint, dx, dy) +
                    2 * (a * joint->seen[here] + b * joint->seen[there]);
                take(&best, ink, here, there, gain);
            }
        }
    if (best.gain >= -SMALLEST)
        return false;
    flip(joint, best.ink, here);
    if (best.there != here)
        flip(joint, best.ink, best.there);
    return true;
}

long joint_pass(struct joint *joint, bool toggles, uint64_t seed)
{
    uint32_t width = (uint32_t)joint->dots->width;
    uint32_t count = width * (uint32_t)joint->dots->height;
    uint32_t *order = train_alloc(count, sizeof *order);
    long changes = 0;

    dbs_shuffle(order, count, seed);
    for (uint32_t i = 0; i < count; i++)
        changes += improve(joint, (int)(order[i] % width),
                           (int)(order[i] / width), toggles);
    free(order);
    return changes;
}

void joint_patch(struct plane *dots, int width, int height, const int *tones,
                 uint64_t seed)
{
    struct plane flat[COLOR_INKS];

    for (int ink = 0; ink < COLOR_INKS; ink++) {
        flat[ink] = plane_flat(width, height, tones[ink]);
        dots[ink] =
            dbs_start(width, height, tones[ink], seed + (uint64_t)ink * 1000);
    }
    struct colors wanted = colors_of_tones(flat, NULL);
    struct joint joint = joint_open(dots, &wanted);
    for (int pass = 0; pass < PASSES; pass++)
        if (joint_pass(&joint, false, seed + (uint64_t)pass) == 0)
            break;
    joint_close(&joint);
    colors_free(&wanted);
    planes_free(flat, COLOR_INKS);
}
