/*
 * canvas.c - draws plots into PNG files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/png_writer.h"
#include "lab/train/canvas.h"
#include "lab/train/plane.h"

struct canvas canvas_new(int width, int height)
{
    size_t count = (size_t)width * (size_t)height;
    struct canvas canvas = {width, height, train_alloc(count, 4)};

    for (size_t i = 0; i < count; i++)
        canvas.pixel[i] = 0xffffff;
    return canvas;
}

void canvas_free(struct canvas *canvas)
{
    free(canvas->pixel);
    canvas->pixel = NULL;
}

static void fill_row(const struct canvas *canvas, int y, uint8_t *row)
{
    const uint32_t *from = canvas->pixel + (size_t)y * (size_t)canvas->width;

    for (int x = 0; x < canvas->width; x++) {
        row[3 * x] = (uint8_t)(from[x] >> 16);
        row[3 * x + 1] = (uint8_t)(from[x] >> 8);
        row[3 * x + 2] = (uint8_t)from[x];
    }
}

bool canvas_write(const struct canvas *canvas, const char *path)
{
    struct png_shape shape = {.width = (uint32_t)canvas->width,
                              .height = (uint32_t)canvas->height,
                              .level = 9};
    uint8_t *row = train_alloc(3, (size_t)canvas->width);
    struct png_writer png;
    bool ok = png_writer_open(&png, path, NULL, &shape);

    for (int y = 0; ok && y < canvas->height; y++) {
        fill_row(canvas, y, row);
        ok = png_writer_row(&png, row);
    }
    ok = png_writer_close(&png, ok);
    free(row);
    return ok || command_complain(path, png.error);
}

/* ---- Drawing ---------------------------------------------------------- */

static void dot(struct canvas *canvas, int x, int y, uint32_t color)
{
    if (x >= 0 && x < canvas->width && y >= 0 && y < canvas->height)
        canvas->pixel[(size_t)y * (size_t)canvas->width + (size_t)x] = color;
}

void canvas_line(struct canvas *canvas, double x0, double y0, double x1,
                 double y1, uint32_t color)
{
    int steps = (int)ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)));

    for (int i = 0; i <= steps; i++) {
        double along = steps ? (double)i / steps : 0;
        dot(canvas, (int)lround(x0 + along * (x1 - x0)),
            (int)lround(y0 + along * (y1 - y0)), color);
    }
}

/* Five rows of three columns, the top row in the highest bits. */
static unsigned glyph(int c)
{
    static const unsigned letter[] = {
        025755, 065656, 034443, 065556, 074647, 074644, 034553, 055755, 072227,
        011152, 055655, 044447, 057755, 065555, 025552, 065644, 025563, 065655,
        034216, 072222, 055557, 055552, 055775, 055255, 055222, 071247};
    static const unsigned digit[] = {025552, 026227, 061247, 061216, 055711,
                                     074616, 034652, 071222, 025252, 025316};

    if (c >= 'a' && c <= 'z')
        return letter[c - 'a'];
    if (c >= 'A' && c <= 'Z')
        return letter[c - 'A'];
    if (c >= '0' && c <= '9')
        return digit[c - '0'];
    switch (c) {
    case '.':
        return 000002;
    case ',':
        return 000024;
    case '-':
        return 000700;
    case '/':
        return 011244;
    case '(':
        return 024442;
    case ')':
        return 021112;
    case '+':
        return 002720;
    case '%':
        return 051245;
    default:
        return 0;
    }
}

void canvas_text(struct canvas *canvas, int x, int y, int size,
                 const char *text, uint32_t color)
{
    for (; *text != '\0'; text++, x += 4 * size)
        for (int i = 0; i < 15 * size * size; i++) {
            int column = i % (3 * size), row = i / (3 * size);
            unsigned bit = 14u - (unsigned)(row / size * 3 + column / size);
            if (glyph((unsigned char)*text) >> bit & 1)
                dot(canvas, x + column, y + row, color);
        }
}

/* ---- Axes ------------------------------------------------------------- */

static double across(const struct axes *a, double x)
{
    return a->left + (x - a->x0) / (a->x1 - a->x0) * a->width;
}

static double down(const struct axes *a, double y)
{
    double along = (y - a->y0) / (a->y1 - a->y0);

    along = along < 0 ? 0 : along > 1 ? 1 : along;
    return a->top + (1 - along) * a->height;
}

static const uint32_t gray = 0xd8d8d8, black = 0;

void axes_frame(const struct axes *a, int y_ticks, const char *title)
{
    char text[32];

    for (int i = 0; i <= y_ticks; i++) {
        double y = a->y0 + (a->y1 - a->y0) * i / y_ticks;
        canvas_line(a->canvas, a->left, down(a, y), a->left + a->width,
                    down(a, y), gray);
        snprintf(text, sizeof text, "%.3g", y);
        canvas_text(a->canvas, a->left - 8 * (int)strlen(text) - 4,
                    (int)down(a, y) - 5, 2, text, black);
    }
    canvas_text(a->canvas, a->left, a->top - 16, 2, title, black);
}

void axes_draw(const struct axes *a, int x_ticks, int y_ticks,
               const char *title)
{
    char text[32];

    for (int i = 0; i <= x_ticks; i++) {
        double x = a->x0 + (a->x1 - a->x0) * i / x_ticks;
        canvas_line(a->canvas, across(a, x), a->top, across(a, x),
                    a->top + a->height, gray);
        snprintf(text, sizeof text, "%.4g", x);
        canvas_text(a->canvas, (int)across(a, x) - 8, a->top + a->height + 6, 2,
                    text, black);
    }
    axes_frame(a, y_ticks, title);
}

void axes_curve(const struct axes *a, const double *x, const double *y,
                int count, uint32_t color)
{
    for (int i = 1; i < count; i++)
        for (int k = 0; k < 2; k++) /* two pixels thick */
            canvas_line(a->canvas, across(a, x[i - 1]), down(a, y[i - 1]) + k,
                        across(a, x[i]), down(a, y[i]) + k, color);
}
