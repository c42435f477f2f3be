/*
 * color.c - the color of inks: Neugebauer's primaries, Demichel's areas, CIE
 * L*a*b*.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "base/color.h"

const double color_primaries[COLOR_PRIMARIES][3] = {
    {96.4200, 100.0000, 82.4900}, {3.5530, 3.6143, 2.9735},
    {21.1943, 32.3250, 65.9196},  {1.8251, 2.2556, 3.0315},
    {41.5507, 21.9310, 21.2075},  {2.3559, 1.7258, 1.4561},
    {8.4653, 6.6172, 22.2683},    {1.4170, 1.2094, 1.7160},
    {81.3704, 87.8107, 10.6767},  {2.8729, 3.1116, 1.3836},
    {12.8258, 26.9034, 10.9369},  {1.6210, 2.2693, 1.4704},
    {39.0184, 21.6042, 4.3175},   {2.3695, 1.9159, 1.0800},
    {5.6758, 5.8426, 5.0766},     {1.3488, 1.3723, 1.1089}};

void color_of_areas(const double *area, double xyz[3])
{
    double share[COLOR_PRIMARIES] = {1};

    for (int ink = 0; ink < COLOR_INKS; ink++)
        for (int i = 0; i < 1 << ink; i++) {
            share[i | 1 << ink] = area[ink] * share[i];
            share[i] *= 1 - area[ink];
        }
    for (int c = 0; c < 3; c++) {
        xyz[c] = 0;
        for (int i = 0; i < COLOR_PRIMARIES; i++)
            xyz[c] += share[i] * color_primaries[i][c];
    }
}

static double lab_curve(double v)
{
    return v > 216.0 / 24389 ? cbrt(v) : (24389.0 / 27 * v + 16) / 116;
}

void color_lab(const double xyz[3], double lab[3])
{
    double f[3];

    for (int c = 0; c < 3; c++)
        f[c] = lab_curve(xyz[c] / color_primaries[0][c]);
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

double color_distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}
