/*
 * filters.c - whole processes that read the same file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lab/bench/contest.h"
#include "lab/bench/filters.h"
#include "lab/bench/process.h"
#include "lab/bench/raster_file.h"

#define INKS 4u

struct filter {
    const char *arguments[7];
    const char *file;
};

static double run_filter(void *context)
{
    const struct filter *filter = context;
    double seconds = process_run(filter->arguments, filter->file);

    if (seconds < 0)
        fprintf(stderr, "halftone-bench: %s failed\n", filter->arguments[0]);
    return seconds;
}

static void enter(struct contest *contest, struct filter *filter,
                  const char *name, const char *method, enum content content,
                  unsigned pages, uint32_t threads, unsigned rounds)
{
    struct contender contender = {
        .result = {.kind = PROGRAM,
                   .method = method,
                   .content = content_names[content],
                   .inks = INKS,
                   .threads = threads,
                   .pixels = (double)pages * PAGE_ROWS * PAGE_WIDTH * INKS},
        .run = run_filter,
        .context = filter,
        .least = rounds};

    snprintf(contender.result.name, sizeof contender.result.name, "%s", name);
    contest_add(contest, &contender);
}

static bool measure_file(struct bench_report *report, const char *file,
                         enum content content, unsigned pages, uint32_t cpus,
                         unsigned rounds)
{
    static struct contest contest;
    char all[128];
    struct filter filters[] = {
        {{"lab/bench/null-filter"}, file},
        {{report->filter, "1", "user", "title", "1",
          OPTIONS_OF_PPDS " HalftoneEngine=CPU HalftoneThreads=1"},
         file},
        {{report->filter, "1", "user", "title", "1", all}, file},
    };

    snprintf(all, sizeof all,
             OPTIONS_OF_PPDS " HalftoneEngine=CPU HalftoneThreads=%u", cpus);
    contest = (struct contest){.count = 0};
    enter(&contest, &filters[0], "null-filter", "none", content, pages, 1,
          rounds);
    enter(&contest, &filters[1], "rastertohalftone", "tdfed4", content, pages,
          1, rounds);
    if (cpus > 1)
        enter(&contest, &filters[2], "rastertohalftone", "tdfed4", content,
              pages, cpus, rounds);
    return contest_run(&contest, report);
}

bool filters_measure(struct bench_report *report, const char *folder,
                     enum content content, const uint8_t *samples,
                     unsigned pages, uint32_t cpus, unsigned rounds)
{
    char file[512];
    bool ok;

    snprintf(file, sizeof file, "%s/%s.ras", folder, content_names[content]);
    if (!raster_file_write(file, samples, INKS, pages)) {
        fprintf(stderr, "halftone-bench: %s: %s\n", file, strerror(errno));
        report_missing(report, "rastertohalftone", "no room for its pages");
        return true;
    }
    ok = measure_file(report, file, content, pages, cpus, rounds);
    unlink(file);
    return ok;
}
