/*
 * scaling.c - numbers of threads, jobs at once, and engines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lab/bench/process.h"
#include "lab/bench/scaling.h"
#include "lab/bench/scaling_run.h"

#define FEW_CPUS 4u     /* with fewer, threads cannot show how they scale */
#define PEAK_THREADS 8u /* for the peak of memory */

/* ---- Threads ------------------------------------------------------------- */

/* Adds the numbers of threads that the machine has CPUs for, and the default;
 * of unbroken rows, which keep one thread busy, no more than two. */
static void add_threads(struct scaling *s, struct scaling_case what)
{
    static const uint32_t of_filter[] = {1, 2, 4, 6, 8, 16, 32, 0};
    static const uint32_t of_engine[] = {1, 2, 4, 8, 16, 32, 0};
    bool engine = what.program == IN_MEMORY;
    const uint32_t *threads = engine ? of_engine : of_filter;
    size_t count = engine ? sizeof of_engine / sizeof of_engine[0]
                          : sizeof of_filter / sizeof of_filter[0];

    for (size_t i = 0; i < count; i++) {
        what.threads = threads[i];
        if (threads[i] <= (what.unbroken ? 2 : s->report->machine.cpus))
            scaling_rows_add(&s->report->scaling, &what);
    }
}

/* Measures the filters and then the engine on pages that are in the file and
 * in memory. */
static bool measure_threads(struct scaling *s, enum content content,
                            uint32_t inks, bool unbroken)
{
    struct scaling_rows *rows = &s->report->scaling;
    unsigned first = rows->count;
    struct scaling_case what = {.part = BY_THREADS,
                                .program = NULL_FILTER,
                                .content = content,
                                .inks = inks,
                                .options = PPD_OPTIONS,
                                .unbroken = unbroken,
                                .engine = "CPU",
                                .jobs = 1,
                                .pages = s->plan->pages};

    scaling_rows_add(rows, &what);
    what.program = WHOLE_FILTER;
    add_threads(s, what);
    if (!scaling_run_rows(s, first, s->plan->budget))
        return false;
    first = rows->count;
    what.program = IN_MEMORY;
    what.pages = 1;
    add_threads(s, what);
    return scaling_run_rows(s, first, s->plan->budget);
}

/* ---- Jobs at once, and memory -------------------------------------------- */

static const unsigned jobs_at_once[] = {1, 4, MAX_PROCESSES};
#define JOBS (sizeof jobs_at_once / sizeof jobs_at_once[0])

static bool measure_jobs(struct scaling *s)
{
    struct scaling_case what = {.part = BY_JOBS,
                                .content = PHOTO,
                                .inks = 4,
                                .options = PPD_OPTIONS,
                                .engine = "CPU",
                                .pages = s->plan->pages};

    scaling_rows_head(BY_JOBS);
    for (size_t i = 0; i < JOBS; i++) {
        unsigned first = s->report->scaling.count;

        what.jobs = jobs_at_once[i];
        what.threads = 2;
        scaling_rows_add(&s->report->scaling, &what);
        what.threads = 0;
        scaling_rows_add(&s->report->scaling, &what);
        if (!scaling_run_rows(s, first, s->plan->budget))
            return false;
    }
    return true;
}

/* Takes the most of some runs. No samples may be in memory, for they would
 * count. */
static bool measure_peak(struct scaling *s)
{
    struct scaling_case what = {.content = PHOTO,
                                .inks = 4,
                                .options = PPD_OPTIONS,
                                .engine = "CPU",
                                .threads = PEAK_THREADS,
                                .jobs = 1};
    struct scaling_rows *rows = &s->report->scaling;
    struct spent spent;

    for (unsigned i = 0; i < s->plan->rounds; i++) {
        if (!scaling_run_filter(s, &what, &spent))
            return false;
        if (spent.peak > rows->peak)
            rows->peak = spent.peak;
    }
    printf("\nPeak memory of the filter, CMYK photo, HalftoneThreads=%u: "
           "%.1f MiB\n",
           PEAK_THREADS, rows->peak);
    fflush(stdout);
    return true;
}

/* ---- The GPU ------------------------------------------------------------- */

/* Whether the filter halftones the file with the GPU; if not, reports why. */
static bool has_gpu(struct scaling *s)
{
    static const char form[] =
        "'%s' 1 user title 1 HalftoneEngine=GPU <'%s' 2>&1 >/dev/null | "
        "sed -n 's/^%s//p'";
    char command[1200], line[96];

    snprintf(command, sizeof command, form, s->report->filter, s->file,
             "DEBUG:.* engine cuda");
    first_line_of(command, line, sizeof line);
    if (line[0] != '\0')
        return true;
    snprintf(command, sizeof command, form, s->report->filter, s->file,
             "WARNING: ");
    first_line_of(command, line, sizeof line);
    putchar('\n');
    report_missing(s->report, "GPU",
                   line[0] != '\0' ? line : "there is no GPU here");
    return false;
}

static bool measure_engines(struct scaling *s, unsigned pages)
{
    static const char *const engines[] = {"CPU", "GPU", "Auto"};
    struct scaling_rows *rows = &s->report->scaling;
    struct scaling_case what = {.part = BY_ENGINES,
                                .content = PHOTO,
                                .inks = 4,
                                .options = PPD_OPTIONS,
                                .pages = pages};

    for (size_t i = 0; i < 2 * JOBS; i++) {
        unsigned first = rows->count;

        what.unbroken = i >= JOBS;
        what.jobs = jobs_at_once[i % JOBS];
        for (size_t e = 0; e < 3; e++) {
            what.engine = engines[e];
            scaling_rows_add(rows, &what);
        }
        if (!scaling_run_rows(s, first, s->plan->gpu_budget))
            return false;
    }
    return true;
}

/* ---- All of it ----------------------------------------------------------- */

/* Measures a content with segments; CMYK photos with unbroken rows and several
 * jobs at once as well. */
static bool measure_content(struct scaling *s, enum content content,
                            uint32_t inks)
{
    uint8_t *samples = scaling_make_pages(s, content, inks, s->plan->pages);
    bool photos = content == PHOTO && inks == 4, ok;

    if (samples == NULL)
        return false;
    s->samples = samples;
    ok = measure_threads(s, content, inks, false);
    if (photos)
        ok = ok && measure_threads(s, content, inks, true);
    s->samples = NULL;
    free(samples);
    if (photos)
        ok = ok && measure_jobs(s) && measure_peak(s);
    unlink(s->file);
    return ok;
}

/* A page alone, which also says whether there is a GPU, then more of them. */
static bool measure_gpu(struct scaling *s)
{
    const unsigned pages[] = {1, s->plan->pages};
    bool ok = true, gpu = true;

    for (size_t i = 0; ok && gpu && i < 2; i++) {
        uint8_t *samples = scaling_make_pages(s, PHOTO, 4, pages[i]);

        if (samples == NULL)
            return false;
        free(samples);
        if (i == 0 && (gpu = has_gpu(s)))
            scaling_rows_head(BY_ENGINES);
        ok = !gpu || measure_engines(s, pages[i]);
        unlink(s->file);
    }
    return ok;
}

bool scaling_measure(struct bench_report *report, const char *folder)
{
    static struct scaling s;
    bool ok;

    scaling_begin(&s, report, folder);
    printf("Scaling: %u pages a job, one in memory, %s\n", s.plan->pages,
           report->filter);
    if (report->machine.cpus < FEW_CPUS)
        printf("This machine is too small to show how threads scale: %u "
               "CPU%s.\n",
               report->machine.cpus, report->machine.cpus == 1 ? "" : "s");
    scaling_rows_head(BY_THREADS);
    ok = measure_content(&s, PHOTO, 1) && measure_content(&s, TEXT, 4) &&
         measure_content(&s, PHOTO, 4) && measure_gpu(&s);
    return ok || s.no_room;
}
