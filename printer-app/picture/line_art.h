/*
 * line_art.h - keeps the thin lines of a picture that was reduced and becomes
 * black and white.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PICTURE_LINE_ART_H
#define PRINTER_APP_PICTURE_LINE_ART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Makes lines that are too light for the cut to two levels as dark as their
 * color can be, a pixel wide.
 *
 *   pixels  [height][width][depth]; depth 1 = gray, 3 = red, green and blue,
 *           light: 255 = paper; 4 = C, M, Y and K: 0 = paper
 *
 * A line is a pixel darker than those on both sides, which has paper two pixels
 * away on each and goes on in the next row or column; with the pixels beside it
 * it has the ink of an eighth of a pixel at least. False without memory, and
 * the picture is as it was.
 */
bool line_art_keep(uint8_t *pixels, size_t width, size_t height, size_t depth);

#endif
