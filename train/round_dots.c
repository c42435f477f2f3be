/*
 * round_dots.c - what round dots look like that are larger than their pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "train/round_dots.h"

#define SIDE 8 /* parts of a pixel, across and down: 64 bits */
#define PARTS (SIDE * SIDE)
#define RADIUS 0.65 /* pixels */
#define REACH 2     /* pixels that a dot may lie away */
#define AROUND (2 * REACH + 1)
#define MAGENTA 2 /* the ink's number */

/* Which parts of a pixel the dots of pixels around it cover, a bit a part. */
struct cover {
    uint64_t parts[AROUND][AROUND];
};

static struct cover cover_of(double right, double down)
{
    struct cover cover = {0};

    for (int row = 0; row < AROUND; row++)
        for (int column = 0; column < AROUND; column++)
            for (int part = 0; part < PARTS; part++) {
                const int across = part % SIDE, along = part / SIDE;
                double x = (across + 0.5) / SIDE -
                           (column - REACH + 0.5 + right),
                       y = (along + 0.5) / SIDE - (row - REACH + 0.5 + down);

                if (hypot(x, y) <= RADIUS)
                    cover.parts[row][column] |= UINT64_C(1) << part;
            }
    return cover;
}

/* Which parts of a pixel an ink covers. */
static uint64_t covered(const struct cover *cover, const struct plane *dots,
                        int x, int y)
{
    uint64_t parts = 0;

    for (int row = 0; row < AROUND; row++)
        for (int column = 0; column < AROUND; column++) {
            int i = (y + row - REACH + dots->height) % dots->height;
            int j = (x + column - REACH + dots->width) % dots->width;

            if (cover->parts[row][column] != 0 &&
                dots->value[i * dots->width + j] != 0)
                parts |= cover->parts[row][column];
        }
    return parts;
}

/* The parts of a pixel that have just the inks of a primary, of `parts`
 * [COLOR_INKS] with each. */
static uint64_t parts_of(const uint64_t *parts, int primary)
{
    uint64_t alike = ~UINT64_C(0);

    for (int ink = 0; ink < COLOR_INKS; ink++)
        alike &= primary >> ink & 1 ? parts[ink] : ~parts[ink];
    return alike;
}

struct colors round_dots(const struct plane *dots,
                         const struct misregister *moved)
{
    struct colors colors = colors_of_dots(dots);
    const struct cover still = cover_of(0, 0),
                       away = cover_of(moved->right, moved->down);

    for (int i = 0; i < colors.width * colors.height; i++) {
        uint64_t parts[COLOR_INKS];
        double xyz[3] = {0};

        for (int ink = 0; ink < COLOR_INKS; ink++)
            parts[ink] = covered(ink == MAGENTA ? &away : &still, &dots[ink],
                                 i % colors.width, i / colors.width);
        for (int primary = 0; primary < 1 << COLOR_INKS; primary++) {
            double area =
                __builtin_popcountll(parts_of(parts, primary)) / (double)PARTS;

            for (int c = 0; c < 3; c++)
                xyz[c] += area * color_primaries[primary][c];
        }
        for (int c = 0; c < 3; c++)
            colors.plane[c][i] = xyz[c];
    }
    return colors;
}
