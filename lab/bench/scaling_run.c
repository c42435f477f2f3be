/*
 * scaling_run.c - processes and engines, and how many CPUs they may use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/engines.h"
#include "lab/bench/filters.h"
#include "lab/bench/process.h"
#include "lab/bench/raster_file.h"
#include "lab/bench/scaling_run.h"

static const struct scaling_plan whole = {.pages = 10, .rounds = 5};
static const struct scaling_plan quick = {
    .pages = 3, .rounds = 3, .budget = 40, .gpu_budget = 10};

void scaling_begin(struct scaling *s, struct bench_report *report,
                   const char *folder)
{
    *s = (struct scaling){.report = report,
                          .plan = report->quick ? &quick : &whole};
    report->scaling.pages = s->plan->pages;
    snprintf(s->file, sizeof s->file, "%s/scaling.ras", folder);
}

uint8_t *scaling_make_pages(struct scaling *s, enum content content,
                            uint32_t inks, unsigned pages)
{
    uint8_t *samples = content_make(content, inks);

    if (samples != NULL && raster_file_write(s->file, samples, inks, pages))
        return samples;
    s->no_room = true;
    fprintf(stderr, "halftone-bench: %s: %s\n", s->file, strerror(errno));
    report_missing(s->report, "scaling", "no room for its pages");
    free(samples);
    return NULL;
}

/* Binds this process, and so those that it starts, to the first `cpus` of
 * `all`; 0 = to all of them. */
static void bind_to(const cpu_set_t *all, uint32_t cpus)
{
    cpu_set_t set = *all;

    for (size_t cpu = 0, kept = 0; cpus > 0 && cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, all) && kept++ >= cpus)
            CPU_CLR(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

bool scaling_run_filter(const struct scaling *s,
                        const struct scaling_case *what, struct spent *spent)
{
    static const char *const sets[OPTION_SETS] = {
        [NO_OPTIONS] = "HalftoneBlack=None HalftoneCurve=None",
        [PPD_OPTIONS] = OPTIONS_OF_PPDS,
        [SHARP_TEXT] = OPTIONS_OF_PPDS " HalftoneContent=TextAndGraphic"};
    cpu_set_t all;
    char options[192];
    const char *of_null[] = {"lab/bench/null-filter", NULL};
    const char *ours[] = {s->report->filter, "1", "user", "title", "1",
                          options,           NULL};
    const char *const *arguments =
        what->program == NULL_FILTER ? of_null : ours;

    size_t length = (size_t)snprintf(
        options, sizeof options, "HalftoneEngine=%s HalftoneSegments=%s %s",
        what->engine, what->unbroken ? "Off" : "On", sets[what->options]);
    if (what->threads > 0)
        snprintf(options + length, sizeof options - length,
                 " HalftoneThreads=%u", what->threads);
    bool ok = sched_getaffinity(0, sizeof all, &all) == 0;
    if (ok) {
        bind_to(&all, what->cpus);
        ok = process_run_many(arguments, s->file, what->jobs, spent);
        bind_to(&all, 0);
    }
    if (ok)
        return true;
    fprintf(stderr, "halftone-bench: %s failed\n", arguments[0]);
    return false;
}

static bool run_in_memory(const struct scaling *s,
                          const struct scaling_case *what, struct spent *spent)
{
    struct engine_page page = {.engine = "cpu",
                               .samples = s->samples,
                               .rows = PAGE_ROWS,
                               .dots = malloc(ENGINE_DOTS(what->inks))};
    double before = busy();

    if (page.dots == NULL) {
        fputs("halftone-bench: not enough memory\n", stderr);
        return false;
    }
    ht_page_init(&page.shape);
    page.shape.width = PAGE_WIDTH;
    page.shape.inks = what->inks;
    page.shape.band = ENGINE_BAND;
    page.shape.height = page.rows;
    page.shape.threads = what->threads;
    page.shape.lent = 2; /* as the filter does */
    if (what->unbroken)
        page.shape.segment = 0;
    *spent = (struct spent){.wall = engine_run_page(&page)};
    spent->cpu = busy() - before;
    free(page.dots);
    return spent->wall >= 0;
}

static bool run_once(const struct scaling *s, struct scaling_row *row)
{
    struct spent *spent = &row->run[row->runs++];

    if (row->what.program == IN_MEMORY)
        return run_in_memory(s, &row->what, spent);
    return scaling_run_filter(s, &row->what, spent);
}

bool scaling_run_rows(const struct scaling *s, unsigned first, double budget)
{
    struct scaling_rows *rows = &s->report->scaling;
    double from = now();

    for (unsigned done = 0; done < s->plan->rounds; done++) {
        double each = done > 0 ? (now() - from) / done : 0;

        if (budget > 0 && each * (done + 1) > budget)
            break;
        for (unsigned i = first; i < rows->count; i++)
            if (!run_once(s, &rows->row[i]))
                return false;
    }
    for (unsigned i = first; i < rows->count; i++)
        scaling_row_end(&rows->row[i]);
    for (unsigned i = first; i < rows->count; i++)
        scaling_row_print(rows, &rows->row[i]);
    return true;
}
