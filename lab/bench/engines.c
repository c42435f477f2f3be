/*
 * engines.c - pages in bands of 64 rows, submitted and collected as the
 * filter does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/engines.h"
#include "halftone/halftone.h"

_Static_assert(CONTENT_ROWS % ENGINE_BAND == 0,
               "a band is one piece of the content");

static const struct {
    ht_method_t method;
    const char *name;
    uint32_t segment;
} methods[] = {{HT_TDFED4, "tdfed4", HT_DEFAULT_SEGMENT},
               {HT_TDFED4, "tdfed4-unbroken", 0},
               {HT_TDFED1, "tdfed1", HT_DEFAULT_SEGMENT},
               {HT_FLOYD_STEINBERG, "fs", 0},
               {HT_THRESHOLD, "threshold", 0},
               {HT_SCREEN, "screen", 0}};

#define METHODS (sizeof methods / sizeof methods[0])

struct engines {
    struct engine_page page[MAX_CONTENDERS];
    unsigned pages;
    uint8_t dots[]; /* the same for all */
};

bool engine_can_do(const struct engine_page *page)
{
    ht_engine_t *engine = NULL;
    ht_status_t status = ht_engine_open(&engine, page->engine, &page->shape);

    ht_engine_close(engine);
    return status != HT_ERR_ENGINE;
}

static ht_status_t collect(ht_engine_t *engine, const struct engine_page *page,
                           size_t rows)
{
    size_t most = page->shape.lent > 0 ? ENGINE_BAND : rows;

    return ht_engine_collect(engine, page->dots, rows < most ? rows : most);
}

/* Submits rows and collects all that are ready; of a page with lent bands only
 * those that are done, or need to go for the rows to have room. */
static ht_status_t submit(ht_engine_t *engine, const struct engine_page *page,
                          const uint8_t *samples, uint32_t rows)
{
    bool lent = page->shape.lent > 0;
    ht_status_t status = HT_OK;

    while (status == HT_OK && lent && ht_engine_room(engine) < rows)
        status = collect(engine, page, ht_engine_ready(engine));
    if (status == HT_OK)
        status = ht_engine_submit(engine, samples, NULL, rows);
    if (status == HT_OK)
        status =
            collect(engine, page,
                    lent ? ht_engine_done(engine) : ht_engine_ready(engine));
    return status;
}

double engine_run_page(void *context)
{
    const struct engine_page *page = context;
    size_t row_bytes =
        (size_t)page->shape.inks * page->shape.width * (page->shape.bits / 8);
    ht_engine_t *engine = NULL;
    double start = now();
    ht_status_t status = ht_engine_open(&engine, page->engine, &page->shape);

    for (uint32_t y = 0; status == HT_OK && y < page->rows; y += ENGINE_BAND) {
        uint32_t left = page->rows - y;
        double begin = now();

        status =
            submit(engine, page, page->samples + y % CONTENT_ROWS * row_bytes,
                   left < ENGINE_BAND ? left : ENGINE_BAND);
        if (page->seconds != NULL)
            page->seconds[y / ENGINE_BAND] = now() - begin;
    }
    if (status == HT_OK)
        status = ht_engine_end(engine);
    while (status == HT_OK && ht_engine_ready(engine) > 0)
        status = collect(engine, page, ht_engine_ready(engine));
    ht_engine_close(engine);
    if (status == HT_OK)
        return now() - start;
    fprintf(stderr, "halftone-bench: %s: %s\n", page->engine,
            ht_status_text(status));
    return -1;
}

/* Its page, in `engines`. */
static void enter(struct contest *contest, struct engines *engines,
                  const struct engine_page *page, const char *method,
                  const char *content, double budget)
{
    struct engine_page *own = &engines->page[engines->pages++];
    struct contender contender = {
        .result = {.kind = ENGINE,
                   .method = method,
                   .content = content,
                   .inks = page->shape.inks,
                   .threads = page->shape.threads,
                   .pixels =
                       (double)page->rows * PAGE_WIDTH * page->shape.inks},
        .run = engine_run_page,
        .context = own,
        .least = LEAST_RUNS,
        .budget = budget};

    *own = *page;
    snprintf(contender.result.name, sizeof contender.result.name, "%s",
             page->engine);
    contest_add(contest, &contender);
}

struct engines *engines_enter(struct contest *contest, enum content content,
                              const uint8_t *samples, uint32_t inks,
                              uint32_t rows, uint32_t cpus, double budget)
{
    const char *reference = ht_engine_names()[0];
    size_t dots = ENGINE_DOTS(inks);
    struct engines *engines = calloc(1, sizeof *engines + dots);

    for (size_t m = 0; engines != NULL && m < METHODS; m++)
        for (const char *const *e = ht_engine_names(); *e; e++) {
            bool slow = strcmp(*e, reference) == 0;
            bool spreads = !slow && cpus > 1 && content <= SHARP;
            struct engine_page page = {.engine = *e,
                                       .shape = {.method = methods[m].method,
                                                 .width = PAGE_WIDTH,
                                                 .inks = inks,
                                                 .bits = 8,
                                                 .segment = methods[m].segment,
                                                 .band = ENGINE_BAND,
                                                 .threads = 1},
                                       .samples = samples,
                                       .rows = rows,
                                       .dots = engines->dots};

            if ((slow && content != PHOTO) || !engine_can_do(&page))
                continue;
            enter(contest, engines, &page, methods[m].name,
                  content_names[content], budget);
            page.shape.threads = cpus;
            if (spreads)
                enter(contest, engines, &page, methods[m].name,
                      content_names[content], budget);
        }
    return engines;
}
