/*
 * measure.c - clock, repetition, median.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "bench/measure.h"

#define LEAST_RUNS 3u

double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

double busy(void)
{
    struct rusage self, children;

    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return seconds_of(self.ru_utime) + seconds_of(self.ru_stime) +
           seconds_of(children.ru_utime) + seconds_of(children.ru_stime);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct timing timing_of(double *seconds, unsigned count, double busy_in_all)
{
    qsort(seconds, count, sizeof seconds[0], ascending);
    return (struct timing){.median = seconds[count / 2],
                           .least = seconds[0],
                           .most = seconds[count - 1],
                           .busy = busy_in_all / count,
                           .runs = count};
}

bool measure(struct timing *timing, double (*run)(void *context), void *context,
             double budget)
{
    double seconds[MAX_RUNS], sum = 0, busy_sum = 0;
    unsigned count = 0;
    bool warm = false;

    while (count < MAX_RUNS && (count < LEAST_RUNS || sum < budget) &&
           sum < 10 * budget) {
        double before = busy(), took = run(context);

        if (took < 0)
            return false;
        if (warm || took >= budget / 10) {
            seconds[count++] = took;
            sum += took;
            busy_sum += busy() - before;
        }
        warm = true;
    }
    *timing = timing_of(seconds, count, busy_sum);
    return true;
}
