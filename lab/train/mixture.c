/*
 * mixture.c - judges flat mixtures of inks as one picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/train/hvs.h"
#include "lab/train/joint.h"
#include "lab/train/measure.h"
#include "lab/train/mixture.h"
#include "lab/train/scielab.h"

#define SIDE 416       /* pixels of a patch */
#define MARGIN 64      /* not judged, at every edge */
#define FLOOR_SIDE 256 /* of a patch by joint direct binary search */
#define LEAST_SEEN 0.1 /* share that the eye lets through */

static const double whole[HT_MAX_LEVELS] = {0, 1, 1, 1, 1, 1}; /* one size */

const struct mixture mixtures[MIXTURES] = {
    {"10/10/10/0", {10, 10, 10, 0}}, {"20/20/20/0", {20, 20, 20, 0}},
    {"40/40/40/0", {40, 40, 40, 0}}, {"50/50/50/0", {50, 50, 50, 0}},
    {"75/75/75/0", {75, 75, 75, 0}}, {"60/53/53/24", {60, 53, 53, 24}},
    {"20/44/44/8", {20, 44, 44, 8}}, {"30/30/0/0", {30, 30, 0, 0}},
    {"0/40/40/10", {0, 40, 40, 10}},
};

void mixture_tones(const struct mixture *mixture, int *tones)
{
    for (int i = 0; i < COLOR_INKS; i++)
        tones[(i + 1) % COLOR_INKS] = mixture->percent[i] * 255 / 100;
}

/* ---- Grain and color -------------------------------------------------- */

/* The mean color of a patch without its outer `margin` pixels. */
static void mean_of(const struct colors *colors, int margin, double mean[3])
{
    colors_mean(colors, margin, margin, colors->width - 2 * margin,
                colors->height - 2 * margin, mean);
}

static void mean_color(const struct plane *dots, const struct look *look,
                       int margin, double xyz[3])
{
    struct colors colors = round_dots(dots, whole, look);

    mean_of(&colors, margin, xyz);
    colors_free(&colors);
}

/* Returns what an ink covers, 0..1, as if it had just the dots that its tone
 * asks for. */
static double area_of(const struct plane *dots, int ink, int tone, int margin,
                      const struct look *look)
{
    struct plane none = plane_new(dots->width, dots->height), alone[COLOR_INKS];
    double round[3], square[3], area = tone / 255.0;

    for (int i = 0; i < COLOR_INKS; i++)
        alone[i] = i == ink ? dots[ink] : none;
    mean_color(alone, look, margin, round);
    mean_color(alone, &look_square, margin, square);
    plane_free(&none);
    const double paper = color_primaries[0][1];
    return square[1] < paper ? area * (paper - round[1]) / (paper - square[1])
                             : area;
}

static double deviation(const double *value, int width, int height, int margin,
                        double mean)
{
    double squares = 0;

    for (int y = margin; y < height - margin; y++)
        for (int x = margin; x < width - margin; x++) {
            double d = value[y * width + x] - mean;
            squares += d * d;
        }
    return sqrt(squares /
                ((double)(width - 2 * margin) * (height - 2 * margin)));
}

/* Returns the largest distance of the mean color from `unshifted` when M is
 * shifted by a pixel. */
static double misregistered(const struct plane *dots, const struct look *look,
                            int margin, const double unshifted[3])
{
    double furthest = 0, xyz[3], lab[3];

    for (int i = 0; i < 9; i++) {
        struct look moved = *look;

        moved.right = i % 3 - 1;
        moved.down = i / 3 - 1;
        mean_color(dots, &moved, margin, xyz);
        color_lab(xyz, lab);
        furthest = fmax(furthest, color_distance(lab, unshifted));
    }
    return furthest;
}

struct mixed mixture_judge(const struct plane *dots, const int *tones,
                           int margin, const struct look *look)
{
    struct mixed mixed = {.distance = 0};
    struct colors colors = round_dots(dots, whole, look);
    double area[COLOR_INKS], xyz[3], is[3], wanted[3], mean[3];

    mean_of(&colors, margin, xyz);
    color_lab(xyz, is);
    for (int ink = 0; ink < COLOR_INKS; ink++)
        area[ink] = area_of(dots, ink, tones[ink], margin, look);
    color_of_areas(area, xyz);
    color_lab(xyz, wanted);
    mixed.distance = color_distance(is, wanted);

    scielab_see(&colors, SCIELAB_SCALE);
    colors_to_lab(&colors);
    mean_of(&colors, margin, mean);
    for (int c = 0; c < 3; c++)
        mixed.grain[c] = deviation(colors.plane[c], colors.width, colors.height,
                                   margin, mean[c]);
    colors_free(&colors);
    mixed.misregistered = misregistered(dots, look, margin, is);
    return mixed;
}

bool mixture_measure(struct mixed *out, const struct printer *printer,
                     const struct mixture *mixture, const struct look *look)
{
    struct plane dots[COLOR_INKS];
    int tones[COLOR_INKS];

    mixture_tones(mixture, tones);
    if (printer == NULL)
        joint_patch(dots, FLOOR_SIDE, FLOOR_SIDE, tones, 1);
    else if (!printer_print_flat(printer, SIDE, SIDE, tones, COLOR_INKS, dots))
        return false;
    *out = mixture_judge(dots, tones, printer == NULL ? 0 : MARGIN, look);
    planes_free(dots, COLOR_INKS);
    return true;
}

/* ---- Direction -------------------------------------------------------- */

/* The eye does not see what is left of rings where little comes through, and
 * measure_rings() leaves out rings without power. */
static void drop_unseen(double *power)
{
    for (int v = 0; v < SPECTRUM_SIDE; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            double f =
                hypot((double)u / SPECTRUM_SIDE, hvs_bin(v, SPECTRUM_SIDE));
            int ring = (int)lround(f * SPECTRUM_SIDE);

            if (scielab_response(0, (double)ring / SPECTRUM_SIDE,
                                 SCIELAB_SCALE) < LEAST_SEEN)
                power[v * SPECTRUM_HALF + u] = 0;
        }
}

/* Returns the L* of the part of a patch that is judged; free() it. */
static double *judged_lightness(const struct plane *dots, int width, int height)
{
    struct colors colors = colors_of_dots(dots);
    double *value = train_alloc((size_t)width * (size_t)height, sizeof *value);

    scielab_see(&colors, SCIELAB_SCALE);
    colors_to_lab(&colors);
    for (int y = 0; y < height; y++)
        memcpy(value + y * width,
               colors.plane[0] + (y + MEASURE_MARGIN) * colors.width +
                   MEASURE_MARGIN,
               (size_t)width * sizeof *value);
    colors_free(&colors);
    return value;
}

double mixture_anisotropy(const struct plane *dots)
{
    static struct spectrum spectrum;
    int width = dots->width - 2 * MEASURE_MARGIN;
    int height = dots->height - MEASURE_MARGIN;
    double *value = judged_lightness(dots, width, height);
    double rapsd[MEASURE_RINGS], line, mean = 0;

    for (int i = 0; i < width * height; i++)
        mean += value[i] / ((double)width * height);
    spectrum_of_values(&spectrum, value, width, height, mean);
    free(value);
    drop_unseen(spectrum.power);
    return measure_rings(spectrum.power, rapsd, &line);
}

static bool print_anisotropy(double *out, const struct printer *printer,
                             const int *tones)
{
    struct plane dots[COLOR_INKS];

    if (!printer_print_flat(printer, MEASURE_WIDTH, MEASURE_HEIGHT, tones,
                            COLOR_INKS, dots))
        return false;
    *out = mixture_anisotropy(dots);
    planes_free(dots, COLOR_INKS);
    return true;
}

/* The darkest ink that a mixture has, by Y. */
static int darkest_of(const int *tones)
{
    int darkest = -1;

    for (int ink = 0; ink < COLOR_INKS; ink++)
        if (tones[ink] > 0 &&
            (darkest < 0 ||
             color_primaries[1 << ink][1] < color_primaries[1 << darkest][1]))
            darkest = ink;
    return darkest;
}

bool mixture_direction(double *more, const struct printer *printer,
                       const struct mixture *mixture)
{
    int tones[COLOR_INKS], single[COLOR_INKS] = {0};
    double together, alone;

    mixture_tones(mixture, tones);
    int darkest = darkest_of(tones);
    single[darkest] = tones[darkest];
    if (!print_anisotropy(&together, printer, tones) ||
        !print_anisotropy(&alone, printer, single))
        return false;
    *more = together - alone;
    return true;
}
