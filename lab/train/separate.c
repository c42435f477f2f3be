/*
 * separate.c - finds areas of inks that have a color: damped least squares
 * within bounds (Levenberg 1944, Marquardt 1963), first of all inks, then with
 * K given.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lab/train/separate.h"

#define ROWS 4 /* of residuals: lightness, chroma, hue, ink above the limit */
#define STEPS 60
/* Weights of chroma and hue, next to lightness, in the distance from a color
 * that cannot be printed. With much less for chroma, as CIE 1994 has it, vivid
 * colors become pale; with more, magenta and cyan become dark. */
#define CHROMA 0.45
#define HUE 0.9
#define EXCESS 300.0 /* of an area of 1 above the limit, as a distance */
#define FEASIBLE 0.1 /* as near as the nearest */
#define HALVINGS 14

void separate_lab(const double area[COLOR_INKS], double lab[3])
{
    double share[COLOR_PRIMARIES], xyz[3];

    color_shares(area, share);
    color_on_paper(share, xyz);
    color_lab(xyz, lab);
}

/* Computes the distance of a color from the wanted one, in lightness, chroma
 * and hue. */
static void residuals(const double wanted[3], const double area[COLOR_INKS],
                      double out[ROWS])
{
    double lab[3], sum = 0, chroma = hypot(wanted[1], wanted[2]);
    double cosine = chroma > 1e-9 ? wanted[1] / chroma : 1,
           sine = chroma > 1e-9 ? wanted[2] / chroma : 0;

    separate_lab(area, lab);
    for (int k = 0; k < COLOR_INKS; k++)
        sum += area[k];
    double a = lab[1] - wanted[1], b = lab[2] - wanted[2];
    out[0] = lab[0] - wanted[0];
    out[1] = CHROMA * (cosine * a + sine * b);
    out[2] = HUE * (cosine * b - sine * a);
    out[3] = EXCESS * fmax(0, sum - SEPARATE_LIMIT);
}

static double square(const double r[ROWS])
{
    double sum = 0;

    for (int i = 0; i < ROWS; i++)
        sum += r[i] * r[i];
    return sum;
}

/* Solves the symmetric n x n system m x = v by elimination, in place. */
static void solve(double m[COLOR_INKS][COLOR_INKS], double *v, int n)
{
    for (int i = 0; i < n; i++)
        for (int row = i + 1; row < n; row++) {
            const double f = m[row][i] / m[i][i];
            for (int c = i; c < n; c++)
                m[row][c] -= f * m[i][c];
            v[row] -= f * v[i];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int c = i + 1; c < n; c++)
            v[i] -= m[i][c] * v[c];
        v[i] /= m[i][i];
    }
}

/* The step of the inks from `first` on that are free: not at a bound to which
 * they tend. */
static void next_areas(const double jacobian[ROWS][COLOR_INKS],
                       const double r[ROWS], const double *area, int first,
                       double damping, double next[COLOR_INKS])
{
    double m[COLOR_INKS][COLOR_INKS], v[COLOR_INKS];
    int free_ink[COLOR_INKS], n = 0;

    for (int k = first; k < COLOR_INKS; k++) {
        double slope = 0;
        for (int i = 0; i < ROWS; i++)
            slope += jacobian[i][k] * r[i];
        if ((area[k] > 0 || slope < 0) && (area[k] < 1 || slope > 0)) {
            v[n] = -slope;
            free_ink[n++] = k;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            m[i][j] = 0;
            for (int row = 0; row < ROWS; row++)
                m[i][j] +=
                    jacobian[row][free_ink[i]] * jacobian[row][free_ink[j]];
        }
        m[i][i] = m[i][i] * (1 + damping) + 1e-3;
    }
    solve(m, v, n);
    memcpy(next, area, COLOR_INKS * sizeof *next);
    for (int i = 0; i < n; i++)
        next[free_ink[i]] = fmin(1, fmax(0, area[free_ink[i]] + v[i]));
}

/* Changes the areas of the inks from `first` on towards the color wanted, until
 * nothing is nearer; returns how far it is. */
static double approach(const double wanted[3], int first,
                       double area[COLOR_INKS])
{
    const double delta = 1e-5;
    double r[ROWS], damping = 1e-3;

    residuals(wanted, area, r);
    for (int step = 0; step < STEPS && square(r) > 1e-10; step++) {
        double jacobian[ROWS][COLOR_INKS], next[COLOR_INKS], there[ROWS];

        for (int k = first; k < COLOR_INKS; k++) {
            const double kept = area[k], h = kept < 0.5 ? delta : -delta;
            area[k] = kept + h;
            residuals(wanted, area, there);
            area[k] = kept;
            for (int i = 0; i < ROWS; i++)
                jacobian[i][k] = (there[i] - r[i]) / h;
        }
        bool nearer = false;
        for (; !nearer && damping < 1e6; damping *= nearer ? 0.1 : 8) {
            next_areas(jacobian, r, area, first, damping, next);
            residuals(wanted, next, there);
            nearer = square(there) < square(r);
        }
        if (!nearer)
            break;
        const double gain = square(r) - square(there);
        memcpy(area, next, sizeof next);
        memcpy(r, there, sizeof there);
        damping = fmax(damping, 1e-9);
        if (gain < 1e-9 * (1e-6 + square(r)))
            break;
    }
    return sqrt(square(r));
}

double separate_nearest(const double lab[3])
{
    double area[COLOR_INKS] = {0.3, 0.3, 0.3, 0.3};

    return approach(lab, 0, area);
}

double separate_with_black(const double lab[3], double black,
                           double area[COLOR_INKS])
{
    area[0] = black;
    for (int k = 1; k < COLOR_INKS; k++)
        area[k] = 0.3;
    return approach(lab, 1, area);
}

/* The K furthest towards `bound` from `inside` that leaves the color within
 * reach. */
static double furthest(const double lab[3], double inside, double bound)
{
    double area[COLOR_INKS];

    if (separate_with_black(lab, bound, area) <= FEASIBLE)
        return bound;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (inside + bound) / 2;

        if (separate_with_black(lab, middle, area) <= FEASIBLE)
            inside = middle;
        else
            bound = middle;
    }
    return inside;
}

static double smooth_step(double from, double to, double at)
{
    const double t = fmin(1, fmax(0, (at - from) / (to - from)));

    return t * t * (3 - 2 * t);
}

struct black_share separate_black(const double lab[3])
{
    double area[COLOR_INKS] = {0.3, 0.3, 0.3, 0.3};
    struct black_share black = {.off = approach(lab, 0, area)};

    separate_lab(area, black.lab);
    black.most = furthest(black.lab, area[0], 1);
    black.least = furthest(black.lab, area[0], 0);
    const double chroma = hypot(black.lab[1], black.lab[2]);
    const double dark = 1 - smooth_step(25, 85, black.lab[0]);
    black.gray = exp(-chroma * chroma / (12 * 12));
    double share = 0.96 * black.gray + (1 - black.gray) * dark * 0.8;
    share *= 1 - smooth_step(90, 100, black.lab[0]);
    black.wanted = black.least + (black.most - black.least) * share;
    return black;
}
