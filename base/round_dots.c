/*
 * round_dots.c - round dots that overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/round_dots.h"

const double round_diameters[COLOR_INKS] = {1.415, 1.515, 1.445, 1.435};

void round_dots_init(struct round_dots *dots, double diameter, double right,
                     double down)
{
    memset(dots, 0, sizeof *dots);
    for (int part = 0; part < ROUND_PARTS; part++) {
        const int column = part % ROUND_SIDE, row = part / ROUND_SIDE;
        double x = (column + 0.5) / ROUND_SIDE - 0.5 - right;
        double y = (row + 0.5) / ROUND_SIDE - 0.5 - down;
        unsigned reached = 0;

        for (int n = 0; n < ROUND_NEIGHBOURS; n++)
            if (hypot(x - (n % 3 - 1), y - (n / 3 - 1)) <= diameter / 2)
                reached |= 1u << n;
        for (unsigned set = 0; set < 1 << ROUND_NEIGHBOURS; set++)
            if (set & reached)
                dots->parts[set][part / 64] |= UINT64_C(1) << part % 64;
    }
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
