/*
 * boxes.c - judges the color that boxes of several inks begin with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "train/boxes.h"
#include "train/color.h"

#define BOX 64       /* pixels a side, and of the white above and beside */
#define TONES 9      /* a row of boxes for each */
#define BEGINNINGS 8 /* rows of two swaths of the 4-row scan */
#define FIRST_ROWS 8 /* judged */

static int tone_of(int row)
{
    return (row + 1) * 255 / 10;
}

static int left_of(int column)
{
    return BOX + column * 2 * BOX;
}

static int top_of(int row, int column)
{
    return BOX + row * 2 * BOX + column;
}

static void draw(struct plane *tones, int row, int column)
{
    int left = left_of(column), top = top_of(row, column);

    for (int ink = 1; ink < COLOR_INKS; ink++) /* not K */
        for (int y = top; y < top + BOX; y++)
            for (int x = left; x < left + BOX; x++)
                tones[ink].value[y * tones->width + x] = (uint8_t)tone_of(row);
}

static double judge(const struct colors *colors, int row, int column)
{
    int left = left_of(column), top = top_of(row, column);
    double a = tone_of(row) / 255.0, area[COLOR_INKS] = {0, a, a, a};
    double xyz[3], wanted[3], is[3];

    color_of_areas(area, xyz);
    color_lab(xyz, wanted);
    colors_mean(colors, left, top, BOX, FIRST_ROWS, xyz);
    color_lab(xyz, is);
    return color_distance(is, wanted);
}

bool boxes_measure(double *distance, const struct printer *printer)
{
    struct plane tones[COLOR_INKS], dots[COLOR_INKS];

    for (int ink = 0; ink < COLOR_INKS; ink++)
        tones[ink] = plane_new(left_of(BEGINNINGS), top_of(TONES, 0));
    for (int i = 0; i < TONES * BEGINNINGS; i++)
        draw(tones, i / BEGINNINGS, i % BEGINNINGS);
    bool ok = printer_print(printer, tones, COLOR_INKS, dots);
    planes_free(tones, COLOR_INKS);
    if (!ok)
        return false;
    struct colors colors = colors_of_dots(dots);
    *distance = 0;
    for (int i = 0; i < TONES * BEGINNINGS; i++)
        *distance =
            fmax(*distance, judge(&colors, i / BEGINNINGS, i % BEGINNINGS));
    colors_free(&colors);
    planes_free(dots, COLOR_INKS);
    return true;
}
