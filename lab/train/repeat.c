/*
 * repeat.c - tells whether a flat tint repeats itself from segment to segment.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "lab/train/repeat.h"

#define WIDTH 4096 /* of what is judged */
#define HEIGHT 512
#define SIDE 512  /* columns left and right, whose segments may be shorter */
#define WINDOW 64 /* rows that are judged together */
#define NEAR 2    /* columns */

double repeat_correlation(const struct plane *dots, int offset, int top,
                          int rows)
{
    int pairs = dots->width - offset;
    long all = 0, left = 0, right = 0, both = 0;

    for (int y = top; y < top + rows; y++) {
        const uint8_t *row = dots->value + (size_t)y * (size_t)dots->width;
        int in_row = 0, in_left = 0, in_right = 0, in_both = 0;

        for (int x = 0; x < dots->width; x++)
            in_row += row[x];
        for (int x = 0; x < pairs; x++) {
            in_left += row[x];
            in_right += row[x + offset];
            in_both += row[x] & row[x + offset];
        }
        all += in_row;
        left += in_left;
        right += in_right;
        both += in_both;
    }

    double count = (double)pairs * rows;
    double a = (double)all / ((double)dots->width * rows);
    if (a <= 0 || a >= 1)
        return 0;
    return ((double)both / count -
            (double)left / count * ((double)right / count)) /
           (a * (1 - a));
}

/* The largest one with what is about `offset` columns on. */
static double largest_near(const struct plane *dots, int offset)
{
    double largest = -1;

    for (int top = 0; top + WINDOW <= dots->height; top += WINDOW)
        for (int near = -NEAR; near <= NEAR; near++)
            largest = fmax(
                largest, repeat_correlation(dots, offset + near, top, WINDOW));
    return largest;
}

/* The largest one with what is one or two segments of the default on, printed
 * in segments of so many columns. */
static bool largest_repeat(const struct printer *printer, uint32_t segment,
                           int tone, double *largest)
{
    struct printer cut = *printer;
    struct plane dots;

    cut.segment = segment;
    if (!printer_print_flat(&cut, WIDTH + 2 * SIDE, HEIGHT, &tone, 1, &dots))
        return false;

    struct plane judged = plane_crop(&dots, SIDE, 0, WIDTH, HEIGHT);
    *largest = fmax(largest_near(&judged, HT_DEFAULT_SEGMENT),
                    largest_near(&judged, 2 * HT_DEFAULT_SEGMENT));
    plane_free(&judged);
    plane_free(&dots);
    return true;
}

bool repeat_measure(const struct printer *printer, int tone, double *found,
                    double *own)
{
    return largest_repeat(printer, HT_DEFAULT_SEGMENT, tone, found) &&
           largest_repeat(printer, 0, tone, own);
}
