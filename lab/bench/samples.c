/*
 * samples.c - a copy of a page's samples, and sharper ones, in memory of the
 * same size.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/samples.h"
#include "halftone/halftone.h"

#define SHARPNESS 2

struct moves {
    const uint8_t *samples; /* [CONTENT_ROWS][inks][PAGE_WIDTH] */
    uint32_t inks, rows;
    uint8_t to[]; /* as many, and the same for both */
};

static double copy_page(void *context)
{
    struct moves *moves = context;
    size_t row = (size_t)moves->inks * PAGE_WIDTH;
    double start = now();

    for (uint32_t y = 0; y < moves->rows; y++) {
        size_t at = y % CONTENT_ROWS * row;

        memcpy(moves->to + at, moves->samples + at, row);
    }
    return now() - start;
}

static double sharpen_page(void *context)
{
    struct moves *moves = context;
    size_t row = (size_t)moves->inks * PAGE_WIDTH;
    double start = now();

    for (uint32_t y = 0; y < moves->rows; y++)
        for (uint32_t ink = 0; ink < moves->inks; ink++) {
            uint32_t turn = y % CONTENT_ROWS;
            size_t at = turn * row + ink * PAGE_WIDTH;
            const uint8_t *from = moves->samples + at;

            ht_sharpen(turn > 0 ? from - row : NULL, from,
                       turn + 1 < CONTENT_ROWS ? from + row : NULL, 8,
                       PAGE_WIDTH, SHARPNESS, moves->to + at);
        }
    return now() - start;
}

struct moves *moves_enter(struct contest *contest, enum content content,
                          const uint8_t *samples, uint32_t inks, uint32_t rows,
                          double budget)
{
    static const struct {
        enum kind kind;
        const char *name, *method;
        double (*run)(void *context);
    } ways[] = {{PEER, "copy", "none", copy_page},
                {ENGINE, "ht_sharpen", "sharpness", sharpen_page}};
    size_t bytes = (size_t)CONTENT_ROWS * inks * PAGE_WIDTH;
    struct moves *moves = malloc(sizeof *moves + bytes);

    if (moves == NULL)
        return NULL;
    *moves = (struct moves){.samples = samples, .inks = inks, .rows = rows};
    memset(moves->to, 0, bytes);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct contender contender = {
            .result = {.kind = ways[i].kind,
                       .method = ways[i].method,
                       .content = content_names[content],
                       .inks = inks,
                       .threads = 1,
                       .pixels = (double)rows * inks * PAGE_WIDTH},
            .run = ways[i].run,
            .context = moves,
            .least = LEAST_RUNS,
            .budget = budget};

        snprintf(contender.result.name, sizeof contender.result.name, "%s",
                 ways[i].name);
        contest_add(contest, &contender);
    }
    return moves;
}
