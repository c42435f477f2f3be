/*
 * lines.c - measures how much of their ink thin lines keep.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>

#include "lab/train/lines.h"

#define MARGIN 16 /* white above and below, so that no pre-roll has lines */

const int lines_percent[LINES_PERCENTS] = {5, 9, 14, 20, 30, 50};

/* Rows down a column; of `steep` lines, columns right a row. */
static const struct direction {
    bool steep;
    double tilt;
} directions[LINES_DIRECTIONS] = {
    {false, 0},      {true, 0},        {false, 1},      {false, -1},
    {false, 0.05},   {false, -0.05},   {false, 0.1},    {false, -0.1},
    {false, 0.3},    {false, -0.3},    {false, 0.7},    {false, -0.7},
    {true, 1 / 1.5}, {true, -1 / 1.5}, {true, 1 / 3.0}, {true, -1 / 3.0},
    {true, 1 / 6.0}, {true, -1 / 6.0},
};

int lines_tone(int percent)
{
    return (255 * percent + 50) / 100;
}

struct plane lines_draw(int direction, int width, int tone)
{
    const struct direction *d = &directions[direction];
    struct plane lines = plane_new(LINES_SIDE, LINES_SIDE);

    assert(width >= 1 && width <= LINES_WIDEST);
    for (int y = MARGIN; y < LINES_SIDE - MARGIN; y++)
        for (int x = 0; x < LINES_SIDE; x++) {
            int along = d->steep ? y : x, across = d->steep ? x : y;
            int from_line = across - (int)floor(d->tilt * along);

            /* No tilt goes further than the page's side. */
            if ((from_line + LINES_SIDE * LINES_APART) % LINES_APART < width)
                lines.value[y * LINES_SIDE + x] = (uint8_t)tone;
        }
    return lines;
}

/* Prints `tones` and frees them; *ink is ink printed over ink wanted. */
static bool print_ink(const struct printer *printer, struct plane *tones,
                      double *ink)
{
    struct plane dots;
    double wanted = plane_mean(tones) / 255;
    bool ok = printer_print(printer, tones, 1, &dots);

    if (ok) {
        *ink = plane_mean(&dots) / wanted;
        plane_free(&dots);
    }
    plane_free(tones);
    return ok;
}

bool lines_ink(const struct printer *printer, int direction, int width,
               int tone, double *ink)
{
    struct plane lines = lines_draw(direction, width, tone);

    return print_ink(printer, &lines, ink);
}

bool lines_ink_of_pixels(const struct printer *printer, int tone, double *ink)
{
    struct plane pixels = plane_new(LINES_SIDE, LINES_SIDE);

    for (int y = MARGIN; y < LINES_SIDE - MARGIN; y += LINES_APART)
        for (int x = 0; x < LINES_SIDE; x += LINES_APART)
            pixels.value[y * LINES_SIDE + x] = (uint8_t)tone;
    return print_ink(printer, &pixels, ink);
}

bool lines_extremes(const struct printer *printer, double *least,
                    double *largest)
{
    *least = INFINITY;
    *largest = 0;
    for (int direction = 0; direction < LINES_DIRECTIONS; direction++)
        for (int width = 1; width <= LINES_WIDEST; width++)
            for (int i = 0; i < LINES_PERCENTS; i++) {
                double ink;

                if (!lines_ink(printer, direction, width,
                               lines_tone(lines_percent[i]), &ink))
                    return false;
                *least = fmin(*least, ink);
                *largest = fmax(*largest, ink);
            }
    return true;
}
