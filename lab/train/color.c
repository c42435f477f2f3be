/*
 * color.c - the colors of pictures of dots and of contone inks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lab/train/color.h"

struct colors colors_new(int width, int height)
{
    struct colors colors = {width, height, {NULL}};
    size_t count = (size_t)width * (size_t)height;

    for (int c = 0; c < 3; c++)
        colors.plane[c] = train_alloc(count, sizeof *colors.plane[c]);
    return colors;
}

void colors_free(struct colors *colors)
{
    for (int c = 0; c < 3; c++) {
        free(colors->plane[c]);
        colors->plane[c] = NULL;
    }
}

struct colors colors_copy(const struct colors *colors)
{
    struct colors copy = colors_new(colors->width, colors->height);
    size_t count = (size_t)copy.width * (size_t)copy.height;

    for (int c = 0; c < 3; c++)
        memcpy(copy.plane[c], colors->plane[c], count * sizeof(double));
    return copy;
}

struct colors colors_of_dots(const struct plane *dots)
{
    struct colors colors = colors_new(dots->width, dots->height);
    int count = dots->width * dots->height;

    for (int i = 0; i < count; i++) {
        int primary = 0;

        for (int ink = 0; ink < COLOR_INKS; ink++)
            primary |= dots[ink].value[i] << ink;
        for (int c = 0; c < 3; c++)
            colors.plane[c][i] = color_primaries[primary][c];
    }
    return colors;
}

struct colors colors_of_drops(const struct plane *drops, const double *area)
{
    static double xyz[1 << 3 * COLOR_INKS][3]; /* of three bits an ink */
    struct colors colors = colors_new(drops->width, drops->height);
    int count = drops->width * drops->height;

    for (int all = 0; all < 1 << 3 * COLOR_INKS; all++) {
        double of_ink[COLOR_INKS];

        for (int ink = 0; ink < COLOR_INKS; ink++) {
            const unsigned size = (unsigned)all >> 3 * ink & 7;

            of_ink[ink] = size < HT_MAX_LEVELS ? area[size] : 1;
        }
        color_of_areas(of_ink, xyz[all]);
    }
    for (int i = 0; i < count; i++) {
        int all = 0;

        for (int ink = 0; ink < COLOR_INKS; ink++)
            all |= drops[ink].value[i] << 3 * ink;
        for (int c = 0; c < 3; c++)
            colors.plane[c][i] = xyz[all][c];
    }
    return colors;
}

struct colors colors_of_tones(const struct plane *tones, double curve[][256])
{
    struct colors colors = colors_new(tones->width, tones->height);
    int count = tones->width * tones->height;

    for (int i = 0; i < count; i++) {
        double area[COLOR_INKS], xyz[3];

        for (int ink = 0; ink < COLOR_INKS; ink++)
            area[ink] = curve != NULL ? curve[ink][tones[ink].value[i]]
                                      : tones[ink].value[i] / 255.0;
        color_of_areas(area, xyz);
        for (int c = 0; c < 3; c++)
            colors.plane[c][i] = xyz[c];
    }
    return colors;
}

void colors_to_lab(struct colors *colors)
{
    int count = colors->width * colors->height;

    for (int i = 0; i < count; i++) {
        double xyz[3], lab[3];

        for (int c = 0; c < 3; c++)
            xyz[c] = colors->plane[c][i];
        color_lab(xyz, lab);
        for (int c = 0; c < 3; c++)
            colors->plane[c][i] = lab[c];
    }
}

double colors_distance(struct colors *a, struct colors *b, int margin)
{
    int width = a->width, height = a->height;
    double sum = 0;

    colors_to_lab(a);
    colors_to_lab(b);
    for (int y = margin; y < height - margin; y++)
        for (int x = margin; x < width - margin; x++) {
            double lab[2][3];

            for (int c = 0; c < 3; c++) {
                lab[0][c] = a->plane[c][y * width + x];
                lab[1][c] = b->plane[c][y * width + x];
            }
            sum += color_distance(lab[0], lab[1]);
        }
    return sum / ((double)(width - 2 * margin) * (height - 2 * margin));
}

void colors_mean(const struct colors *colors, int left, int top, int width,
                 int height, double mean[3])
{
    for (int c = 0; c < 3; c++) {
        mean[c] = 0;
        for (int y = top; y < top + height; y++)
            for (int x = left; x < left + width; x++)
                mean[c] += colors->plane[c][y * colors->width + x];
        mean[c] /= (double)width * height;
    }
}
