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
#define TITLE 40.0 /* from the upper margin to the patches */
#define GRAYS 32.0 /* from the known grays to the patches */
#define GRAY_TALL 24.0
#define MARK 10.5     /* width of a mark; smaller in a narrow margin */
#define EYE_INSET 0.2 /* of a patch that is judged by eye: lines around it */
#define GAP 3.0       /* between patches */
#define LABEL 10.0    /* below a row of patches, for their percents */
#define TALLEST 52.0  /* a patch; shorter when many have to fit */
#define SMALLEST 9.0  /* a patch: some 3 mm, what instruments see at a time */
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

/* Returns the percent of a tint that is judged by eye: from what a press would
 * need for the row's lines to much less. */
static double eye_tone(unsigned step)
{
    static const struct {
        unsigned first, step;
    } rows[CHART_EYE_ROWS] = {{3, 3}, {10, 5}, {25, 6}};
    const unsigned row = step / COLUMNS;

    return rows[row].first + step % COLUMNS * rows[row].step;
}

/* Each ink begins a row of its own. */
struct chart_patch chart_patch(const struct chart *chart, unsigned number)
{
    unsigned ink = number / chart->steps, step = number % chart->steps;
    unsigned rows = (chart->steps - 1) / COLUMNS + 1, row = step / COLUMNS;
    double margin = margin_of(chart);
    double pitch_x = (chart->width - 2 * margin + GAP) / COLUMNS;
    double pitch_y = (chart->height - 2 * margin - TITLE - GRAYS) /
                     (double)(rows * strlen(chart->inks));

    if (pitch_y > TALLEST + LABEL + GAP)
        pitch_y = TALLEST + LABEL + GAP;
    struct chart_patch patch = {.ink = chart->inks[ink],
                                .percent = 100.0 * step / (chart->steps - 1),
                                .x = margin + step % COLUMNS * pitch_x,
                                .y = margin + TITLE + GRAYS +
                                     (ink * rows + row) * pitch_y,
                                .width = pitch_x - GAP,
                                .height = pitch_y - LABEL - GAP,
                                .pitch = pitch_x};

    if (chart->eye) {
        patch.percent = eye_tone(step);
        patch.x += EYE_INSET * patch.width;
        patch.y += EYE_INSET * patch.height;
        patch.width *= 1 - 2 * EYE_INSET;
        patch.height *= 1 - EYE_INSET; /* its label is below the lines, too */
    }
    return patch;
}

/* ---- Marks and known grays ---------------------------------------------- */

const char *chart_dark(const struct chart *chart)
{
    return strchr(chart->inks, 'K') != NULL ? "K" : chart->inks;
}

struct chart_solid chart_mark(const struct chart *chart, unsigned number)
{
    double margin = margin_of(chart), width = fmin(MARK, 0.6 * margin);

    return (struct chart_solid){
        number % 2 == 0 ? margin - GAP - width : chart->width - margin + GAP,
        number / 2 == 0 ? margin : chart->height - margin - width, width,
        width};
}

unsigned chart_mark_parts(const struct chart *chart, unsigned number,
                          struct chart_solid parts[CHART_MARK_PARTS])
{
    const struct chart_solid m = chart_mark(chart, number);
    const double cell = m.width / CHART_MARK_CELLS, far = m.width - cell;

    parts[0] = (struct chart_solid){m.x, m.y, m.width, cell};
    parts[1] = (struct chart_solid){m.x, m.y + far, m.width, cell};
    parts[2] = (struct chart_solid){m.x, m.y + cell, cell, far - cell};
    parts[3] = (struct chart_solid){m.x + far, m.y + cell, cell, far - cell};
    parts[4] = (struct chart_solid){m.x + 2 * cell, m.y + 2 * cell, 3 * cell,
                                    3 * cell};
    return number + 1 < CHART_MARKS ? CHART_MARK_PARTS : CHART_MARK_PARTS - 1;
}

unsigned chart_grays(const struct chart *chart)
{
    return chart->eye ? chart_patches(chart) : CHART_GRAYS;
}

/* The lines around a patch to judge by eye. */
static struct chart_gray eye_lines(const struct chart *chart, unsigned number)
{
    const struct chart_patch p = chart_patch(chart, number);
    const double part = 1 - 2 * EYE_INSET;

    return (struct chart_gray){
        .x = p.x - EYE_INSET / part * p.width,
        .y = p.y - EYE_INSET / (1 - EYE_INSET) * p.height,
        .width = p.width / part,
        .height = p.height / (1 - EYE_INSET),
        .pitch = CHART_EYE_PITCH,
        .share = (number % CHART_EYE_STEPS / COLUMNS + 1) / 4.0,
        .inks = {p.ink}};
}

struct chart_gray chart_gray(const struct chart *chart, unsigned number)
{
    static const struct {
        double pitch, share;
    } lines[CHART_GRAYS] = {{3.84, 0.125}, {3.84, 0.25}, {1.92, 0.25},
                            {1.92, 0.375}, {0.96, 0.5},  {1.92, 0.5},
                            {1.92, 0.625}, {1.92, 0.75}, {3.84, 0.75},
                            {3.84, 0.875}, {3.84, 1}};
    double margin = margin_of(chart);
    double pitch_x = (chart->width - 2 * margin + GAP) / COLUMNS;

    if (chart->eye)
        return eye_lines(chart, number);
    struct chart_gray gray = {.x = margin + number * pitch_x,
                              .y = margin + TITLE,
                              .width = pitch_x - GAP,
                              .height = GRAY_TALL,
                              .pitch = lines[number].pitch,
                              .share = lines[number].share};
    strcpy(gray.inks, chart_dark(chart));
    return gray;
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
