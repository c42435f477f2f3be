/*
 * process.h - programs as a whole, timed from their start to their end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

/*
 * Runs a program that is looked for in PATH, standard input from the file
 * `input`, standard output and error to /dev/null. Returns the seconds from
 * its start to its end; negative when it could not be run or did not exit
 * with status 0.
 */
double process_run(const char *const *arguments, const char *input);

#endif
