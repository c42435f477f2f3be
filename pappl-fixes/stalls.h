/*
 * stalls.h - printers that take no more data, for a while or for ever.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_STALLS_H
#define PAPPL_FIXES_STALLS_H

#include "pappl-fixes/pappl-fixes.h"

#define STALLS_SECONDS 30 /* if nothing else is set */

/* Sets after how many seconds, 1 or more, without a byte a printer is said to
 * wait, and a canceled job is given up. Call it before there are jobs. */
void stalls_after(int seconds);

/* This thread prints a job, or no longer (NULL): what it writes by
 * papplDeviceWrite() is the job's. */
void stalls_print(pappl_job_t *job);

/* Returns the job that this thread prints; NULL = none. */
pappl_job_t *stalls_job(void);

#endif
