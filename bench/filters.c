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

#include "bench/filters.h"
#include "bench/process.h"
#include "bench/raster_file.h"

#define INKS 4u
#define FILTERS 3u

struct filter {
    struct result result;
    const char *arguments[7];
    double seconds[MAX_RUNS], busy;
};

static bool run_rounds(struct filter *filters, unsigned count, const char *file,
                       unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < count; i++) {
            struct filter *f = &filters[i];
            double before = busy();

            f->seconds[round] = process_run(f->arguments, file);
            f->busy += busy() - before;
            if (f->seconds[round] < 0) {
                fprintf(stderr, "halftone-bench: %s failed\n", f->arguments[0]);
                return false;
            }
        }
    return true;
}

static struct result result_of(const char *name, const char *method,
                               enum content content, unsigned pages,
                               uint32_t threads)
{
    struct result result = {.kind = PROGRAM,
                            .method = method,
                            .content = content_names[content],
                            .inks = INKS,
                            .threads = threads,
                            .pixels =
                                (double)pages * PAGE_ROWS * PAGE_WIDTH * INKS};

    snprintf(result.name, sizeof result.name, "%s", name);
    return result;
}

static bool measure_file(struct report *report, const char *file,
                         enum content content, unsigned pages, uint32_t cpus,
                         unsigned rounds)
{
    char all[64];
    struct filter filters[FILTERS] = {
        {.result = result_of("null-filter", "none", content, pages, 1),
         .arguments = {"bench/null-filter"}},
        {.result = result_of("rastertohalftone", "tdfed4", content, pages, 1),
         .arguments = {"filter/rastertohalftone", "1", "user", "title", "1",
                       "HalftoneEngine=CPU HalftoneThreads=1"}},
        {.result =
             result_of("rastertohalftone", "tdfed4", content, pages, cpus),
         .arguments = {"filter/rastertohalftone", "1", "user", "title", "1",
                       all}},
    };
    unsigned count = cpus > 1 ? FILTERS : FILTERS - 1;

    snprintf(all, sizeof all, "HalftoneEngine=CPU HalftoneThreads=%u", cpus);
    if (!run_rounds(filters, count, file, rounds))
        return false;
    for (unsigned i = 0; i < count; i++) {
        struct filter *f = &filters[i];

        f->result.timing = timing_of(f->seconds, rounds, f->busy);
        report_add(report, &f->result);
    }
    return true;
}

bool filters_measure(struct report *report, const char *folder,
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
