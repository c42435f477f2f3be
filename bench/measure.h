/*
 * measure.h - runs something often enough and says how long it took.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>

#define MAX_RUNS 15u

/* Seconds a run: the median, the shortest and the longest, and how long all
 * threads together were busy on average. Much less than the median with one
 * thread: others had the processor. */
struct timing {
    double median, least, most, busy;
    unsigned runs;
};

/* Seconds on a clock that only goes forward. */
double now(void);

/* Seconds that the threads of this process, and of its children that have
 * ended, have been busy. */
double busy(void);

/* The timing of `count` runs, 1..MAX_RUNS; sorts them. */
struct timing timing_of(double *seconds, unsigned count, double busy_in_all);

/*
 * Runs `run` at least three times and until `budget` seconds have passed, but
 * once when that takes ten budgets; before, once to warm up, if that takes
 * less than a tenth of the budget.
 * `run` returns its seconds, negative when it failed; then the result is
 * false.
 */
bool measure(struct timing *timing, double (*run)(void *context), void *context,
             double budget);

#endif
