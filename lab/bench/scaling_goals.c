/*
 * scaling_goals.c - each goal bounds a ratio of two rows, and one the memory;
 * of the parts that were measured.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdbool.h>

#include "lab/bench/scaling_goals.h"

#define MAX_SCALING_GOALS 40u
#define MANY_CPUS 16u /* from which on more threads must pay */

struct scaling_goal {
    char what[128];
    double most, value; /* of ratios, or MiB */
    double cpu;         /* ratio of CPU time beside one of wall time, or 0 */
    uint32_t cpus;      /* that the goal needs */
    bool measured;
};

struct goals {
    struct scaling_goal goal[MAX_SCALING_GOALS];
    unsigned count;
};

/* Returns the next goal, not measured, whose text the caller has to write. */
static struct scaling_goal *add(struct goals *goals, double most, uint32_t cpus)
{
    struct scaling_goal *goal = &goals->goal[goals->count++];

    assert(goals->count <= MAX_SCALING_GOALS);
    *goal = (struct scaling_goal){.most = most, .cpus = cpus};
    return goal;
}

static void set_ratio(struct scaling_goal *goal, const struct scaling_row *of,
                      const struct scaling_row *to, bool cpu_time)
{
    goal->measured = of != NULL && to != NULL;
    if (!goal->measured)
        return;
    goal->value = cpu_time ? of->cpu / to->cpu : of->wall / to->wall;
    goal->cpu = cpu_time ? 0 : of->cpu / to->cpu;
}

static const struct scaling_row *faster(const struct scaling_row *a,
                                        const struct scaling_row *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    return b->wall < a->wall ? b : a;
}

/* ---- Threads ------------------------------------------------------------- */

/* Finds the fastest row with a fixed number of threads. */
static const struct scaling_row *best_fixed(const struct bench_report *report,
                                            struct scaling_case what)
{
    const struct scaling_row *best = NULL;

    for (what.threads = 1; what.threads <= report->machine.cpus; what.threads++)
        best = faster(best, scaling_rows_find(&report->scaling, &what));
    return best;
}

/* The goals of the default on a page; `most` is its bound to one thread on many
 * CPUs, 0 = none. */
static void add_threads(const struct bench_report *report, struct goals *goals,
                        struct scaling_case what, double most)
{
    const struct scaling_row *by_default, *one;
    struct scaling_goal *goal;
    char page[64];

    by_default = scaling_rows_find(&report->scaling, &what);
    what.threads = 1;
    one = scaling_rows_find(&report->scaling, &what);
    scaling_page_name(&what, page);

    goal = add(goals, 1.05, 2);
    snprintf(goal->what, sizeof goal->what,
             "%s, default to the best number of threads", page);
    set_ratio(goal, by_default, best_fixed(report, what), false);

    goal = add(goals, 1.3, 2);
    snprintf(goal->what, sizeof goal->what,
             "%s, CPU time, default to one thread", page);
    set_ratio(goal, by_default, one, true);

    if (most == 0)
        return;
    goal = add(goals, most, MANY_CPUS);
    snprintf(goal->what, sizeof goal->what, "%s, default to one thread", page);
    set_ratio(goal, by_default, one, false);
}

static void add_all_threads(const struct bench_report *report,
                            struct goals *goals, unsigned pages)
{
    static const struct {
        enum content content;
        uint32_t inks;
        bool unbroken;
        double most;
    } of[] = {{PHOTO, 1, false, 0.40},
              {TEXT, 4, false, 0.85},
              {PHOTO, 4, false, 0.33},
              {PHOTO, 4, true, 0}};

    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        add_threads(report, goals,
                    (struct scaling_case){.part = BY_THREADS,
                                          .content = of[i].content,
                                          .inks = of[i].inks,
                                          .options = PPD_OPTIONS,
                                          .unbroken = of[i].unbroken,
                                          .engine = "CPU",
                                          .jobs = 1,
                                          .pages = pages},
                    of[i].most);
}

/* ---- Jobs at once, and engines ------------------------------------------- */

static void add_jobs(const struct bench_report *report, struct goals *goals,
                     unsigned pages)
{
    struct scaling_case what = {.part = BY_JOBS,
                                .content = PHOTO,
                                .inks = 4,
                                .options = PPD_OPTIONS,
                                .engine = "CPU",
                                .threads = 2,
                                .jobs = 16,
                                .pages = pages};
    const struct scaling_row *two = scaling_rows_find(&report->scaling, &what);
    const struct scaling_row *by_default;
    struct scaling_goal *goal;

    what.threads = 0;
    by_default = scaling_rows_find(&report->scaling, &what);
    goal = add(goals, 1.0, MANY_CPUS);
    snprintf(goal->what, sizeof goal->what,
             "16 jobs at once, default to two threads each");
    set_ratio(goal, by_default, two, false);
    goal = add(goals, 0.8, MANY_CPUS);
    snprintf(goal->what, sizeof goal->what,
             "16 jobs at once, CPU time, the same");
    set_ratio(goal, by_default, two, true);
}

/* A goal for each row with HalftoneEngine=Auto. */
static void add_engines(const struct bench_report *report, struct goals *goals)
{
    const struct scaling_rows *rows = &report->scaling;

    for (unsigned i = 0; i < rows->count; i++) {
        struct scaling_case what = rows->row[i].what;
        const struct scaling_row *by_auto, *cpu, *gpu;
        struct scaling_goal *goal;
        char page[64];

        what.engine = "Auto";
        by_auto = scaling_rows_find(rows, &what);
        if (what.part != BY_ENGINES || by_auto != &rows->row[i])
            continue;
        what.engine = "CPU";
        cpu = scaling_rows_find(rows, &what);
        what.engine = "GPU";
        gpu = scaling_rows_find(rows, &what);
        goal = add(goals, 1.1, 1);
        snprintf(goal->what, sizeof goal->what,
                 "%s, %u job%s of %u page%s, Auto to the faster engine",
                 scaling_page_name(&what, page), what.jobs,
                 what.jobs == 1 ? "" : "s", what.pages,
                 what.pages == 1 ? "" : "s");
        set_ratio(goal, by_auto, faster(cpu, gpu), false);
    }
}

/* ---- Options ------------------------------------------------------------- */

static void add_options(const struct bench_report *report, struct goals *goals,
                        unsigned pages)
{
    static const struct {
        enum content content;
        enum option_set options;
        uint32_t cpus;
        double most;
    } of[] = {{PHOTO, PPD_OPTIONS, 2, 1.1},   {PHOTO, PPD_OPTIONS, 4, 1.1},
              {PHOTO, PPD_OPTIONS, 16, 1.15}, {RENDERED, PPD_OPTIONS, 2, 1.1},
              {PHOTO, SHARP_TEXT, 2, 1.5},    {TEXT, SHARP_TEXT, 2, 1.5}};

    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct scaling_case what = {.part = BY_OPTIONS,
                                    .content = of[i].content,
                                    .inks = 4,
                                    .options = of[i].options,
                                    .engine = "CPU",
                                    .cpus = of[i].cpus,
                                    .jobs = 1,
                                    .pages =
                                        of[i].content == RENDERED ? 1 : pages};
        const struct scaling_row *with =
            scaling_rows_find(&report->scaling, &what);
        struct scaling_goal *goal;
        char page[64];

        what.options = NO_OPTIONS;
        goal = add(goals, of[i].most, of[i].cpus);
        snprintf(goal->what, sizeof goal->what, "%s, %u CPUs, %s to no options",
                 scaling_page_name(&what, page), what.cpus,
                 of[i].options == SHARP_TEXT ? "TextAndGraphic"
                                             : "our PPDs' options");
        set_ratio(goal, with, scaling_rows_find(&report->scaling, &what),
                  false);
    }
}

/* ---- All of them --------------------------------------------------------- */

static bool has_part(const struct scaling_rows *rows, enum scaling_part part)
{
    for (unsigned i = 0; i < rows->count; i++)
        if (rows->row[i].what.part == part)
            return true;
    return false;
}

static void goals_of_scaling(const struct bench_report *report,
                             struct goals *goals)
{
    const struct scaling_rows *rows = &report->scaling;
    struct scaling_goal *goal;

    *goals = (struct goals){.count = 0};
    if (has_part(rows, BY_THREADS)) {
        add_all_threads(report, goals, rows->pages);
        add_jobs(report, goals, rows->pages);
        add_engines(report, goals);
        goal = add(goals, 64, 1);
        snprintf(goal->what, sizeof goal->what,
                 "Peak memory, CMYK photo, eight threads, MiB");
        goal->value = rows->peak;
        goal->measured = rows->peak > 0;
    }
    if (has_part(rows, BY_OPTIONS))
        add_options(report, goals, rows->pages);
}

static void print_verdict(const struct bench_report *report,
                          const struct scaling_goal *goal)
{
    if (!goal->measured) {
        printf("not measured | | |\n");
        return;
    }
    printf("%.3f | ", goal->value);
    if (goal->cpu > 0)
        printf("%.3f ", goal->cpu);
    if (report->machine.cpus < goal->cpus)
        printf("| needs %u CPUs |\n", goal->cpus);
    else
        printf("| %s |\n", goal->value <= goal->most ? "met" : "missed");
}

void scaling_goals_print(const struct bench_report *report)
{
    struct goals goals;

    goals_of_scaling(report, &goals);
    printf("\n| what | must | measured | of CPU time | |\n"
           "|---|---|---|---|---|\n");
    for (unsigned i = 0; i < goals.count; i++) {
        printf("| %s | at most %g | ", goals.goal[i].what, goals.goal[i].most);
        print_verdict(report, &goals.goal[i]);
    }
}

void scaling_goals_json(const struct bench_report *report, FILE *out)
{
    struct goals goals;

    goals_of_scaling(report, &goals);
    for (unsigned i = 0; i < goals.count; i++) {
        const struct scaling_goal *goal = &goals.goal[i];

        fprintf(out,
                "%s\n    {\"what\": \"%s\", \"must\": \"at most %g\", "
                "\"cpus\": %u, ",
                i == 0 ? "" : ",", goal->what, goal->most, goal->cpus);
        if (goal->measured)
            fprintf(out, "\"measured\": %.3f}", goal->value);
        else
            fputs("\"measured\": null}", out);
    }
}
