/*
 * line_art.c - a window of five rows goes down the picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "printer-app/picture/line_art.h"

#define ROWS 5
#define BESIDE 2     /* pixels of paper on each side of the window's rows */
#define CUT 110      /* darkness, of 255, from which gray becomes black: 43 % */
#define LEAST_INK 32 /* of a line, with the pixels beside it */

/* Darkness before any change, of 255; 0 outside of the picture. */
struct line_window {
    uint8_t *bytes;
    const uint8_t *row[ROWS]; /* row[2] is the one that is looked at */
};

static uint8_t darkness(const uint8_t *pixel, size_t depth)
{
    const unsigned of_three =
        depth == 1 ? pixel[0] : (2 * pixel[0] + 5 * pixel[1] + pixel[2]) / 8;
    const unsigned inks = depth == 4 ? of_three + pixel[3] : 255 - of_three;

    return (uint8_t)(inks > 255 ? 255 : inks);
}

/* Fills in a row of the window, bare paper if there is no such row. */
static void fill(uint8_t *row, const uint8_t *pixels, size_t width,
                 size_t depth)
{
    memset(row, 0, width + 2 * BESIDE);
    for (size_t x = 0; pixels != NULL && x < width; x++)
        row[BESIDE + x] = darkness(pixels + x * depth, depth);
}

/* Whether the third of five pixels is on a line across them. */
static bool is_line(const uint8_t at[5])
{
    const unsigned here = at[2];

    return here > at[1] && here >= at[3] && at[1] < CUT && at[3] < CUT &&
           at[1] + here + at[3] >= LEAST_INK && 2u * at[0] <= here &&
           2u * at[4] <= here;
}

static bool is_dark(unsigned here, uint8_t a, uint8_t b, uint8_t c)
{
    return 2u * a >= here || 2u * b >= here || 2u * c >= here;
}

/* Whether a line that would be lost goes through pixel `x` of the window. */
static bool is_lost(const struct line_window *window, size_t x)
{
    const uint8_t *const *row = window->row;
    const uint8_t *up = row[1] + x, *here = row[2] + x, *down = row[3] + x;
    const uint8_t across[5] = {here[-2], here[-1], here[0], here[1], here[2]};
    const uint8_t along[5] = {row[0][x], up[0], here[0], down[0], row[4][x]};

    if (here[0] == 0 || here[0] >= CUT)
        return false;
    return (is_line(across) &&
            (is_dark(here[0], up[-1], up[0], up[1]) ||
             is_dark(here[0], down[-1], down[0], down[1]))) ||
           (is_line(along) && (is_dark(here[0], up[-1], here[-1], down[-1]) ||
                               is_dark(here[0], up[1], here[1], down[1])));
}

/* Makes a pixel as dark as its color can be. */
static void darken(uint8_t *pixel, size_t depth)
{
    const uint8_t paper = depth == 4 ? 0 : 255;
    unsigned most = 0;

    for (size_t c = 0; c < depth; c++)
        if ((pixel[c] ^ paper) > most)
            most = pixel[c] ^ paper;
    for (size_t c = 0; c < depth; c++)
        pixel[c] = (uint8_t)((pixel[c] ^ paper) * 255u / most) ^ paper;
}

bool line_art_keep(uint8_t *pixels, size_t width, size_t height, size_t depth)
{
    const size_t stride = width + 2 * BESIDE;
    struct line_window window = {.bytes = calloc(ROWS, stride)};

    if (window.bytes == NULL)
        return false;
    for (size_t y = 0; y < height + BESIDE; y++) {
        fill(window.bytes + y % ROWS * stride,
             y < height ? pixels + y * width * depth : NULL, width, depth);
        for (size_t i = 0; i < ROWS; i++)
            window.row[i] = window.bytes + (y + 1 + i) % ROWS * stride + BESIDE;
        for (size_t x = 0; y >= BESIDE && x < width; x++)
            if (is_lost(&window, x))
                darken(pixels + ((y - BESIDE) * width + x) * depth, depth);
    }
    free(window.bytes);
    return true;
}
