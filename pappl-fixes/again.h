/*
 * again.h - keeps documents of jobs that have ended, to be printed again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_AGAIN_H
#define PAPPL_FIXES_AGAIN_H

#include <stdbool.h>

#include <pappl/pappl.h>

#define AGAIN_SECONDS 86400 /* if nothing else is set */

/* Sets for how many seconds, 0 for none. Call it before there are jobs. */
void again_limit(int seconds);

/* Removes what is not of the server's jobs when it starts, and documents whose
 * time is over from then on. */
void again_begin(pappl_system_t *system);

/* Keeps what a request asks of the job that it has made. */
void again_made(pappl_job_t *job, ipp_t *request);

/* Keeps the document of a job that ends, if it came from a client; the oldest
 * make room for it. */
void again_keep(pappl_job_t *job);

/* Removes the document of a job that is forgotten. */
void again_forget(pappl_job_t *job);

/* Whether the document of a job is kept. */
bool again_has(pappl_job_t *job);

/* Opens the document of a job, and reads what was asked of that; -1: it is not
 * kept. */
int again_open(pappl_job_t *job, ipp_t *asked);

#endif
