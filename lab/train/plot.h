/*
 * plot.h - functions that the figures share, and those for colors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_PLOT_H
#define TRAIN_PLOT_H

#include "lab/train/canvas.h"
#include "lab/train/printer.h"

#define PLOT_COLORS 12
extern const uint32_t plot_colors[PLOT_COLORS]; /* 0xRRGGBB */

/* A line of text at the right of the canvas, row 0 the first. */
void plot_legend(struct canvas *canvas, int row, const char *text,
                 uint32_t color);

/* The printer of an argument "4:TABLE" or "1:TABLE", and its table, which the
 * caller frees: NULL with a false result, after a complaint. */
bool plot_open_printer(struct printer *printer, ht_table_t **table,
                       const char *argument);

/* The name of such an argument's file without its folder and ending; `name`
 * holds `size` bytes. */
void plot_table_name(char *name, size_t size, const char *argument);

/* Grain of the nine mixtures with each of `count` printers, and of joint direct
 * binary search, into a PNG file. False after a complaint. */
bool plot_grain(const char *out, int count, char **argument);

/* Distance from Demichel's color along the gradient `name`, in the same way. */
bool plot_gradient(const char *out, const char *name, int count,
                   char **argument);

#endif
