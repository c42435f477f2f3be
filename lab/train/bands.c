/*
 * bands.c - judges flat mixtures of inks by their bands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "lab/train/bands.h"
#include "lab/train/round_dots.h"
#include "lab/train/scielab.h"

#define WIDTH 960
#define HEIGHT 832
#define MARGIN 64 /* not judged, at every edge */
#define PERIODS 3
#define LONGEST 32 /* rows */

#define LIST(name)                                                             \
    {                                                                          \
        sizeof name / sizeof name[0], name                                     \
    }

static const struct mixture light[] = {
    {"5/25/30/0", {5, 25, 30, 0}}, {"4/20/25/0", {4, 20, 25, 0}},
    {"8/30/35/0", {8, 30, 35, 0}}, {"30/8/2/0", {30, 8, 2, 0}},
    {"5/5/40/0", {5, 5, 40, 0}},   {"2/2/20/0", {2, 2, 20, 0}},
    {"9/20/20/0", {9, 20, 20, 0}}, {"40/5/0/0", {40, 5, 0, 0}},
    {"0/9/40/0", {0, 9, 40, 0}},   {"6/15/15/0", {6, 15, 15, 0}},
};
static const struct mixture dark[] = {
    {"74/68/66/90", {74, 68, 66, 90}},
    {"70/67/66/78", {70, 67, 66, 78}},
    {"67/62/62/54", {67, 62, 62, 54}},
};
static const struct mixture held[] = {
    {"15/35/12/0", {15, 35, 12, 0}},   {"33/12/52/3", {33, 12, 52, 3}},
    {"64/38/0/0", {64, 38, 0, 0}},     {"7/48/63/0", {7, 48, 63, 0}},
    {"46/9/9/0", {46, 9, 9, 0}},       {"24/24/60/14", {24, 24, 60, 14}},
    {"82/31/55/9", {82, 31, 55, 9}},   {"3/13/8/0", {3, 13, 8, 0}},
    {"57/66/22/33", {57, 66, 22, 33}},
};

const struct mixture_list mixtures_light = LIST(light),
                          mixtures_dark = LIST(dark),
                          mixtures_held = LIST(held);

/* ---- Bands --------------------------------------------------------------- */

/* Mean L* of what is judged of a row. */
static double row_mean(const struct colors *seen, int y)
{
    double sum = 0;

    for (int x = MARGIN; x < seen->width - MARGIN; x++)
        sum += seen->plane[0][(y + MARGIN) * seen->width + x];
    return sum / (seen->width - 2 * MARGIN);
}

/* Returns the amplitude of bands of `period` rows, peak to peak of a wave of
 * that power: the variance of the phases' means less the variance that chance
 * explains. */
static double bands_of(const struct colors *seen, int period)
{
    double mean[LONGEST] = {0}, all = 0, among = 0, within = 0;
    int repeats = (seen->height - 2 * MARGIN) / period;

    for (int y = 0; y < repeats * period; y++)
        mean[y % period] += row_mean(seen, y) / repeats;
    for (int phase = 0; phase < period; phase++)
        all += mean[phase] / period;
    for (int phase = 0; phase < period; phase++)
        among += pow(mean[phase] - all, 2) / period;
    for (int y = 0; y < repeats * period; y++)
        within += pow(row_mean(seen, y) - mean[y % period], 2) /
                  (period * (repeats - 1));
    const double chance = within / repeats * (period - 1) / period;

    return 2 * sqrt(2 * fmax(0, among - chance));
}

static double grain_of(const struct colors *seen)
{
    double mean = 0, squares = 0;
    int width = seen->width - 2 * MARGIN, height = seen->height - 2 * MARGIN;

    for (int pass = 0; pass < 2; pass++)
        for (int y = MARGIN; y < MARGIN + height; y++)
            for (int x = MARGIN; x < MARGIN + width; x++) {
                double value = seen->plane[0][y * seen->width + x];
                if (pass == 0)
                    mean += value / width / height;
                else
                    squares += (value - mean) * (value - mean);
            }
    return sqrt(squares / width / height);
}

struct evenness bands_judge(const struct colors *seen)
{
    static const int periods[PERIODS] = {8, 16, LONGEST};
    struct evenness even = {.grain = grain_of(seen)};

    for (int i = 0; i < PERIODS; i++)
        even.bands = fmax(even.bands, bands_of(seen, periods[i]));
    return even;
}

bool bands_measure(struct evenness *out, const struct printer *printer,
                   const struct mixture *mixture, const struct look *look)
{
    static const double whole[HT_MAX_LEVELS] = {0, 1, 1, 1, 1, 1};
    struct plane dots[COLOR_INKS];
    int tones[COLOR_INKS];

    mixture_tones(mixture, tones);
    if (!printer_print_flat(printer, WIDTH, HEIGHT, tones, COLOR_INKS, dots))
        return false;
    struct colors seen = round_dots(dots, whole, look);
    planes_free(dots, COLOR_INKS);
    scielab_see(&seen, SCIELAB_SCALE);
    colors_to_lab(&seen);
    *out = bands_judge(&seen);
    colors_free(&seen);
    return true;
}
