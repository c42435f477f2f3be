/*
 * chart.c - the patches of a chart and their places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tools/calibrate/chart.h"
#include "tools/calibrate/numbers.h"

#define COLUMNS 11

/* Points, 1/72 inch. */
#define MARGIN 48.0
#define TITLE 40.0   /* from the upper margin to the patches */
#define GAP 3.0      /* between patches */
#define LABEL 10.0   /* below a row of patches, for their percents */
#define TALLEST 52.0 /* a patch; shorter when many have to fit */
#define SMALLEST 9.0 /* a patch: some 3 mm, what instruments see at a time */
#define LARGEST_SHEET 14400.0 /* what PDF allows: 200 inches */

/* Returns the margin, which is narrower on sheets of less than 8 inches. */
static double margin_of(const struct chart *chart)
{
    return fmin(MARGIN, chart->width / 12);
}

const char *chart_inks_wrong(const char *inks)
{
    for (const char *ink = inks; *ink != '\0'; ink++)
        if (strchr(CHART_INKS, *ink) == NULL || strchr(ink + 1, *ink) != NULL)
            return "not letters of CMYK";
    return *inks != '\0' ? NULL : "none";
}

bool chart_check(const struct chart *chart, struct refusal *refusal)
{
    const char *wrong = chart_inks_wrong(chart->inks);

    if (wrong != NULL)
        return refuse(refusal, 0, "inks: %s", wrong);
    if (chart->steps < CHART_LEAST_STEPS || chart->steps > CHART_MOST_STEPS)
        return refuse(refusal, 0, "not %d to %d steps", CHART_LEAST_STEPS,
                      CHART_MOST_STEPS);
    if (!(chart->width > 0 && chart->width <= LARGEST_SHEET &&
          chart->height > 0 && chart->height <= LARGEST_SHEET))
        return refuse(refusal, 0, "a sheet that no chart is printed on");

    struct chart_patch patch = chart_patch(chart, 0);
    if (patch.width < SMALLEST || patch.height < SMALLEST)
        return refuse(refusal, 0, "the sheet is too small for the patches");
    return true;
}

unsigned chart_patches(const struct chart *chart)
{
    return chart->steps * (unsigned)strlen(chart->inks);
}

/* Each ink begins a row of its own. */
struct chart_patch chart_patch(const struct chart *chart, unsigned number)
{
    unsigned ink = number / chart->steps, step = number % chart->steps;
    unsigned rows = (chart->steps - 1) / COLUMNS + 1, row = step / COLUMNS;
    double margin = margin_of(chart);
    double pitch_x = (chart->width - 2 * margin + GAP) / COLUMNS;
    double pitch_y = (chart->height - 2 * margin - TITLE) /
                     (double)(rows * strlen(chart->inks));

    if (pitch_y > TALLEST + LABEL + GAP)
        pitch_y = TALLEST + LABEL + GAP;
    return (struct chart_patch){.ink = chart->inks[ink],
                                .percent = 100.0 * step / (chart->steps - 1),
                                .x = margin + step % COLUMNS * pitch_x,
                                .y = margin + TITLE +
                                     (ink * rows + row) * pitch_y,
                                .width = pitch_x - GAP,
                                .height = pitch_y - LABEL - GAP,
                                .pitch = pitch_x};
}

void chart_label(const struct chart_patch *patch, char label[CHART_LABEL_BYTES])
{
    struct numbers numbers = numbers_begin();

    snprintf(label, CHART_LABEL_BYTES, "%c %.4g", patch->ink, patch->percent);
    numbers_end(numbers);
}

void chart_write_layout(const struct chart *chart, FILE *file)
{
    struct numbers numbers = numbers_begin();

    fputs("ink,percent,x,y,width,height\n", file);
    for (unsigned i = 0; i < chart_patches(chart); i++) {
        struct chart_patch p = chart_patch(chart, i);

        fprintf(file, "%c,%.4g,%.2f,%.2f,%.2f,%.2f\n", p.ink, p.percent, p.x,
                p.y, p.width, p.height);
    }
    numbers_end(numbers);
}
