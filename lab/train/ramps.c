/*
 * ramps.c - judges ramps of an ink beside constant others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "lab/train/ramps.h"
#include "lab/train/scielab.h"

#define ALONG 1024 /* pixels */
#define ACROSS 768
#define MARGIN 64
#define NEIGHBORS 12 /* on each side */
#define FIRST 5      /* percent */
#define LAST 60

struct ramp {
    int ink, others; /* percent */
    bool down;       /* else to the right */
};

static void draw(struct plane *tones, const struct ramp *ramp)
{
    int width = ramp->down ? ACROSS : ALONG,
        height = ramp->down ? ALONG : ACROSS;

    for (int ink = 0; ink < COLOR_INKS; ink++) {
        tones[ink] = plane_new(width, height);
        for (int i = 0; i < width * height && ink > 0; i++) {
            double at = (ramp->down ? i / width : i % width) / (ALONG - 1.0);
            double percent =
                ink == ramp->ink ? FIRST + at * (LAST - FIRST) : ramp->others;

            tones[ink].value[i] = (uint8_t)lround(percent * 2.55);
        }
    }
}

/* The mean L* of each row, or of each column, that is judged: the number of
 * them. */
static int means_of(const struct colors *seen, bool rows, double *mean)
{
    int count = (rows ? seen->height : seen->width) - 2 * MARGIN,
        length = (rows ? seen->width : seen->height) - 2 * MARGIN;

    for (int i = 0; i < count; i++) {
        mean[i] = 0;
        for (int j = 0; j < length; j++) {
            int x = MARGIN + (rows ? j : i), y = MARGIN + (rows ? i : j);

            mean[i] += seen->plane[0][y * seen->width + x] / length;
        }
    }
    return count;
}

static double standing_out(const double *mean, int count)
{
    double most = 0;

    for (int i = NEIGHBORS; i < count - NEIGHBORS; i++) {
        double around = -mean[i];

        for (int j = i - NEIGHBORS; j <= i + NEIGHBORS; j++)
            around += mean[j];
        most = fmax(most, fabs(mean[i] - around / (2 * NEIGHBORS)));
    }
    return most;
}

/* Prints the tones and frees them; raises most[0] to the largest of rows,
 * most[1] to that of columns. */
static bool measure(double most[2], const struct printer *printer,
                    struct plane *tones, const struct look *look)
{
    struct plane dots[COLOR_INKS];
    double mean[ALONG] = {0}, area[HT_MAX_LEVELS];

    bool ok = printer_print(printer, tones, COLOR_INKS, dots);
    planes_free(tones, COLOR_INKS);
    if (!ok)
        return false;
    printer_areas(printer, area);
    struct colors seen = round_dots(dots, area, look);
    planes_free(dots, COLOR_INKS);
    scielab_see(&seen, SCIELAB_SCALE);
    colors_to_lab(&seen);
    for (int i = 0; i < 2; i++) {
        int count = means_of(&seen, i == 0, mean);

        most[i] = fmax(most[i], standing_out(mean, count));
    }
    colors_free(&seen);
    return true;
}

bool ramps_measure(double *most, const struct printer *printer,
                   const struct look *look)
{
    static const int others[] = {5, 15, 30, 45};
    double both[2] = {0};

    for (int ink = 1; ink < COLOR_INKS; ink++)
        for (int i = 0; i < 4; i++)
            for (int down = 0; down < 2; down++) {
                struct ramp ramp = {ink, others[i], down != 0};
                struct plane tones[COLOR_INKS];

                draw(tones, &ramp);
                if (!measure(both, printer, tones, look))
                    return false;
            }
    *most = fmax(both[0], both[1]);
    return true;
}

bool ramps_whole(double most[2], const struct printer *printer, const bool *has,
                 const struct look *look)
{
    for (int down = 0; down < 2; down++) {
        int width = down ? ACROSS : ALONG, height = down ? ALONG : ACROSS;
        struct plane tones[COLOR_INKS];
        double both[2] = {0};

        for (int ink = 0; ink < COLOR_INKS; ink++) {
            tones[ink] = plane_new(width, height);
            for (int i = 0; i < width * height && has[ink]; i++)
                tones[ink].value[i] =
                    (uint8_t)((down ? i / width : i % width) / (ALONG / 256));
        }
        if (!measure(both, printer, tones, look))
            return false;
        most[down] = fmax(both[0], both[1]);
    }
    return true;
}
