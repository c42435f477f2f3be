/*
 * scaling_run.h - runs rows of the scaling by turns, each once a round.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_SCALING_RUN_H
#define BENCH_SCALING_RUN_H

#include "lab/bench/report.h"

struct scaling_plan {
    unsigned pages, rounds;
    /* Seconds that the rounds of a table's rows may take; there is always one.
     * 0 = as long as they need. */
    double budget, gpu_budget;
};

struct scaling {
    struct bench_report *report;
    const struct scaling_plan *plan;
    char file[512];         /* of pages, while there is one */
    const uint8_t *samples; /* of pages in memory, while they are run */
    bool no_room;           /* for the file */
};

/* Sets it up for the report, which is kept, and a folder for the file. */
void scaling_begin(struct scaling *s, struct bench_report *report,
                   const char *folder);

/* Makes the samples, which the caller has to free(), and writes them to the
 * file. NULL, and says so, if either fails. */
uint8_t *scaling_make_pages(struct scaling *s, enum content content,
                            uint32_t inks, unsigned pages);

/* Runs our filter, or the null filter, once on the file. False when it failed,
 * after a line on standard error. */
bool scaling_run_filter(const struct scaling *s,
                        const struct scaling_case *what, struct spent *spent);

/* Runs the rows from `first` on by turns, in as many rounds as the plan and
 * `budget` seconds allow, and prints them. False as above when one failed. */
bool scaling_run_rows(const struct scaling *s, unsigned first, double budget);

#endif
