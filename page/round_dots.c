/*
 * round_dots.c - round dots that overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "page/round_dots.h"

#define WIDE_SIDE (3 * ROUND_SIDE) /* parts of a pixel and those around it */
#define WIDE_PARTS (WIDE_SIDE * WIDE_SIDE)
#define FARTHEST (2 * WIDE_SIDE * WIDE_SIDE)

const double round_diameters[COLOR_INKS] = {1.415, 1.515, 1.445, 1.435};

/* `reached` has the neighbours whose dot covers a part. */
static void fill_sets(struct round_dots *dots,
                      const unsigned reached[ROUND_PARTS])
{
    memset(dots, 0, sizeof *dots);
    for (int part = 0; part < ROUND_PARTS; part++)
        for (unsigned set = 0; set < 1 << ROUND_NEIGHBOURS; set++)
            if (set & reached[part])
                dots->parts[set][part / 64] |= UINT64_C(1) << part % 64;
}

void round_dots_init(struct round_dots *dots, double diameter, double right,
                     double down)
{
    unsigned reached[ROUND_PARTS] = {0};

    for (int part = 0; part < ROUND_PARTS; part++) {
        const int column = part % ROUND_SIDE, row = part / ROUND_SIDE;
        double x = (column + 0.5) / ROUND_SIDE - 0.5 - right;
        double y = (row + 0.5) / ROUND_SIDE - 0.5 - down;

        for (int n = 0; n < ROUND_NEIGHBOURS; n++) {
            const int across = n % 3 - 1, along = n / 3 - 1;

            if (hypot(x - across, y - along) <= diameter / 2)
                reached[part] |= 1u << n;
        }
    }
    fill_sets(dots, reached);
}

/* The square of a part's distance from the middle, in halves of a part; parts
 * are those of 3 x 3 pixels. */
static int distance_of(int part)
{
    const int x = 2 * (part % WIDE_SIDE) + 1 - WIDE_SIDE;
    const int y = 2 * (part / WIDE_SIDE) + 1 - WIDE_SIDE;

    return x * x + y * y;
}

/* Marks the parts nearest to the middle: `share` of those that a dot of
 * `diameter` pixels covers. */
static void mark_drop(bool covers[WIDE_PARTS], double diameter, double share)
{
    const double far = diameter * ROUND_SIDE * diameter * ROUND_SIDE;
    int at[FARTHEST + 1] = {0}, whole = 0, ring = 0;

    for (int part = 0; part < WIDE_PARTS; part++) {
        at[distance_of(part)]++;
        whole += distance_of(part) <= far;
    }
    int left = (int)(share * whole + 0.5);
    while (ring < FARTHEST && at[ring] <= left)
        left -= at[ring++];
    for (int part = 0; part < WIDE_PARTS; part++) {
        const int distance = distance_of(part);

        covers[part] = distance < ring || (distance == ring && left-- > 0);
    }
}

void round_drops_init(struct round_dots *dots, double diameter, double share)
{
    unsigned reached[ROUND_PARTS] = {0};
    bool covers[WIDE_PARTS];

    mark_drop(covers, diameter, share);
    for (int part = 0; part < WIDE_PARTS; part++) {
        const int column = part % WIDE_SIDE, row = part / WIDE_SIDE;
        const int right = column / ROUND_SIDE, down = row / ROUND_SIDE;

        /* A part right of a drop belongs to the left neighbour of the pixel. */
        if (covers[part])
            reached[row % ROUND_SIDE * ROUND_SIDE + column % ROUND_SIDE] |=
                1u << (3 * (2 - down) + 2 - right);
    }
    fill_sets(dots, reached);
}

double round_dots_area(const struct round_dots *dots, unsigned set)
{
    int covered = 0;

    for (int word = 0; word < ROUND_WORDS; word++)
        covered += __builtin_popcountll(dots->parts[set][word]);
    return (double)covered / ROUND_PARTS;
}

void round_dots_cover(const struct round_dots *dots, unsigned set,
                      uint64_t parts[ROUND_WORDS])
{
    for (int word = 0; word < ROUND_WORDS; word++)
        parts[word] |= dots->parts[set][word];
}

void round_parts_shares(const uint64_t parts[COLOR_INKS][ROUND_WORDS],
                        double share[COLOR_PRIMARIES])
{
    int count[COLOR_PRIMARIES] = {0};

    for (int word = 0; word < ROUND_WORDS; word++) {
        uint64_t alike[COLOR_PRIMARIES] = {~UINT64_C(0)};

        for (int ink = 0; ink < COLOR_INKS; ink++)
            for (int i = 0; i < 1 << ink; i++) {
                alike[i | 1 << ink] = alike[i] & parts[ink][word];
                alike[i] &= ~parts[ink][word];
            }
        for (int i = 0; i < COLOR_PRIMARIES; i++)
            count[i] += __builtin_popcountll(alike[i]);
    }
    for (int i = 0; i < COLOR_PRIMARIES; i++)
        share[i] = (double)count[i] / ROUND_PARTS;
}

void round_dots_shares(const struct round_dots dots[COLOR_INKS],
                       const unsigned sets[COLOR_INKS],
                       double share[COLOR_PRIMARIES])
{
    uint64_t parts[COLOR_INKS][ROUND_WORDS] = {{0}};

    for (int ink = 0; ink < COLOR_INKS; ink++)
        round_dots_cover(&dots[ink], sets[ink], parts[ink]);
    round_parts_shares((const uint64_t(*)[ROUND_WORDS])parts, share);
}
