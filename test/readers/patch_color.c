/*
 * patch_color.c - the colors of printed patches next to those that the page
 * asked for.
 *
 *   patch-color [--black-alone] LAYOUT.csv DOTS.ras CONTONE.ras
 *
 * Both are rendered with the Neugebauer model: the mean of the colors of the
 * 16 combinations of solid inks, weighted by the area that each covers. For
 * dots the areas are counted; for tones they are what Demichel's equations
 * give, where inks meet by chance. With --black-alone the dots are what
 * SpliX's rastertoqpdl makes of them: black alone where there is black, or
 * cyan, magenta and yellow. Prints for each patch both colors in CIE
 * L*a*b* (D50), their distance (CIE 1976), and how far the mean L* of any band
 * of 16 rows or columns is from that of the patch; then the mean and the worst
 * of all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/color/color.h"
#include "test/readers/patches.h"

#define BAND 16 /* pixels */

/* ---- Color ------------------------------------------------------------- */

/* Turns the dots of a pixel into black alone. */
static void leave_black(struct sheet *dots)
{
    size_t pixels = (size_t)dots->width * dots->height;

    for (size_t at = 0; at < pixels; at++) {
        uint16_t *ink[PATCH_INKS];
        for (int k = 0; k < PATCH_INKS; k++)
            ink[k] = &dots->sample[k][at];
        if (*ink[3] != 0 || (*ink[0] != 0 && *ink[1] != 0 && *ink[2] != 0)) {
            *ink[0] = *ink[1] = *ink[2] = 0;
            *ink[3] = 1;
        }
    }
}

/* Adds to xyz the color of the pixel at `at`. Dots are 0 or 1, so one
 * combination of inks has all of the area. */
static void add_pixel(const struct sheet *sheet, size_t at, double xyz[3])
{
    double area[COLOR_INKS], color[3];

    for (int k = 0; k < PATCH_INKS; k++) /* C, M, Y, K to K, C, M, Y */
        area[(k + 1) % COLOR_INKS] = (double)sheet->sample[k][at] / sheet->full;
    color_of_areas(area, color);
    for (int c = 0; c < 3; c++)
        xyz[c] += color[c];
}

static void mean_lab(const struct sheet *sheet, const struct area *area,
                     double lab[3])
{
    double pixels =
        (double)(area->right - area->left) * (double)(area->bottom - area->top);
    double xyz[3] = {0};

    for (uint32_t y = area->top; y < area->bottom; y++)
        for (uint32_t x = area->left; x < area->right; x++)
            add_pixel(sheet, (size_t)y * sheet->width + x, xyz);
    for (int c = 0; c < 3; c++)
        xyz[c] /= pixels;
    color_lab(xyz, lab);
}

/* ---- Patches ------------------------------------------------------------ */

/* The band whose L* is furthest from `lightness`. */
static double banding(const struct sheet *sheet, const struct area *area,
                      double lightness)
{
    double worst = 0, lab[3];
    struct area band = *area;

    for (uint32_t y = area->top; y + BAND <= area->bottom; y += BAND) {
        band.top = y;
        band.bottom = y + BAND;
        mean_lab(sheet, &band, lab);
        worst = fmax(worst, fabs(lab[0] - lightness));
    }
    band = *area;
    for (uint32_t x = area->left; x + BAND <= area->right; x += BAND) {
        band.left = x;
        band.right = x + BAND;
        mean_lab(sheet, &band, lab);
        worst = fmax(worst, fabs(lab[0] - lightness));
    }
    return worst;
}

struct totals {
    double distance, worst, band;
};

static bool compare(const struct sheet *dots, const struct sheet *tones,
                    const struct patch *patch, struct totals *totals)
{
    struct area area, same;
    double is[3], wanted[3];

    if (!sheet_area(dots, patch, &area) || !sheet_area(tones, patch, &same))
        return false;
    mean_lab(dots, &area, is);
    mean_lab(tones, &same, wanted);

    double distance = color_distance(is, wanted);
    double band = banding(dots, &area, is[0]);
    printf("%-12s %-6s page %6.2f %6.2f %6.2f, dots %6.2f %6.2f %6.2f, "
           "distance %5.2f, bands %.2f\n",
           patch->ink, patch->percent, wanted[0], wanted[1], wanted[2], is[0],
           is[1], is[2], distance, band);
    totals->distance += distance;
    totals->worst = fmax(totals->worst, distance);
    totals->band = fmax(totals->band, band);
    return true;
}

int main(int argc, char **argv)
{
    struct patch *patches = NULL;
    struct sheet dots = {0}, tones = {0};
    struct totals totals = {0};
    bool alone = argc == 5 && strcmp(argv[1], "--black-alone") == 0;

    if (alone) {
        argv++;
        argc--;
    }
    if (argc != 4) {
        fputs("usage: patch-color [--black-alone] LAYOUT.csv DOTS.ras "
              "CONTONE.ras\n",
              stderr);
        return 2;
    }
    size_t count = patches_read(&patches, argv[1]);
    bool ok =
        count > 0 && sheet_read(&dots, argv[2]) && sheet_read(&tones, argv[3]);
    if (ok && alone)
        leave_black(&dots);
    for (size_t i = 0; ok && i < count; i++)
        ok = compare(&dots, &tones, &patches[i], &totals);
    if (ok)
        printf("mean %.2f worst %.2f bands %.2f\n",
               totals.distance / (double)count, totals.worst, totals.band);
    sheet_free(&dots);
    sheet_free(&tones);
    free(patches);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
