/*
 * picture.c - a pixel for each place, larger where there are few; colors
 * from a palette, so that the PNG is small.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/ink-map/loads.h"
#include "tools/ink-map/picture.h"
#include "tools/png_writer.h"

#define MOST_PIXELS (8u << 20) /* of the map; two bytes each */
#define USUAL_SIDE 800u        /* a smaller map is shown larger */
#define MOST_ZOOM 8u

/* In pixels of the PNG: from its left the map in a frame, the bar of the scale
 * and numbers. */
#define MARGIN 6u
#define BAR_GAP 14u
#define BAR_WIDE 18u
#define BAR_LEAST 240u
#define BAR_MOST 640u
#define TICK 5u
#define TEXT_GAP 4u
#define DIGIT_WIDE 12u /* with the gap behind it */
#define DIGITS 4u      /* "400%" */

enum { RAMP = 252, INK_BLACK = RAMP, INK_GRAY, INK_BLUE, COLORS };

/* The colors of the scale, from bare paper to all inks solid: each is darker
 * than the one before, so a copy in gray can be read too. */
static const uint8_t stops[][3] = {{255, 255, 255}, {255, 222, 120},
                                   {246, 140, 50},  {205, 45, 60},
                                   {110, 10, 85},   {25, 0, 45}};
#define STOPS (sizeof stops / sizeof stops[0])

/* ---- Loads -------------------------------------------------------------- */

bool ink_picture_open(struct ink_picture *picture,
                      const struct ink_map_axis *across,
                      const struct ink_map_axis *down, uint32_t inks,
                      const uint32_t dpi[2])
{
    *picture = (struct ink_picture){.across = *across,
                                    .down = *down,
                                    .dpi = {dpi[0], dpi[1]},
                                    .inks = inks};
    do {
        picture->block++;
        picture->width = (across->places - 1) / picture->block + 1;
        picture->height = (down->places - 1) / picture->block + 1;
    } while ((uint64_t)picture->width * picture->height > MOST_PIXELS);
    picture->loads = calloc((size_t)picture->width * picture->height,
                            sizeof *picture->loads);
    return picture->loads != NULL;
}

void ink_picture_close(struct ink_picture *picture)
{
    free(picture->loads);
    picture->loads = NULL;
}

void ink_picture_add(struct ink_picture *picture, uint32_t row,
                     const uint64_t *dots)
{
    uint32_t *loads =
        picture->loads + (size_t)(row / picture->block) * picture->width;
    double step = INK_LOADS_STEPS /
                  ((double)picture->across.window * picture->down.window);

    for (uint32_t i = 0; i < picture->across.places; i++) {
        uint32_t *load = &loads[i / picture->block];
        uint32_t ours = (uint32_t)((double)dots[i] * step + 0.5);

        *load = ours > *load ? ours : *load;
    }
}

/* ---- Marks -------------------------------------------------------------- */

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Whether the window of a pixel at (x, y) of the page overlaps a mark. */
static bool overlaps(const struct ink_picture *picture, uint32_t x, uint32_t y,
                     const struct ink_mark *marks, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (distance(x, marks[i].x) < picture->across.window &&
            distance(y, marks[i].y) < picture->down.window)
            return true;
    return false;
}

unsigned ink_picture_marks(const struct ink_picture *picture,
                           struct ink_mark marks[INK_PICTURE_MARKS])
{
    for (unsigned n = 0; n < INK_PICTURE_MARKS; n++) {
        const uint32_t *load = picture->loads;
        uint32_t most = 0;

        for (uint32_t row = 0; row < picture->height; row++)
            for (uint32_t i = 0; i < picture->width; i++, load++) {
                if (*load <= most)
                    continue;
                uint32_t x =
                    ink_map_begin(&picture->across, i * picture->block);
                uint32_t y =
                    ink_map_begin(&picture->down, row * picture->block);

                if (overlaps(picture, x, y, marks, n))
                    continue;
                most = *load;
                marks[n] = (struct ink_mark){
                    .load = (double)most / INK_LOADS_STEPS, .x = x, .y = y};
            }
        if (most == 0)
            return n;
    }
    return INK_PICTURE_MARKS;
}

/* ---- Drawing ------------------------------------------------------------ */

/* Arrangement of the PNG. */
struct picture_sheet {
    const struct ink_picture *picture;
    uint32_t zoom; /* of the map's pixels */
    uint32_t width, height, map_wide, map_high, bar_left, bar_high;
    uint32_t limit; /* row of the bar, from its upper end; or bar_high */
    uint8_t *row;   /* [width] */
};

/* Digits and "%", 5 x 7: a row has its left pixel in bit 4. */
static const uint8_t glyphs[][7] = {
    {14, 17, 17, 17, 17, 17, 14}, {4, 12, 4, 4, 4, 4, 14},
    {14, 17, 1, 6, 8, 16, 31},    {14, 17, 1, 6, 1, 17, 14},
    {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14},
    {14, 16, 30, 17, 17, 17, 14}, {31, 1, 2, 4, 4, 8, 8},
    {14, 17, 17, 14, 17, 17, 14}, {14, 17, 17, 15, 1, 1, 14},
    {25, 26, 2, 4, 8, 11, 19}};
#define GLYPH_ROWS 7u
#define GLYPH_WIDE 5u
#define GLYPH_PERCENT 10
#define GLYPH_ZOOM 2u
#define GLYPH_HIGH (GLYPH_ROWS * GLYPH_ZOOM)

/* Draws row `line` of a glyph, each of its pixels twice. */
static void draw_glyph(uint8_t *at, int glyph, uint32_t line)
{
    for (uint32_t i = 0; i < GLYPH_WIDE * GLYPH_ZOOM; i++)
        if (glyphs[glyph][line / GLYPH_ZOOM] >>
                (GLYPH_WIDE - 1 - i / GLYPH_ZOOM) &
            1)
            at[i] = INK_BLACK;
}

static void draw_percent(uint8_t *at, uint32_t percent, uint32_t line)
{
    for (uint32_t unit = 100; unit > 0; unit /= 10)
        if (percent >= unit || unit == 1) {
            draw_glyph(at, (int)(percent / unit % 10), line);
            at += DIGIT_WIDE;
        }
    draw_glyph(at, GLYPH_PERCENT, line);
}

static void draw_ticks(const struct picture_sheet *sheet, uint32_t y)
{
    uint32_t inks = sheet->picture->inks;
    uint32_t ticks = inks > 1 ? inks : 4; /* 100 % each, or 25 % */
    uint8_t *end = sheet->row + sheet->bar_left + BAR_WIDE;

    for (uint32_t i = 0; i <= ticks; i++) {
        uint32_t at = MARGIN + (sheet->bar_high - 1) * (ticks - i) / ticks;
        uint32_t text =
            at < MARGIN + GLYPH_HIGH / 2 ? MARGIN : at - GLYPH_HIGH / 2;

        if (y == at)
            memset(end, INK_BLACK, TICK);
        if (y >= text && y < text + GLYPH_HIGH)
            draw_percent(end + TICK + TEXT_GAP, 100 * inks * i / ticks,
                         y - text);
    }
}

static void draw_scale(const struct picture_sheet *sheet, uint32_t y)
{
    uint8_t *bar = sheet->row + sheet->bar_left;
    uint32_t line = y - MARGIN;

    draw_ticks(sheet, y);
    if (y < MARGIN || line >= sheet->bar_high)
        return;
    uint32_t up = sheet->bar_high - 1 - line;
    bool edge = up == 0 || line == 0 || line == sheet->limit;

    memset(bar,
           edge ? INK_BLACK
                : (int)((uint64_t)up * (RAMP - 1) / (sheet->bar_high - 1)),
           BAR_WIDE);
    bar[0] = INK_BLACK;
    bar[BAR_WIDE - 1] = INK_BLACK;
}

/* Draws a row of the map, in which a load above 0 is never bare paper. */
static void draw_loads(const struct picture_sheet *sheet, uint32_t line)
{
    const struct ink_picture *picture = sheet->picture;
    const uint32_t *load =
        picture->loads + (size_t)(line / sheet->zoom) * picture->width;
    uint32_t full = picture->inks * INK_LOADS_STEPS;
    uint8_t *to = sheet->row + MARGIN + 1;

    for (uint32_t i = 0; i < picture->width; i++, to += sheet->zoom) {
        uint32_t color =
            load[i] < full ? load[i] * (RAMP - 1) / full : RAMP - 1;

        if (load[i] > 0 && color == 0)
            color = 1;
        memset(to, (int)color, sheet->zoom);
    }
}

/* Returns a pixel of the page as one of the map. */
static uint32_t to_map(const struct picture_sheet *sheet,
                       const struct ink_map_axis *axis, uint32_t pixel)
{
    return (uint32_t)((uint64_t)pixel * sheet->zoom /
                      ((uint64_t)axis->step * sheet->picture->block));
}

/* Draws a row of a mark's frame, two pixels wide. */
static void draw_mark(const struct picture_sheet *sheet,
                      const struct ink_mark *mark, uint32_t line)
{
    const struct ink_map_axis *across = &sheet->picture->across;
    const struct ink_map_axis *down = &sheet->picture->down;
    uint32_t left = to_map(sheet, across, mark->x);
    uint32_t right = to_map(sheet, across, mark->x + across->window - 1);
    uint32_t top = to_map(sheet, down, mark->y);
    uint32_t bottom = to_map(sheet, down, mark->y + down->window - 1);
    uint8_t *row = sheet->row + MARGIN + 1;

    if (line < top || line > bottom)
        return;
    if (line < top + 2 || line + 2 > bottom) {
        memset(row + left, INK_BLUE, right - left + 1);
    } else {
        row[left] = row[right] = INK_BLUE;
        if (left + 1 < right)
            row[left + 1] = row[right - 1] = INK_BLUE;
    }
}

static void draw_row(const struct picture_sheet *sheet, uint32_t y,
                     const struct ink_mark *marks, unsigned count)
{
    uint8_t *frame = sheet->row + MARGIN;
    uint32_t line = y - MARGIN - 1; /* of the map */

    memset(sheet->row, 0, sheet->width);
    draw_scale(sheet, y);
    if (y < MARGIN || y > MARGIN + sheet->map_high + 1)
        return;
    if (y == MARGIN || line == sheet->map_high) {
        memset(frame, INK_GRAY, sheet->map_wide + 2);
        return;
    }
    frame[0] = frame[sheet->map_wide + 1] = INK_GRAY;
    draw_loads(sheet, line);
    for (unsigned i = 0; i < count; i++)
        draw_mark(sheet, &marks[i], line);
}

/* ---- PNG ---------------------------------------------------------------- */

static uint32_t within(uint32_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : value;
}

static struct picture_sheet lay_out(const struct ink_picture *picture,
                                    double limit)
{
    struct picture_sheet sheet = {.picture = picture};
    uint32_t side =
        picture->width > picture->height ? picture->width : picture->height;

    sheet.zoom = within((USUAL_SIDE - 1) / side + 1, 1, MOST_ZOOM);
    sheet.map_wide = picture->width * sheet.zoom;
    sheet.map_high = picture->height * sheet.zoom;
    sheet.bar_left = MARGIN + sheet.map_wide + 2 + BAR_GAP;
    sheet.bar_high = within(sheet.map_high + 2, BAR_LEAST, BAR_MOST);
    sheet.width = sheet.bar_left + BAR_WIDE + TICK + TEXT_GAP +
                  DIGITS * DIGIT_WIDE + MARGIN;
    sheet.height = within(sheet.map_high + 2, sheet.bar_high + GLYPH_HIGH / 2,
                          UINT32_MAX) +
                   2 * MARGIN;
    sheet.limit = sheet.bar_high;
    if (limit > 0 && limit < picture->inks)
        sheet.limit =
            (uint32_t)((sheet.bar_high - 1) * (1 - limit / picture->inks));
    return sheet;
}

static void set_colors(struct png_shape *shape)
{
    static const uint8_t others[COLORS - RAMP][3] = {
        {0, 0, 0}, {160, 160, 160}, {0, 100, 255}};

    shape->colors = COLORS;
    for (uint32_t i = 0; i < RAMP; i++) {
        uint32_t at = i * (STOPS - 1), stop = at / (RAMP - 1);
        uint32_t part = at % (RAMP - 1);

        for (int c = 0; c < 3; c++) {
            uint32_t here = stops[stop][c];
            uint32_t there = stops[stop + (part > 0)][c];
            uint32_t sum = here * (RAMP - 1 - part) + there * part;

            shape->palette[i][c] = (uint8_t)(sum / (RAMP - 1));
        }
    }
    memcpy(shape->palette + RAMP, others, sizeof others);
}

bool ink_picture_write(const struct ink_picture *picture, const char *path,
                       const char *in, const struct ink_mark *marks,
                       unsigned count, double limit)
{
    struct picture_sheet sheet = lay_out(picture, limit);
    /* The map is as large as the page. */
    double pixel = (double)sheet.zoom / picture->block;
    struct png_shape shape = {
        .width = sheet.width,
        .height = sheet.height,
        .dpi = {picture->dpi[0] * pixel / picture->across.step,
                picture->dpi[1] * pixel / picture->down.step}};
    struct png_writer png = {0};
    bool ok;

    sheet.row = malloc(sheet.width);
    if (sheet.row == NULL)
        return command_complain(path, "not enough memory");
    set_colors(&shape);
    ok = png_writer_open(&png, path, in, &shape);
    for (uint32_t y = 0; ok && y < sheet.height; y++) {
        draw_row(&sheet, y, marks, count);
        ok = png_writer_row(&png, sheet.row);
    }
    ok = png_writer_close(&png, ok);
    if (png.error[0] != '\0')
        command_complain(path, png.error);
    free(sheet.row);
    return ok;
}
