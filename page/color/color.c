/*
 * color.c - the color of inks: Neugebauer's primaries, Demichel's areas, CIE
 * L*a*b*.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "page/color/color.h"

const double color_primaries[COLOR_PRIMARIES][3] = {
    {96.4200, 100.0000, 82.4900}, {3.5530, 3.6143, 2.9735},
    {21.1943, 32.3250, 65.9196},  {1.8251, 2.2556, 3.0315},
    {41.5507, 21.9310, 21.2075},  {2.3559, 1.7258, 1.4561},
    {8.4653, 6.6172, 22.2683},    {1.4170, 1.2094, 1.7160},
    {81.3704, 87.8107, 10.6767},  {2.8729, 3.1116, 1.3836},
    {12.8258, 26.9034, 10.9369},  {1.6210, 2.2693, 1.4704},
    {39.0184, 21.6042, 4.3175},   {2.3695, 1.9159, 1.0800},
    {5.6758, 5.8426, 5.0766},     {1.3488, 1.3723, 1.1089}};

void color_shares(const double *area, double share[COLOR_PRIMARIES])
{
    share[0] = 1;
    for (int ink = 0; ink < COLOR_INKS; ink++)
        for (int i = 0; i < 1 << ink; i++) {
            share[i | 1 << ink] = area[ink] * share[i];
            share[i] *= 1 - area[ink];
        }
}

void color_of_densities(const double density[COLOR_INKS], double xyz[3])
{
    double share[COLOR_PRIMARIES];

    color_shares(density, share);
    for (int c = 0; c < 3; c++) {
        double sum = 0;

        for (int i = 0; i < COLOR_PRIMARIES; i++)
            sum += share[i] * log(color_primaries[i][c]);
        xyz[c] = exp(sum);
    }
}

double color_density(int ink, double share)
{
    const double solid =
        sqrt(color_primaries[1 << ink][1] / color_primaries[0][1]);

    return log(1 - share * (1 - solid)) / log(solid);
}

void color_on_paper(const double share[COLOR_PRIMARIES], double xyz[3])
{
    for (int c = 0; c < 3; c++) {
        double root = 0;

        for (int i = 0; i < COLOR_PRIMARIES; i++)
            root += share[i] * sqrt(color_primaries[i][c]);
        xyz[c] = root * root;
    }
}

void color_of_areas(const double *area, double xyz[3])
{
    double share[COLOR_PRIMARIES];

    color_shares(area, share);
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

static double radians(double degrees)
{
    return degrees * 0.017453292519943295;
}

/* Weight from a mean chroma, by which the formula stretches the chroma of grays
 * and scales its term for blues: the root of c^7 / (c^7 + 25^7). */
static double chroma_weight(double chroma)
{
    const double c7 = pow(chroma, 7);

    return sqrt(c7 / (c7 + 6103515625.0));
}

/* In degrees, 0..360. */
static double hue_angle(double a, double b)
{
    const double angle = atan2(b, a) / radians(1);

    return angle < 0 ? angle + 360 : angle;
}

double color_difference(const double x[3], const double y[3])
{
    const double stretch =
        1.5 - 0.5 * chroma_weight((hypot(x[1], x[2]) + hypot(y[1], y[2])) / 2);
    const double ax = x[1] * stretch, ay = y[1] * stretch;
    const double cx = hypot(ax, x[2]), cy = hypot(ay, y[2]);
    const double hx = hue_angle(ax, x[2]), hy = hue_angle(ay, y[2]);
    double turn = hy - hx, hue = (hx + hy) / 2;

    if (cx * cy == 0) {
        turn = 0;
        hue = hx + hy;
    } else if (fabs(turn) > 180) {
        turn += turn > 0 ? -360 : 360;
        hue += hue < 180 ? 180 : -180;
    }
    const double chroma = (cx + cy) / 2, light = (x[0] + y[0]) / 2 - 50;
    const double t =
        1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue)) +
        0.32 * cos(radians(3 * hue + 6)) - 0.20 * cos(radians(4 * hue - 63));
    const double blue = (hue - 275) / 25;
    const double rotation =
        -2 * chroma_weight(chroma) * sin(radians(60 * exp(-blue * blue)));
    const double l =
        (y[0] - x[0]) / (1 + 0.015 * light * light / sqrt(20 + light * light));
    const double c = (cy - cx) / (1 + 0.045 * chroma);
    const double h =
        2 * sqrt(cx * cy) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * t);

    return sqrt(l * l + c * c + h * h + rotation * c * h);
}
