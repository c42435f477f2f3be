/*
 * press.c - measures the share of the paper that tones cover, by printing them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/round_dots.h"
#include "lab/train/press.h"
#include "lab/train/printer.h"

#define SIDE 512 /* pixels of a tint, of which the border is left out */
#define BORDER 64
#define TINTS 51   /* steps of 5/255 */
#define COMPANY 38 /* the tone of the other inks, of 255 */

/* The mean of what dots on and around a tint's pixels cover. */
static double covered(const struct round_dots *round, const struct plane *dots)
{
    double sum = 0;

    for (int y = BORDER; y < SIDE - BORDER; y++)
        for (int x = BORDER; x < SIDE - BORDER; x++) {
            unsigned set = 0;

            for (int n = 0; n < ROUND_NEIGHBOURS; n++)
                set |= (unsigned)
                           dots->value[(y + n / 3 - 1) * SIDE + x + n % 3 - 1]
                       << n;
            sum += round_dots_area(round, set);
        }
    return sum / ((SIDE - 2 * BORDER) * (SIDE - 2 * BORDER));
}

/* The cover of an ink's tints, beside a little of the others. */
static bool print_tints(struct curve_points *cover, int ink,
                        const struct round_dots *round)
{
    const struct printer printer = {.method = HT_TDFED4,
                                    .segment = HT_DEFAULT_SEGMENT};

    *cover = (struct curve_points){.count = TINTS + 1};
    for (int i = 0; i <= TINTS; i++) {
        int tones[COLOR_INKS] = {COMPANY, COMPANY, COMPANY, COMPANY};
        struct plane dots[COLOR_INKS];

        tones[ink] = 255 * i / TINTS;
        if (!printer_print_flat(&printer, SIDE, SIDE, tones, COLOR_INKS, dots))
            return false;
        cover->x[i] = tones[ink] / 255.0;
        cover->y[i] = covered(round, &dots[ink]);
        planes_free(dots, COLOR_INKS);
    }
    return true;
}

bool press_open(struct press_model *press)
{
    bool ok = true;

    curve_default(&press->curve);
    for (int ink = 0; ok && ink < COLOR_INKS; ink++) {
        struct round_dots round;

        round_dots_init(&round, round_diameters[ink], 0, 0);
        ok = print_tints(&press->cover[ink], ink, &round);
    }
    return ok;
}

double press_area(const struct press_model *press, int ink, double tone)
{
    return curve_points_at(&press->cover[ink],
                           curve_points_at(&press->curve.ink[0], tone));
}

double press_tone(const struct press_model *press, int ink, double area)
{
    double low = 0, high = 1;

    while (high - low > 1e-7) {
        const double middle = (low + high) / 2;

        if (press_area(press, ink, middle) < area)
            low = middle;
        else
            high = middle;
    }
    return high;
}
