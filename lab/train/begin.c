/*
 * begin.c - measures how a tint begins under white paper.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "lab/train/begin.h"
#include "lab/train/hvs.h"

#define WIDTH 4000
#define WHITE 96 /* rows above the tint, or up to PAGES - 1 more */
#define TINT 96  /* rows of the tint, or as many less */
#define SEEN 30  /* of these, whose HVS error counts */
#define PAGES 8  /* rows of a swath in each direction */

/* The mean of a row of the dots. */
static double row_mean(const struct plane *dots, int y)
{
    struct plane row = {dots->width, 1,
                        dots->value + (size_t)y * (size_t)dots->width};

    return plane_mean(&row);
}

static bool add_page(struct beginning *out, const struct printer *printer,
                     int tone, int page)
{
    struct plane tones = plane_new(WIDTH, WHITE + TINT), dots;
    int white = WHITE + page;

    memset(tones.value + WIDTH * white, tone, WIDTH * (TINT - page));
    bool ok = printer_print(printer, &tones, 1, &dots);
    for (int i = 0; ok && i < BEGIN_ROWS; i++) {
        double row = row_mean(&dots, white + i) * 255 / tone;

        if (page == 0)
            out->row[i] = row;
        out->highest = fmax(out->highest, row);
        if (i >= 3)
            out->furthest = fmax(out->furthest, fabs(row - 1));
    }
    if (ok) {
        out->error +=
            hvs_error_rows(&dots, &tones, HVS_SCALE, white, SEEN) / PAGES;
        plane_free(&dots);
    }
    plane_free(&tones);
    return ok;
}

bool begin_measure(struct beginning *out, const struct printer *printer,
                   int tone)
{
    bool ok = true;

    memset(out, 0, sizeof *out);
    for (int page = 0; ok && page < PAGES; page++)
        ok = add_page(out, printer, tone, page);
    return ok;
}
