/*
 * escp2_dots.c - planes of drop codes of a job in ESC/P2, by Gutenprint's own
 * decoder, test/unprint.c of its source, which is included here.
 *
 *   escp2_dots <job >planes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define main unprint_main
#include "unprint.c"
#undef main

#include "planes.h"

#define SECOND 16 /* the second nozzles of K, M, C and Y follow there */

static const char *const names[SECOND] = {"K", "M", "C",  "Y",   "LM",
                                          "LC", "LK", "DY", "R",   "B",
                                          "GL", "LLK", "O"};

static void add_line(const line_type *line, int ink, unsigned char *dots)
{
    if (line == NULL || line->line[ink] == NULL)
        return;
    for (int x = line->startx[ink]; x <= line->stopx[ink]; x++)
        dots[x - pstate.left_edge] += (unsigned char)get_bits(
            line->line[ink], x - line->startx[ink]);
}

/* A dot that is printed twice has both codes' sum. */
static void put_plane(int ink)
{
    const int width = pstate.right_edge - pstate.left_edge + 1;
    const int height = pstate.bottom_edge - pstate.top_edge + 1;
    unsigned char *dots = calloc((size_t)width, (size_t)height);

    for (int y = 0; y < height; y++) {
        unsigned char *row = dots + (size_t)y * (size_t)width;

        add_line(page[pstate.top_edge + y], ink, row);
        if (ink + SECOND < MAX_INKS)
            add_line(page[pstate.top_edge + y], ink + SECOND, row);
    }
    planes_put(names[ink], pstate.left_edge,
               pstate.top_edge + pstate.top_margin,
               pstate.relative_horizontal_units,
               pstate.absolute_vertical_units, width, height, dots);
    free(dots);
}

int main(void)
{
    valid_bufsize = 1 << 16;
    buf = malloc(valid_bufsize);
    pstate.nozzle_separation = 6;
    pstate.extraskip = 1;
    parse_escp2(stdin);
    if (page != NULL && pstate.right_edge >= pstate.left_edge)
        for (int ink = 0; ink < SECOND && names[ink] != NULL; ink++)
            put_plane(ink);
    return 0;
}
