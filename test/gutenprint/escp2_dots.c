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

static const char *const names[MAX_INKS] = {
    "K",  "M",   "C", "Y", "LM", "LC", "LK", "DY", "R", "B",
    "GL", "LLK", "O", "?", "?",  "?",  "K",  "M",  "C", "Y"};

static void put_plane(int ink)
{
    const int width = pstate.right_edge - pstate.left_edge + 1;
    const int height = pstate.bottom_edge - pstate.top_edge + 1;
    unsigned char *dots = calloc((size_t)width, (size_t)height);

    for (int y = 0; y < height; y++) {
        const line_type *line = page[pstate.top_edge + y];

        if (line == NULL || line->line[ink] == NULL)
            continue;
        for (int x = line->startx[ink]; x <= line->stopx[ink]; x++)
            dots[(size_t)y * (size_t)width +
                 (size_t)(x - pstate.left_edge)] =
                (unsigned char)get_bits(line->line[ink],
                                        x - line->startx[ink]);
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
        for (int ink = 0; ink < MAX_INKS; ink++)
            for (int y = pstate.top_edge; y <= pstate.bottom_edge; y++)
                if (page[y] != NULL && page[y]->line[ink] != NULL) {
                    put_plane(ink);
                    break;
                }
    return 0;
}
