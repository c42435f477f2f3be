/*
 * gamut.c - the surfaces of two gamuts, and the way from one into the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>

#include "lab/train/gamut.h"
#include "lab/train/separate.h"

#define MIDDLE 55.0 /* L* */
#define FURTHEST 160.0
#define HALVINGS 12
#define PI 3.14159265358979323846

static const double white[3] = {0.9642, 1, 0.8249};

static double light_of(double f)
{
    return f > 6.0 / 29 ? f * f * f : (f - 16.0 / 116) * 3 * 36 / 841;
}

/* The light of a color, of which paper reflects 1 of each of X, Y, Z. */
static void light(const double lab[3], double out[3])
{
    const double fy = (lab[0] + 16) / 116;

    out[0] = light_of(fy + lab[1] / 500);
    out[1] = light_of(fy);
    out[2] = light_of(fy - lab[2] / 200);
}

/* Scales light from a black of 0 to a black of `from`, and changes nothing
 * about white, or, with `back`, from that to 0. */
static void move_black(double from, bool back, double lab[3])
{
    double xyz[3];

    light(lab, xyz);
    for (int c = 0; c < 3; c++) {
        const double l =
            back ? (xyz[c] - from) / (1 - from) : from + (1 - from) * xyz[c];
        xyz[c] = l * color_primaries[0][c];
    }
    color_lab(xyz, lab);
}

/* Tells whether sRGB, adapted to D50, has the color. */
static bool on_screen(const double lab[3])
{
    static const double rgb_of_xyz[3][3] = {{3.1338561, -1.6168667, -0.4906146},
                                            {-0.9787684, 1.9161415, 0.0334540},
                                            {0.0719453, -0.2289914, 1.4052427}};
    double xyz[3];

    light(lab, xyz);
    for (int i = 0; i < 3; i++) {
        double one = 0;
        for (int c = 0; c < 3; c++)
            one += rgb_of_xyz[i][c] * white[c] * xyz[c];
        if (one < -1e-4 || one > 1 + 1e-4)
            return false;
    }
    return true;
}

static bool on_paper(const double lab[3])
{
    return separate_nearest(lab) < 0.1;
}

/* A color at a distance from the middle, in a direction. */
static void at(int elevation, int hue, double distance, double lab[3])
{
    const double up = PI * (elevation / (GAMUT_ELEVATIONS - 1.0) - 0.5);
    const double round = 2 * PI * hue / GAMUT_HUES;

    lab[0] = MIDDLE + distance * sin(up);
    lab[1] = distance * cos(up) * cos(round);
    lab[2] = distance * cos(up) * sin(round);
}

void gamut_init(struct gamut *gamut)
{
    static const double black[3] = {0};
    const struct black_share darkest = separate_black(black);
    double xyz[3];

    light(darkest.lab, xyz);
    gamut->black = xyz[1];
    for (int e = 0; e < GAMUT_ELEVATIONS; e++)
        for (int h = 0; h < GAMUT_HUES; h++) {
            double paper[2] = {0, FURTHEST}, screen[2] = {0, FURTHEST}, lab[3];

            for (int i = 0; i < HALVINGS; i++) {
                const double p = (paper[0] + paper[1]) / 2,
                             s = (screen[0] + screen[1]) / 2;
                at(e, h, p, lab);
                paper[on_paper(lab) ? 0 : 1] = p;
                at(e, h, s, lab);
                move_black(gamut->black, true, lab);
                screen[on_screen(lab) ? 0 : 1] = s;
            }
            gamut->printer[e][h] = paper[0];
            gamut->screen[e][h] = screen[0];
        }
}

/* The surface in a direction, between those of the four around it. */
static double surface(const double radius[GAMUT_ELEVATIONS][GAMUT_HUES],
                      const double from[3])
{
    const double chroma = hypot(from[1], from[2]);
    double e = (atan2(from[0], chroma) / PI + 0.5) * (GAMUT_ELEVATIONS - 1);
    double h = atan2(from[2], from[1]) / (2 * PI) * GAMUT_HUES + GAMUT_HUES;
    const int row = (int)fmin(floor(e), GAMUT_ELEVATIONS - 2), first = (int)h;
    const double *low = radius[row], *high = radius[row + 1];
    const int a = first % GAMUT_HUES, b = (first + 1) % GAMUT_HUES;

    e -= row;
    h -= first;
    return (1 - e) * ((1 - h) * low[a] + h * low[b]) +
           e * ((1 - h) * high[a] + h * high[b]);
}

void gamut_map(const struct gamut *gamut, double knee, double stretch,
               double lab[3])
{
    move_black(gamut->black, false, lab);
    const double from[3] = {lab[0] - MIDDLE, lab[1], lab[2]};
    const double distance =
        sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    const double printer = surface(gamut->printer, from);
    double screen = surface(gamut->screen, from), factor = 1;

    if (distance > 0) {
        const double wider = fmin(stretch, fmax(1, printer / screen));
        const double bend = knee * printer, reach = printer - bend;
        double d = distance * wider;

        screen *= wider;
        if (d > bend && screen > printer) {
            const double u = (d - bend) / reach, most = (screen - bend) / reach;
            d = bend + reach * u / (1 + (1 - 1 / most) * u);
        }
        factor = fmin(d, printer) / distance;
    }
    lab[0] = MIDDLE + factor * from[0];
    lab[1] = factor * from[1];
    lab[2] = factor * from[2];
}
