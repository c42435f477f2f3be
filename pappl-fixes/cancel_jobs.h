/*
 * cancel_jobs.h - several jobs that are canceled by one request.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_CANCEL_JOBS_H
#define PAPPL_FIXES_CANCEL_JOBS_H

#include <pappl/pappl.h>

/* Answers a request to cancel jobs of one user, or those of some numbers;
 * returns false for others. */
bool cancel_jobs(pappl_client_t *client);

/* Cancels all jobs of a printer; `why` is a line for their users, or NULL. */
void cancel_all_jobs(pappl_printer_t *printer, const char *why);

#endif
