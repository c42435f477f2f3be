/*
 * black_gray.h - finds the gray that is as light as black ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef COLOR_BLACK_GRAY_H
#define COLOR_BLACK_GRAY_H

#include "page/color/table.h"

/* Returns the darkest gray of sRGB, 0..255, of which the table, made by the
 * printer's profile, makes inks that are as light on paper as solid black ink
 * alone. 0 where nothing is darker than this, and where that is not known. */
unsigned color_black_gray(const struct color_table *table,
                          const struct profile *printer);

#endif
