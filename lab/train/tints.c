/*
 * tints.c - judges and prints sheets of flat tints.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/train/tints.h"

#define INNER (TINTS_SIDE - 2 * TINTS_MARGIN)
#define EDGE 64 /* pixels of the inside, blurred but not judged */
#define BLUR_INCHES (.12 / 25.4) /* standard deviation of the Gaussian */
#define BLUR_REACH 32            /* pixels, more than 4 of these at 1440 dpi */
#define PRINTS 4                 /* most, of a tint, for its ink to be right */
#define INK_ERROR 2e-5           /* area, that may be left */

static int left_of(int tint)
{
    return tint % TINTS_ACROSS * TINTS_SIDE;
}

static int top_of(int tint)
{
    return tint / TINTS_ACROSS * TINTS_SIDE;
}

/* The inside of a tint, new planes [COLOR_INKS]. */
static void inside(const struct plane *drops, int tint, struct plane *inner)
{
    for (int i = 0; i < COLOR_INKS; i++)
        inner[i] = plane_crop(&drops[i], left_of(tint) + TINTS_MARGIN,
                              top_of(tint) + TINTS_MARGIN, INNER, INNER);
}

void tints_ink(const struct plane *drops, int tint, const double *area,
               double *ink)
{
    struct plane inner[COLOR_INKS];

    inside(drops, tint, inner);
    for (int i = 0; i < COLOR_INKS; i++) {
        ink[i] = 0;
        for (int at = 0; at < INNER * INNER; at++)
            ink[i] += area[inner[i].value[at]] / (INNER * INNER);
    }
    planes_free(inner, COLOR_INKS);
}

/* ---- Judging ------------------------------------------------------------- */

/* Blurs rows of INNER pixels, `next` values from pixel to pixel, `step` from
 * row to row, as a torus. */
static void blur_rows(double *value, int next, int step, double deviation)
{
    double weight[BLUR_REACH + 1], row[INNER], sum = 0;

    for (int i = 0; i <= BLUR_REACH; i++) {
        weight[i] = exp(-i * i / (2 * deviation * deviation));
        sum += (i == 0 ? 1 : 2) * weight[i];
    }
    for (int y = 0; y < INNER; y++) {
        for (int x = 0; x < INNER; x++)
            row[x] = value[y * step + x * next];
        for (int x = 0; x < INNER; x++) {
            double blurred = weight[0] * row[x];

            for (int i = 1; i <= BLUR_REACH; i++)
                blurred += weight[i] * (row[(x + i) % INNER] +
                                        row[(x + INNER - i) % INNER]);
            value[y * step + x * next] = blurred / sum;
        }
    }
}

/* The variance of what is judged. */
static double variance(const double *value)
{
    const int side = INNER - 2 * EDGE;
    double mean = 0, squares = 0;

    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < side * side; i++) {
            double v = value[(i / side + EDGE) * INNER + i % side + EDGE];

            if (pass == 0)
                mean += v / (side * side);
            else
                squares += (v - mean) * (v - mean);
        }
    return squares / (side * side);
}

struct unevenness tints_judge(const struct plane *drops, int tint,
                              const double *area, const struct look *look,
                              double dpi)
{
    const double across = dpi * (look->aspect > 0 ? look->aspect : 1);
    struct plane inner[COLOR_INKS];
    struct unevenness out;
    double mean[3];

    inside(drops, tint, inner);
    struct colors seen = round_dots(inner, area, look),
                  light = colors_copy(&seen);
    planes_free(inner, COLOR_INKS);
    colors_mean(&seen, EDGE, EDGE, INNER - 2 * EDGE, INNER - 2 * EDGE, mean);
    color_lab(mean, out.mean_lab);
    blur_rows(light.plane[1], 1, INNER, BLUR_INCHES * across);
    blur_rows(light.plane[1], INNER, 1, BLUR_INCHES * dpi);
    out.light = 100 * sqrt(variance(light.plane[1])) / color_primaries[0][1];
    scielab_see_at(&seen, scielab_sight(across, dpi, 12));
    colors_to_lab(&seen);
    out.l = sqrt(variance(seen.plane[0]));
    out.color = sqrt(variance(seen.plane[1]) + variance(seen.plane[2]));
    colors_free(&seen);
    colors_free(&light);
    return out;
}

/* ---- Printing ------------------------------------------------------------ */

/* Prints a tint of tones, 0..1, as planes of TINTS_SIDE. */
static bool print_tint(const struct printer *printer, const double *tone,
                       struct plane *drops)
{
    const uint16_t *curves[COLOR_INKS];
    uint16_t curve[COLOR_INKS][256] = {{0}};
    struct printer fine = *printer;
    int tones[COLOR_INKS];

    for (int i = 0; i < COLOR_INKS; i++) {
        const double most = UINT16_MAX - 1;

        tones[i] = tone[i] > 0 ? 128 : 0;
        for (int v = 1; v < 255; v++)
            curve[i][v] =
                (uint16_t)fmax(1, fmin(most, round(tone[i] * UINT16_MAX)));
        curve[i][255] = UINT16_MAX;
        curves[i] = curve[i];
    }
    fine.curves = curves;
    return printer_print_flat(&fine, TINTS_SIDE, TINTS_SIDE, tones, COLOR_INKS,
                              drops);
}

/* Prints a tint whose inside covers as much as `ink`, if that takes few
 * prints. */
static bool print_alike(const struct printer *printer, const double *ink,
                        struct plane *drops)
{
    double area[HT_MAX_LEVELS], tone[COLOR_INKS], got[COLOR_INKS], error = 1;

    printer_areas(printer, area);
    memcpy(tone, ink, sizeof tone);
    for (int n = 0; n < PRINTS && error > INK_ERROR; n++) {
        if (n > 0)
            planes_free(drops, COLOR_INKS);
        if (!print_tint(printer, tone, drops))
            return false;
        tints_ink(drops, 0, area, got);
        error = 0;
        for (int i = 0; i < COLOR_INKS; i++) {
            error = fmax(error, fabs(ink[i] - got[i]));
            tone[i] += ink[i] - got[i];
        }
    }
    return true;
}

bool tints_print(const struct printer *printer, double ink[][COLOR_INKS],
                 int count, struct plane *sheet)
{
    const int rows = (count + TINTS_ACROSS - 1) / TINTS_ACROSS;
    bool ok = true;

    for (int i = 0; i < COLOR_INKS; i++)
        sheet[i] = plane_new(TINTS_ACROSS * TINTS_SIDE, rows * TINTS_SIDE);
    for (int tint = 0; ok && tint < count; tint++) {
        struct plane drops[COLOR_INKS] = {{0}};

        ok = print_alike(printer, ink[tint], drops);
        for (int i = 0; ok && i < COLOR_INKS; i++)
            for (int y = 0; y < TINTS_SIDE; y++)
                memcpy(sheet[i].value + (top_of(tint) + y) * sheet[i].width +
                           left_of(tint),
                       drops[i].value + y * TINTS_SIDE, TINTS_SIDE);
        planes_free(drops, COLOR_INKS);
    }
    if (!ok)
        planes_free(sheet, COLOR_INKS);
    return ok;
}
