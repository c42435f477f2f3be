/*
 * goals.h - the speeds that the project wants, as ratios within one run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_GOALS_H
#define BENCH_GOALS_H

#include "lab/bench/report.h"

#define MAX_GOALS 32u

struct goal {
    const char *what;
    char must[32];
    bool measured; /* both of its sides */
    bool met;
    double ratio;
    double busy; /* the ratio of the times that threads were busy */
    double rate; /* of the first side, megapixels a second */
};

/* Fills `goals` [MAX_GOALS] and returns how many there are. */
unsigned goals_of(const struct bench_report *report, struct goal *goals);

/* Prints them as a Markdown table, for lab/doc/performance.md. */
void goals_print(const struct bench_report *report);

#endif
