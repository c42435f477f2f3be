/*
 * jobs.h - does numbered jobs in several processes at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_JOBS_H
#define TRAIN_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#define JOBS_MAX 1024 /* at a time */

/*
 * Runs job 0..count-1, each in a process of its own and `at_once` of them at
 * a time (0 = as many as there are processors), and shows on a terminal how far
 * it is. A job leaves what it makes in files or in shared memory. False
 * when a job has returned false or has died.
 */
bool jobs_run(int count, uint32_t at_once, const char *what,
              bool (*job)(int number, void *context), void *context);

#endif
