/*
 * escp2_dots.c - planes of drop codes of a job in ESC/P2, by Gutenprint's own
 * decoder, test/unprint.c of its source, which is included here.
 *
 *   escp2_dots ACROSS DOWN APART... <job >planes
 *
 * ACROSS and DOWN are the page's dpi, APART what the nozzles of the head are,
 * in 1/360 inch: what a pass says holds if it is one of these, else the first
 * does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdbool.h>

static int rows_apart(int units_of_3600);
static void set_units(void);
static int step_of(int units);

#define main unprint_main
#include "unprint.c"
#undef main

#include "planes.h"

#define SECOND 16 /* second nozzles of K, M, C and Y follow there */
#define THIRD 13  /* third ones of K, by an edit of build.sh */

static const char *const names[SECOND] = {"K",  "M",   "C",  "Y",  "LM",
                                          "LC", "LK",  "DY", "R",  "B",
                                          "GL", "LLK", "O",  NULL, "G"};

static int dpi[2], apart[8], aparts;

static int rows_apart(int units_of_3600)
{
    int i = 0;

    while (i < aparts && apart[i] * 10 != units_of_3600)
        i++;
    return (i < aparts || aparts == 0 ? units_of_3600 : apart[0] * 10) *
           pstate.absolute_vertical_units / 3600;
}

/* Counts in dots across where the printer's unit is larger. */
static void set_units(void)
{
    if (pstate.relative_horizontal_units < dpi[0])
        pstate.relative_horizontal_units = dpi[0];
}

/* A step across says its own unit. */
static int step_of(int units)
{
    const int unit = buf[1] << 8 | buf[0];

    return unit == 0 ? units
                     : (short)units * pstate.relative_horizontal_units / unit;
}

static bool has(int ink)
{
    for (int y = pstate.top_edge; y <= pstate.bottom_edge; y++)
        if (page[y] != NULL && page[y]->line[ink] != NULL)
            return true;
    return false;
}

/* Adds a row of the page: a dot that is printed twice has both codes' sum. */
static void add_line(int y, int ink, unsigned char *dots)
{
    const line_type *line =
        y < pstate.top_edge || y > pstate.bottom_edge ? NULL : page[y];

    if (line == NULL || line->line[ink] == NULL)
        return;
    for (int x = line->startx[ink]; x <= line->stopx[ink]; x++)
        dots[x - pstate.left_edge] +=
            (unsigned char)get_bits(line->line[ink], x - line->startx[ink]);
}

/* Nozzles that an ink has in several chips lie between those of the first. */
static void put_plane(int ink)
{
    const int all[] = {ink, ink + SECOND, THIRD};
    int chips[3], count = 0;

    for (int i = 0; i < (ink == 0 ? 3 : ink < 4 ? 2 : 1); i++)
        if (has(all[i]))
            chips[count++] = all[i];
    if (count == 0)
        return;
    const int step = pstate.nozzle_separation / count;
    const int width = pstate.right_edge - pstate.left_edge + 1;
    const int height =
        pstate.bottom_edge - pstate.top_edge + 1 + step * (count - 1);
    unsigned char *dots = calloc((size_t)width, (size_t)height);

    for (int y = 0; y < height; y++)
        for (int i = 0; i < count; i++)
            add_line(pstate.top_edge + y - i * step, chips[i],
                     dots + (size_t)y * (size_t)width);
    planes_put(names[ink], pstate.left_edge,
               pstate.top_edge + pstate.top_margin,
               pstate.relative_horizontal_units, pstate.absolute_vertical_units,
               width, height, dots);
    free(dots);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 2; i++)
        if (argc < 3 || (dpi[i] = atoi(argv[1 + i])) <= 0)
            return 1;
    while (aparts < 8 && 3 + aparts < argc) {
        apart[aparts] = atoi(argv[3 + aparts]);
        aparts++;
    }
    valid_bufsize = 1 << 16;
    buf = malloc(valid_bufsize);
    pstate.nozzle_separation = 6;
    pstate.extraskip = 1;
    parse_escp2(stdin);
    if (page != NULL && pstate.right_edge >= pstate.left_edge)
        for (int ink = 0; ink < SECOND; ink++)
            if (names[ink] != NULL)
                put_plane(ink);
    return 0;
}
