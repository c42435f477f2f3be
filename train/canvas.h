/*
 * canvas.h - draws plots into PNG files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_CANVAS_H
#define TRAIN_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

/* pixel [height][width], 0xRRGGBB. */
struct canvas {
    int width, height;
    uint32_t *pixel;
};

struct canvas canvas_new(int width, int height); /* white */
void canvas_free(struct canvas *canvas);

/* False after a complaint. */
bool canvas_write(const struct canvas *canvas, const char *path);

void canvas_dot(struct canvas *canvas, int x, int y, uint32_t color);
void canvas_line(struct canvas *canvas, double x0, double y0, double x1,
                 double y1, uint32_t color);

/* Letters, digits and . , - / ( ) + %, 4 x 6 pixels times `size`; (x, y) is
 * the top left corner. Small letters are drawn as capitals. */
void canvas_text(struct canvas *canvas, int x, int y, int size,
                 const char *text, uint32_t color);

/* A frame with axes: a rectangle of the canvas that shows x0..x1 and y0..y1,
 * with `ticks` labelled lines each way. */
struct axes {
    struct canvas *canvas;
    int left, top, width, height;
    double x0, x1, y0, y1;
};

void axes_draw(const struct axes *axes, int x_ticks, int y_ticks,
               const char *title);
void axes_curve(const struct axes *axes, const double *x, const double *y,
                int count, uint32_t color);

#endif
