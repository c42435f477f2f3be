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

/* White; width and height at least 1. The caller's, until canvas_free(). Ends
 * the program where memory is short. */
struct canvas canvas_new(int width, int height);
void canvas_free(struct canvas *canvas);

/* Writes `path` as a PNG, 8 bits RGB. False after a complaint on standard
 * error. */
bool canvas_write(const struct canvas *canvas, const char *path);

/* Drawing beyond the edges is clipped. x goes right, y down, in pixels, and
 * `color` is 0xRRGGBB. */
void canvas_line(struct canvas *canvas, double x0, double y0, double x1,
                 double y1, uint32_t color);

/* Letters, digits and . , - / ( ) + %, 4 x 6 pixels times `size`; (x, y) is
 * the top left corner. Small letters are drawn as capitals. */
void canvas_text(struct canvas *canvas, int x, int y, int size,
                 const char *text, uint32_t color);

/* A rectangle of the canvas, in its pixels: x0..x1 from left to right, y0..y1
 * from bottom to top. */
struct axes {
    struct canvas *canvas;
    int left, top, width, height;
    double x0, x1, y0, y1;
};

/* The frame, its title above, and x_ticks (y_ticks) steps, 1 or more, between
 * labelled lines. */
void axes_draw(const struct axes *axes, int x_ticks, int y_ticks,
               const char *title);
/* axes_draw() without labels below. */
void axes_frame(const struct axes *axes, int y_ticks, const char *title);
/* Lines from point to point, x, y [count]; y is kept within the frame. */
void axes_curve(const struct axes *axes, const double *x, const double *y,
                int count, uint32_t color);

#endif
