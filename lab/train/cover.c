/*
 * cover.c - the look of one ink's dots, which may be larger than their pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "lab/train/cover.h"

#define SIDE 3 /* pixels: one and its neighbours */
#define MIDDLE (SIDE * SIDE / 2)

/* The dots, a bit each, that cover a point of the middle pixel; x and y are
 * from its middle, in its widths. */
static int reached(double x, double y, double radius, double aspect)
{
    int set = 0;

    for (int n = 0; n < SIDE * SIDE; n++) {
        const int right = n % SIDE - 1, down = n / SIDE - 1;

        set |= (hypot(x - right, y - down * aspect) <= radius) << n;
    }
    return set;
}

void cover_init(struct cover *cover, struct cover_dots dots, double aspect,
                int parts)
{
    const double pitch = sqrt((1 + aspect * aspect) / 2);
    const bool fill = dots.diameter == 0;

    for (int set = 0; set < COVER_SETS; set++)
        cover->of[set] = fill ? set >> MIDDLE & 1 : 0;
    for (int part = 0; part < parts * parts && !fill; part++) {
        const double x = (part % parts + 0.5) / parts - 0.5,
                     y = ((part / parts + 0.5) / parts - 0.5) * aspect;
        const int own = reached(x, y, dots.diameter * pitch / 2, aspect);
        const int others =
            dots.smaller == 0 ? 0
                              : reached(x, y, dots.smaller * pitch / 2, aspect);

        for (int set = 0; set < COVER_SETS; set++)
            if ((set & own) != 0 || (~set & others) != 0)
                cover->of[set] += 1.0 / parts / parts;
    }
}

double *cover_plane(const struct cover *cover, const struct plane *dots)
{
    int width = dots->width, height = dots->height;
    double *value = train_alloc((size_t)width * (size_t)height, sizeof *value);

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int set = 0;

            for (int n = 0; n < SIDE * SIDE; n++) {
                const int row = (y + n / SIDE - 1 + height) % height,
                          column = (x + n % SIDE - 1 + width) % width;

                set |= (dots->value[row * width + column] != 0) << n;
            }
            value[y * width + x] = cover->of[set];
        }
    return value;
}

double cover_mean(const double *value, int width, int height)
{
    double sum = 0;

    for (int y = COVER_MARGIN; y < height - COVER_MARGIN; y++)
        for (int x = COVER_MARGIN; x < width - COVER_MARGIN; x++)
            sum += value[y * width + x];
    return sum / (width - 2 * COVER_MARGIN) / (height - 2 * COVER_MARGIN);
}

double cover_grain(const double *value, int width, int height)
{
    double mean = cover_mean(value, width, height), squares = 0;

    for (int y = COVER_MARGIN; y < height - COVER_MARGIN; y++)
        for (int x = COVER_MARGIN; x < width - COVER_MARGIN; x++)
            squares += pow(value[y * width + x] - mean, 2);
    return sqrt(squares / (width - 2 * COVER_MARGIN) /
                (height - 2 * COVER_MARGIN));
}

double cover_lightness(double area)
{
    const double paper = color_primaries[0][1], ink = color_primaries[1][1];
    const double xyz[3] = {0, paper + area * (ink - paper), 0};
    double lab[3];

    color_lab(xyz, lab);
    return lab[0];
}

void cover_see(double *value, int width, int height, struct sight sight)
{
    scielab_black(value, width, height, sight);
    for (int i = 0; i < width * height; i++)
        value[i] = cover_lightness(value[i]);
}
