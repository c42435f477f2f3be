/*
 * seconds.h - a clock that nobody sets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_SECONDS_H
#define PAPPL_FIXES_SECONDS_H

#include <time.h>

/* Returns the seconds since some time, with fractions. */
static inline double seconds_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#endif
