/*
 * round_dots.c - the look of round dots that are larger than their pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "lab/train/round_dots.h"

#define SIDE 8 /* parts of a pixel, across and down: 64 bits */
#define PARTS (SIDE * SIDE)
#define RADIUS 0.65 /* pixels */
#define REACH 2     /* pixels that a dot may lie away */
#define AROUND (2 * REACH + 1)
#define SIZES 4   /* none among them */
#define MAGENTA 2 /* the ink's number */

/* Parts of a pixel that the dots of pixels around it cover, for each size, a
 * bit a part. */
struct cover {
    uint64_t parts[SIZES][AROUND][AROUND];
};

static void cover_of(struct cover *cover, int size, double area,
                     const struct misregister *moved)
{
    for (int row = 0; row < AROUND; row++)
        for (int column = 0; column < AROUND; column++)
            for (int part = 0; part < PARTS; part++) {
                const int across = part % SIDE, along = part / SIDE;
                double x = (across + 0.5) / SIDE -
                           (column - REACH + 0.5 + moved->right),
                       y = (along + 0.5) / SIDE -
                           (row - REACH + 0.5 + moved->down);

                if (area > 0 && hypot(x, y) <= RADIUS * sqrt(area))
                    cover->parts[size][row][column] |= UINT64_C(1) << part;
            }
}

/* Returns the parts of a pixel that an ink covers. */
static uint64_t covered(const struct cover *cover, const struct plane *drops,
                        int x, int y)
{
    uint64_t parts = 0;

    for (int row = 0; row < AROUND; row++)
        for (int column = 0; column < AROUND; column++) {
            int i = (y + row - REACH + drops->height) % drops->height;
            int j = (x + column - REACH + drops->width) % drops->width;

            parts |=
                cover->parts[drops->value[i * drops->width + j]][row][column];
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

struct colors round_dots(const struct plane *drops, const double *area,
                         const struct misregister *moved)
{
    const struct misregister none = {0, 0};
    struct colors colors = colors_of_drops(drops, area);
    struct cover still = {{{{0}}}}, away = still;

    for (int size = 0; size < SIZES; size++) {
        cover_of(&still, size, area[size], &none);
        cover_of(&away, size, area[size], moved);
    }
    for (int i = 0; i < colors.width * colors.height; i++) {
        uint64_t parts[COLOR_INKS];
        double xyz[3] = {0};

        for (int ink = 0; ink < COLOR_INKS; ink++)
            parts[ink] = covered(ink == MAGENTA ? &away : &still, &drops[ink],
                                 i % colors.width, i / colors.width);
        for (int primary = 0; primary < 1 << COLOR_INKS; primary++) {
            double share =
                __builtin_popcountll(parts_of(parts, primary)) / (double)PARTS;

            for (int c = 0; c < 3; c++)
                xyz[c] += share * color_primaries[primary][c];
        }
        for (int c = 0; c < 3; c++)
            colors.plane[c][i] = xyz[c];
    }
    return colors;
}
