/*
 * round_dots.c - the look of round dots that are larger than their pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lab/train/round_dots.h"

#define SIDE 8 /* parts of a pixel, across and down: 64 bits */
#define PARTS (SIDE * SIDE)
#define REACH 2 /* pixels that a dot may lie away */
#define AROUND (2 * REACH + 1)
#define SIZES ((int)HT_MAX_LEVELS) /* none among them */
#define MAGENTA 2                  /* the ink's number */

const struct look look_round = {.diameter = ROUND_DIAMETER}, look_square = {0};

/* Parts of a pixel that the dots of pixels around it cover, for each size, a
 * bit a part; of the neighbours whose dots reach the pixel. */
struct reach {
    int count;
    struct {
        int right, down;
        uint64_t parts[SIZES];
    } from[AROUND * AROUND];
};

/* Tells whether a dot covers a point at x, y pixels from its middle. */
static bool covers(const struct look *look, double area, double x, double y)
{
    const double aspect = look->aspect > 0 ? look->aspect : 1;
    const double radius = look->diameter / 2 * sqrt((1 + aspect * aspect) / 2);

    if (look->diameter > 0)
        return area > 0 && hypot(x, y * aspect) <= radius * sqrt(area);
    return fmax(fabs(x), fabs(y)) < sqrt(area) / 2;
}

static struct reach reach_of(const double *area, const struct look *look,
                             double moved)
{
    struct reach reach = {.count = 0};

    for (int n = 0; n < AROUND * AROUND; n++) {
        const int right = n % AROUND - REACH, down = n / AROUND - REACH;
        uint64_t all = 0, parts[SIZES] = {0};

        for (int i = 0; i < SIZES * PARTS; i++) {
            const int size = i / PARTS, part = i % PARTS;
            double x = (part % SIDE + 0.5) / SIDE -
                       (right + 0.5 + moved * look->right),
                   y = (part / SIDE + 0.5) / SIDE -
                       (down + 0.5 + moved * look->down);

            if (covers(look, area[size], x, y))
                parts[size] |= UINT64_C(1) << part;
            all |= parts[size];
        }
        if (all != 0) {
            reach.from[reach.count].right = right;
            reach.from[reach.count].down = down;
            memcpy(reach.from[reach.count++].parts, parts, sizeof parts);
        }
    }
    return reach;
}

/* Writes the parts of each pixel of a row that an ink covers. */
static void cover_row(uint64_t *parts, const struct reach *reach,
                      const struct plane *drops, int y)
{
    int width = drops->width, height = drops->height;

    memset(parts, 0, (size_t)width * sizeof *parts);
    for (int n = 0; n < reach->count; n++) {
        const int right = reach->from[n].right,
                  row = (y + reach->from[n].down + height) % height;
        const uint8_t *from = drops->value + row * width;

        for (int x = 0; x < width; x++) {
            const int column = x + right;

            parts[x] |=
                reach->from[n].parts[from[column < 0       ? column + width
                                          : column < width ? column
                                                           : column - width]];
        }
    }
}

/* Adds the mean color of a pixel whose inks cover `parts`: each divides the
 * pieces that those before it made. */
static void add_color(const struct round_inks *inks, const uint64_t *parts,
                      double xyz[3])
{
    uint64_t piece[PARTS] = {~UINT64_C(0)};
    int set[PARTS] = {0}, count = 1;

    for (int ink = 0; ink < inks->count; ink++)
        for (int i = count - 1; i >= 0 && parts[ink] != 0; i--) {
            const uint64_t met = piece[i] & parts[ink];

            if (met == piece[i]) {
                set[i] |= 1 << ink;
            } else if (met != 0) {
                piece[i] &= ~met;
                piece[count] = met;
                set[count++] = set[i] | 1 << ink;
            }
        }
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            xyz[c] += __builtin_popcountll(piece[i]) / (double)PARTS *
                      inks->primary[set[i]][c];
}

struct colors round_dots_of(const struct round_inks *inks,
                            const struct plane *drops, const double *area,
                            const struct look *look)
{
    struct colors colors = colors_new(drops->width, drops->height);
    const int width = colors.width;
    struct reach *reach = train_alloc((size_t)inks->count, sizeof *reach);
    uint64_t *row[ROUND_INKS];

    for (int ink = 0; ink < inks->count; ink++) {
        struct look own = *look;

        own.diameter = inks->diameter[ink];
        reach[ink] = reach_of(area, &own, inks->moved >> ink & 1);
        row[ink] = train_alloc((size_t)width, sizeof *row[ink]);
    }
    for (int y = 0; y < colors.height; y++) {
        for (int ink = 0; ink < inks->count; ink++)
            cover_row(row[ink], &reach[ink], &drops[ink], y);
        for (int x = 0; x < width; x++) {
            uint64_t parts[ROUND_INKS];
            double xyz[3] = {0};

            for (int ink = 0; ink < inks->count; ink++)
                parts[ink] = row[ink][x];
            add_color(inks, parts, xyz);
            for (int c = 0; c < 3; c++)
                colors.plane[c][y * width + x] = xyz[c];
        }
    }
    for (int ink = 0; ink < inks->count; ink++)
        free(row[ink]);
    free(reach);
    return colors;
}

struct colors round_dots(const struct plane *drops, const double *area,
                         const struct look *look)
{
    double primary[COLOR_PRIMARIES][3];
    const double d = look->diameter;
    const struct round_inks inks = {.count = COLOR_INKS,
                                    .primary = primary,
                                    .diameter = {d, d, d, d},
                                    .moved = 1 << MAGENTA};

    if (d == 0 && look->right == 0 && look->down == 0)
        return colors_of_drops(drops, area);
    memcpy(primary, color_primaries, sizeof primary);
    return round_dots_of(&inks, drops, area, look);
}
