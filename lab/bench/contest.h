/*
 * contest.h - runs contenders by turns: other load of the machine then hits all
 * alike, and ratios hold where times do not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include <stdbool.h>

#include "lab/bench/report.h"

#define MAX_CONTENDERS 256u
#define LEAST_RUNS 3u /* for a median */
#define MAX_RUNS 15u

struct contender {
    struct result result;         /* all but its timing, until it has run */
    double (*run)(void *context); /* its seconds; negative when it failed */
    void *context;
    unsigned least; /* runs that count, 1..MAX_RUNS */
    double budget;  /* seconds; more than `least` runs until they are over */
    const char *else_missing; /* what is reported when it fails; NULL: then the
                                 contest is over */

    double seconds[MAX_RUNS], sum, busy;
    unsigned runs;
    bool warm, failed;
};

/* Zeroed is empty. */
struct contest {
    struct contender contender[MAX_CONTENDERS];
    unsigned count;
};

/* Adds a copy; its context must stay. */
void contest_add(struct contest *contest, const struct contender *contender);

/*
 * Runs each contender once a round until all have had their runs and budgets,
 * or ten budgets; before that once to warm up, if it takes less than a tenth
 * of its budget. Reports them in the order in which they were added. False
 * when one failed that had to run, and said so on standard error.
 */
bool contest_run(struct contest *contest, struct bench_report *report);

#endif
