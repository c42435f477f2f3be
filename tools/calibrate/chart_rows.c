/*
 * chart_rows.c - the chart as rows of samples.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tools/calibrate/chart_rows.h"

/* A glyph is 5 by 7 cells, in a place of 6. */
#define GLYPH_ROWS 7
#define GLYPH_COLUMNS 5
#define GLYPH_PLACE 6
#define LONGEST_LABEL 7 /* "K 33.33" */

/* In points. */
#define CELL 0.75       /* of a glyph; smaller where labels are close */
#define LABEL_BELOW 2.0 /* a patch */

/* The cells of a row, the leftmost is bit 4. */
static const struct glyph {
    char letter;
    uint8_t row[GLYPH_ROWS];
} glyphs[] = {
    {'0', {0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e}},
    {'1', {0x04, 0x0c, 0x14, 0x04, 0x04, 0x04, 0x1f}},
    {'2', {0x0e, 0x11, 0x01, 0x06, 0x08, 0x10, 0x1f}},
    {'3', {0x1e, 0x01, 0x01, 0x0e, 0x01, 0x01, 0x1e}},
    {'4', {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}},
    {'5', {0x1f, 0x10, 0x10, 0x1e, 0x01, 0x01, 0x1e}},
    {'6', {0x07, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}},
    {'7', {0x1f, 0x01, 0x02, 0x02, 0x04, 0x04, 0x04}},
    {'8', {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}},
    {'9', {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x1c}},
    {'.', {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c}},
    {'C', {0x0f, 0x10, 0x10, 0x10, 0x10, 0x10, 0x0f}},
    {'M', {0x11, 0x1b, 0x15, 0x15, 0x11, 0x11, 0x11}},
    {'Y', {0x11, 0x11, 0x0a, 0x04, 0x04, 0x04, 0x04}},
    {'K', {0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11}},
};

/* The pixel that begins at or behind `points`, at most `end`. */
static uint32_t pixel_of(double points, uint32_t dpi, uint32_t end)
{
    double pixel = round(points * dpi / 72);

    return pixel <= 0 ? 0 : pixel >= end ? end : (uint32_t)pixel;
}

/* Returns the index of an ink's sample in a pixel. */
static uint32_t place_of(const struct chart_pixels *pixels, char ink)
{
    return pixels->inks == 1 ? 0
                             : (uint32_t)(strchr(CHART_INKS, ink) - CHART_INKS);
}

static void fill(const struct chart_pixels *pixels, uint8_t *row,
                 const struct chart_patch *patch)
{
    uint32_t left = pixel_of(patch->x, pixels->x_dpi, pixels->width);
    uint32_t right =
        pixel_of(patch->x + patch->width, pixels->x_dpi, pixels->width);
    uint8_t sample = (uint8_t)lround(patch->percent * 255 / 100);

    for (uint32_t x = left; x < right; x++)
        row[(size_t)x * pixels->inks + place_of(pixels, patch->ink)] = sample;
}

static const uint8_t *glyph_of(char letter)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++)
        if (glyphs[i].letter == letter)
            return glyphs[i].row;
    return NULL; /* a blank */
}

/* Writes the cells of row `line` of the label, each `cell` points wide. */
static void write_label(const struct chart_pixels *pixels, uint8_t *row,
                        const struct chart_patch *patch, unsigned line,
                        double cell, char ink)
{
    char label[CHART_LABEL_BYTES];

    chart_label(patch, label);
    for (size_t i = 0; label[i] != '\0'; i++) {
        const uint8_t *glyph = glyph_of(label[i]);

        for (unsigned c = 0; glyph != NULL && c < GLYPH_COLUMNS; c++) {
            double x = patch->x + (double)(i * GLYPH_PLACE + c) * cell;
            uint32_t left = pixel_of(x, pixels->x_dpi, pixels->width);
            uint32_t right = pixel_of(x + cell, pixels->x_dpi, pixels->width);

            if ((glyph[line] >> (GLYPH_COLUMNS - 1 - c) & 1) == 0)
                continue;
            for (uint32_t p = left; p < right; p++)
                row[(size_t)p * pixels->inks + place_of(pixels, ink)] = 255;
        }
    }
}

/* In points, and at least a pixel: without some cells nobody reads a letter. */
static double cell_of(const struct chart_pixels *pixels,
                      const struct chart_patch *patch)
{
    double least = fmax(72.0 / pixels->x_dpi, 72.0 / pixels->y_dpi);

    return fmax(least,
                fmin(CELL, patch->pitch / (LONGEST_LABEL * GLYPH_PLACE)));
}

static void fill_solid(const struct chart_pixels *pixels, uint32_t y,
                       uint8_t *row, const char *inks,
                       const struct chart_solid *solid)
{
    const uint32_t dpi = pixels->y_dpi;

    if (y < pixel_of(solid->y, dpi, UINT32_MAX) ||
        y >= pixel_of(solid->y + solid->height, dpi, UINT32_MAX))
        return;
    for (const char *ink = inks; *ink != '\0'; ink++)
        fill(pixels, row,
             &(struct chart_patch){.ink = *ink,
                                   .percent = 100,
                                   .x = solid->x,
                                   .width = solid->width});
}

static void fill_marks(const struct chart *chart,
                       const struct chart_pixels *pixels, uint32_t y,
                       uint8_t *row)
{
    for (unsigned i = 0; i < CHART_MARKS && !chart->eye; i++) {
        struct chart_solid parts[CHART_MARK_PARTS];
        const unsigned count = chart_mark_parts(chart, i, parts);

        for (unsigned part = 0; part < count; part++)
            fill_solid(pixels, y, row, chart_dark(chart), &parts[part]);
    }
}

static void fill_lines(const struct chart *chart,
                       const struct chart_pixels *pixels, uint32_t y,
                       uint8_t *row)
{
    for (unsigned i = 0; i < chart_grays(chart); i++) {
        const struct chart_gray g = chart_gray(chart, i);
        const double line = g.pitch * g.share;

        for (double x = 0; x + line <= g.width; x += g.pitch)
            fill_solid(pixels, y, row, g.inks,
                       &(struct chart_solid){g.x + x, g.y, line, g.height});
    }
}

void chart_row(const struct chart *chart, const struct chart_pixels *pixels,
               uint32_t y, uint8_t *row)
{
    const char *black = strchr(chart->inks, 'K');
    const char *written = black != NULL ? black : chart->inks;

    memset(row, 0, (size_t)pixels->width * pixels->inks);
    fill_marks(chart, pixels, y, row);
    fill_lines(chart, pixels, y, row);
    for (unsigned i = 0; i < chart_patches(chart); i++) {
        struct chart_patch patch = chart_patch(chart, i);
        double cell = cell_of(pixels, &patch);
        double end = patch.y + patch.height;
        double below = (y + 0.5) * 72 / pixels->y_dpi - end - LABEL_BELOW;

        if (y >= pixel_of(patch.y, pixels->y_dpi, UINT32_MAX) &&
            y < pixel_of(end, pixels->y_dpi, UINT32_MAX))
            fill(pixels, row, &patch);
        else if (below >= 0 && below < GLYPH_ROWS * cell)
            write_label(pixels, row, &patch, (unsigned)(below / cell), cell,
                        *written);
    }
}
