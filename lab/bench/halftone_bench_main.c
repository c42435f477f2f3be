/*
 * halftone_bench_main.c - measures the speed of the engines, of the whole
 * filter and of other programs that halftone, on the same pages in the same
 * run; the cost of several sizes of drops and of options; and how all scale.
 *
 *   halftone-bench [--scaling] [--options] [--sizes] [--engine NAME]
 *                  [--quick] [--json FILE] [--folder FOLDER]
 *                  [--filter PROGRAM]
 *
 * To be run in the build folder, "make bench". A megapixel is a million
 * pixels of one ink. Programs count as a whole, with their start, reading and
 * writing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/bench/engines.h"
#include "lab/bench/filters.h"
#include "lab/bench/goals.h"
#include "lab/bench/json.h"
#include "lab/bench/option_cost.h"
#include "lab/bench/peer_programs.h"
#include "lab/bench/peer_zimg.h"
#include "lab/bench/samples.h"
#include "lab/bench/scaling.h"
#include "lab/bench/scaling_goals.h"

struct plan {
    const char *json;
    const char *folder;
    const char *filter;
    const char *engine;           /* of pages with several sizes; NULL = all */
    bool scaling, options, sizes; /* alone, or several */
    bool quick;
    uint32_t rows;        /* of a page in memory */
    double budget;        /* seconds a result in this process */
    double peer_budget;   /* seconds a program */
    unsigned file_pages;  /* for the filters */
    unsigned rounds;      /* of the filters */
    unsigned size_rounds; /* of pages with one size and several */
};

static const struct plan whole = {.rows = PAGE_ROWS,
                                  .budget = 0.5,
                                  .peer_budget = 1,
                                  .file_pages = 10,
                                  .rounds = 5,
                                  .size_rounds = 25};
static const struct plan quick = {.quick = true,
                                  .rows = CONTENT_ROWS,
                                  .budget = 0.1,
                                  .peer_budget = 0.1,
                                  .file_pages = 2,
                                  .rounds = 3,
                                  .size_rounds = 3};

/* Contents and rivals of a contest. */
struct entry {
    uint8_t *samples;
    struct engines *engines;
    struct zimg *zimg;
    struct programs *programs;
    struct moves *moves;
};

static bool enter(struct contest *contest, struct entry *entry,
                  struct bench_report *report, const struct plan *plan,
                  const char *folder, enum content content, uint32_t inks)
{
    entry->samples = content_make(content, inks);
    if (entry->samples == NULL)
        return false;
    entry->engines =
        engines_enter(contest, content, entry->samples, inks, plan->rows,
                      report->machine.cpus, plan->budget);
    if (content <= TEXT)
        entry->zimg = zimg_enter(contest, report, content, entry->samples, inks,
                                 plan->budget);
    if (content != PHOTO || inks != 1)
        return entry->engines != NULL;
    entry->programs = programs_enter(contest, report, folder, content,
                                     entry->samples, plan->peer_budget);
    entry->moves = moves_enter(contest, content, entry->samples, inks,
                               plan->rows, plan->budget);
    return entry->engines != NULL && entry->moves != NULL;
}

static void leave(struct entry *entry)
{
    programs_leave(entry->programs);
    zimg_leave(entry->zimg);
    free(entry->moves);
    free(entry->engines);
    free(entry->samples);
}

/* Photos and texts in gray and CMYK, what else there is in gray: engines and
 * peers by turns, then the filters. */
static bool measure_inks(struct bench_report *report, const struct plan *plan,
                         const char *folder, uint32_t inks)
{
    static struct contest contest;
    const unsigned contents = inks == 1 ? CONTENTS : SHARP + 1;
    struct entry entry[CONTENTS] = {{.samples = NULL}};
    bool ok = true;

    contest = (struct contest){.count = 0};
    for (unsigned c = 0; c < contents; c++)
        ok = ok && enter(&contest, &entry[c], report, plan, folder,
                         (enum content)c, inks);
    if (!ok)
        fputs("halftone-bench: not enough memory\n", stderr);
    ok = ok && contest_run(&contest, report);
    for (unsigned c = PHOTO; c <= SHARP && inks == 4; c++)
        ok = ok && filters_measure(report, folder, (enum content)c,
                                   entry[c].samples, plan->file_pages,
                                   report->machine.cpus, plan->rounds);
    for (unsigned c = 0; c < contents; c++)
        leave(&entry[c]);
    return ok;
}

/* Measures what halftones, how fast and beside what others do. */
static bool measure_rates(struct bench_report *report, const struct plan *plan,
                          const char *folder)
{
    bool ok = true;

    report_head();
    for (uint32_t inks = 1; ok && inks <= 4; inks += 3)
        ok = measure_inks(report, plan, folder, inks);
    if (ok)
        goals_print(report);
    putchar('\n');
    return ok;
}

/* Measures what several sizes of drops cost. */
static bool measure_sizes(struct size_goals *sizes, const struct plan *plan)
{
    if (!size_goals_measure(sizes, plan->engine, plan->size_rounds))
        return false;
    size_goals_print(sizes);
    return true;
}

/* Gives the filters the sources' tables; `link` is then a name in the folder,
 * to be removed. */
static bool give_tables(const char *folder, char *link, size_t size)
{
    snprintf(link, size, "%s/rastertohalftone", folder);
    return setenv("CUPS_DATADIR", folder, 1) == 0 &&
           symlink(BENCH_SOURCE "/halftone/tables", link) == 0;
}

static bool measure_all(struct bench_report *report, struct size_goals *sizes,
                        const struct plan *plan)
{
    char folder[400], tables[432];
    bool ok = true;

    snprintf(folder, sizeof folder, "%s/halftone-bench-XXXXXX", plan->folder);
    if (mkdtemp(folder) == NULL ||
        !give_tables(folder, tables, sizeof tables)) {
        fprintf(stderr, "halftone-bench: %s: %s\n", folder, strerror(errno));
        return false;
    }
    report->quick = plan->quick;
    report->filter = plan->filter;
    report_begin(report);
    const bool all = !plan->scaling && !plan->options && !plan->sizes;
    if (all)
        ok = measure_rates(report, plan, folder);
    if (ok && (all || plan->sizes))
        ok = measure_sizes(sizes, plan);
    if (ok && (all || plan->scaling))
        ok = scaling_measure(report, folder);
    if (ok && (all || plan->options))
        ok = option_cost_measure(report, folder);
    if (ok && (all || plan->scaling || plan->options))
        scaling_goals_print(report);
    unlink(tables);
    rmdir(folder);
    return ok;
}

static int usage(FILE *out)
{
    fputs(
        "Usage: halftone-bench [--scaling] [--options] [--sizes]\n"
        "                      [--engine NAME] [--quick]\n"
        "                      [--json FILE] [--folder FOLDER]\n"
        "                      [--filter PROGRAM]\n"
        "  --scaling        only how threads, jobs at once and a GPU scale\n"
        "  --options        only what the options of our PPDs cost\n"
        "  --sizes          only what three sizes of drops cost to one\n"
        "  --engine NAME    of these: one, such as cpu-avx2 (default: all)\n"
        "  --quick          shorter pages, fewer runs: to see that all works\n"
        "  --json FILE      everything that was measured\n"
        "  --folder FOLDER  for pages, 1.4 GB (default: TMPDIR or /tmp)\n"
        "  --filter PROGRAM the filter to measure, such as an older one\n"
        "                   (default: filter/rastertohalftone)\n",
        out);
    return out == stdout ? 0 : 2;
}

static bool take_options(int argc, char *argv[], struct plan *plan)
{
    static const struct option names[] = {
        {"scaling", no_argument, NULL, 's'},
        {"options", no_argument, NULL, 'o'},
        {"sizes", no_argument, NULL, 'z'},
        {"engine", required_argument, NULL, 'e'},
        {"quick", no_argument, NULL, 'q'},
        {"json", required_argument, NULL, 'j'},
        {"folder", required_argument, NULL, 'f'},
        {"filter", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0}};
    const char *json = NULL, *folder = getenv("TMPDIR"), *engine = NULL;
    const char *filter = "filter/rastertohalftone";
    bool scaling = false, options = false, sizes = false;
    int option;

    *plan = whole;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1)
        if (option == 'q')
            *plan = quick;
        else if (option == 'j')
            json = optarg;
        else if (option == 'f')
            folder = optarg;
        else if (option == 'p')
            filter = optarg;
        else if (option == 's')
            scaling = true;
        else if (option == 'o')
            options = true;
        else if (option == 'z')
            sizes = true;
        else if (option == 'e')
            engine = optarg;
        else
            return false;
    plan->json = json;
    plan->filter = filter;
    plan->engine = engine;
    plan->scaling = scaling;
    plan->options = options;
    plan->sizes = sizes;
    plan->folder = folder != NULL ? folder : "/tmp";
    return optind == argc;
}

int main(int argc, char *argv[])
{
    static struct bench_report report;
    static struct size_goals sizes;
    struct plan plan;
    FILE *json = NULL;

    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout);
    if (!take_options(argc, argv, &plan))
        return usage(stderr);
    if (plan.json != NULL && (json = fopen(plan.json, "w")) == NULL) {
        perror(plan.json);
        return 1;
    }
    if (!measure_all(&report, &sizes, &plan))
        return 1;
    if (json != NULL && !report_json(&report, &sizes, json)) {
        perror(plan.json);
        return 1;
    }
    return 0;
}
