/*
 * process.h - programs as a whole, timed from their start to their end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stdbool.h>

#include "lab/bench/clock.h"

#define MAX_PROCESSES 16u

/*
 * Runs a program that is looked for in PATH, standard input from the file
 * `input`, standard output and error to /dev/null. Returns the seconds from
 * its start to its end; negative when it could not be run or did not exit
 * with status 0.
 */
double process_run(const char *const *arguments, const char *input);

/*
 * Starts the program `count` times, 1..MAX_PROCESSES, and waits until the last
 * has ended: wall time until then, CPU time of all of them, the peak of the
 * largest. What this process has resident itself is the least peak that the
 * kernel reports. False as above when one fails.
 */
bool process_run_many(const char *const *arguments, const char *input,
                      unsigned count, struct spent *spent);

#endif
