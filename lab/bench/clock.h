/*
 * clock.h - clocks, and what they said of several runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <sys/resource.h>

/* Seconds a run: the median, the shortest and the longest, and how long all
 * threads together were busy on average. Much less than the median with one
 * thread: others had the processor. */
struct timing {
    double median, least, most, busy;
    unsigned runs;
};

/* Cost of an execution. */
struct spent {
    double wall, cpu; /* seconds; CPU time is the user's and the system's */
    double peak;      /* MiB, the most resident memory of a process; 0 = not
                         known */
};

/* Seconds on a clock that only goes forward. */
double now(void);

/* Seconds that the threads of this process, and of its children that have
 * ended, have been busy. */
double busy(void);

/* CPU seconds, the user's and the system's. */
double busy_of(const struct rusage *usage);

/* Sorts what several runs took. */
void sort_ascending(double *seconds, unsigned count);

#endif
