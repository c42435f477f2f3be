/*
 * gradient.c - judges how even the color of a gradient is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "lab/train/gradient.h"

const struct palette *const gradients[GRADIENTS] = {
    &palette_gray, &palette_equal, &palette_skin, &palette_sky, &palette_two};

static void part_lab(const struct colors *colors, int part, double lab[3])
{
    double xyz[3];

    colors_mean(colors, part * GRADIENT_PART, 0, GRADIENT_PART, GRADIENT_HEIGHT,
                xyz);
    color_lab(xyz, lab);
}

static void take_shifts(double shift[][3], const struct plane *dots,
                        const struct plane *tones)
{
    struct colors is = colors_of_dots(dots),
                  wanted = colors_of_tones(tones, NULL);

    for (int part = 0; part < GRADIENT_PARTS; part++) {
        double a[3], b[3];

        part_lab(&is, part, a);
        part_lab(&wanted, part, b);
        for (int c = 0; c < 3; c++)
            shift[part][c] = a[c] - b[c];
    }
    colors_free(&wanted);
    colors_free(&is);
}

bool gradient_shifts(double shift[][3], const struct printer *printer,
                     const struct palette *palette)
{
    const int width = GRADIENT_WIDTH, count = width * GRADIENT_HEIGHT;
    double *along = train_alloc((size_t)count, sizeof *along);
    struct plane tones[COLOR_INKS], dots[COLOR_INKS];

    for (int i = 0; i < count; i++)
        along[i] = (double)(i % width) / (width - 1);
    palette_planes(tones, palette, width, GRADIENT_HEIGHT, along);
    bool ok = printer_print(printer, tones, COLOR_INKS, dots);
    if (ok) {
        take_shifts(shift, dots, tones);
        planes_free(dots, COLOR_INKS);
    }
    planes_free(tones, COLOR_INKS);
    free(along);
    return ok;
}

double gradient_unevenness(const double shift[][3], int parts)
{
    double largest = 0;

    for (int part = 1; part < parts; part++)
        largest = fmax(largest, color_distance(shift[part - 1], shift[part]));
    return largest;
}
