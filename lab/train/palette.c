/*
 * palette.c - sequences of colors as the RIP makes them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "lab/train/palette.h"

/* RGB from white to black. */
const struct palette palette_gray = {"gray",
                                     17,
                                     {{0, 0, 0, 0},
                                      {10, 10, 9, 0},
                                      {27, 23, 23, 0},
                                      {44, 36, 37, 0},
                                      {62, 52, 53, 0},
                                      {81, 67, 69, 0},
                                      {101, 84, 85, 1},
                                      {116, 98, 99, 7},
                                      {130, 111, 112, 20},
                                      {143, 125, 124, 38},
                                      {154, 136, 135, 62},
                                      {163, 147, 145, 89},
                                      {169, 156, 154, 121},
                                      {174, 163, 162, 157},
                                      {178, 169, 167, 190},
                                      {181, 172, 171, 211},
                                      {184, 173, 171, 226}}};

/* RGB from 253 235 220 over 235 190 160 to 90 52 36. */
const struct palette palette_skin = {"skin",
                                     10,
                                     {{1, 21, 30, 0},
                                      {5, 36, 50, 0},
                                      {9, 53, 70, 0},
                                      {16, 70, 93, 0},
                                      {43, 91, 116, 0},
                                      {67, 113, 139, 6},
                                      {84, 132, 159, 25},
                                      {96, 151, 177, 54},
                                      {104, 168, 191, 90},
                                      {107, 185, 205, 133}}};

/* RGB from 248 250 252 to 66 122 190. */
const struct palette palette_sky = {"sky",
                                    9,
                                    {{4, 2, 2, 0},
                                     {24, 11, 3, 0},
                                     {46, 22, 4, 0},
                                     {70, 35, 5, 0},
                                     {94, 48, 6, 0},
                                     {119, 64, 6, 0},
                                     {144, 81, 4, 0},
                                     {169, 101, 4, 0},
                                     {193, 124, 1, 0}}};

/* RGB from 206 220 130 to 28 56 24. */
const struct palette palette_leaves = {"leaves",
                                       9,
                                       {{53, 6, 160, 0},
                                        {78, 25, 176, 0},
                                        {101, 44, 191, 1},
                                        {124, 62, 205, 9},
                                        {143, 78, 217, 27},
                                        {160, 92, 227, 51},
                                        {175, 104, 240, 81},
                                        {188, 115, 247, 118},
                                        {196, 128, 231, 158}}};

const struct palette palette_equal = {
    "C=M=Y", 2, {{0, 0, 0, 0}, {255, 255, 255, 0}}};
const struct palette palette_two = {"C=M", 2, {{0, 0, 0, 0}, {255, 255, 0, 0}}};

void palette_tones(const struct palette *palette, double along,
                   uint8_t tones[COLOR_INKS])
{
    double at = fmin(fmax(along, 0), 1) * (palette->stops - 1);
    int from = at < palette->stops - 2 ? (int)at : palette->stops - 2;

    for (int i = 0; i < COLOR_INKS; i++) {
        double a = palette->stop[from][i], b = palette->stop[from + 1][i];

        tones[(i + 1) % COLOR_INKS] =
            (uint8_t)lround(a + (at - from) * (b - a));
    }
}

void palette_planes(struct plane *planes, const struct palette *palette,
                    int width, int height, const double *along)
{
    for (int ink = 0; ink < COLOR_INKS; ink++)
        planes[ink] = plane_new(width, height);
    for (int i = 0; i < width * height; i++) {
        uint8_t tones[COLOR_INKS];

        palette_tones(palette, along[i], tones);
        for (int ink = 0; ink < COLOR_INKS; ink++)
            planes[ink].value[i] = tones[ink];
    }
}
