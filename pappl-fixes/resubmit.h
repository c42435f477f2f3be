/*
 * resubmit.h - prints jobs that have ended again: Resubmit-Job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_RESUBMIT_H
#define PAPPL_FIXES_RESUBMIT_H

#include <pappl/pappl.h>

/* Answers a Resubmit-Job request; false if it is another one. */
bool resubmit(pappl_client_t *client);

/* Returns the file that this thread prints again, at its beginning; -1: the
 * document comes from its client. */
int resubmit_document(void);

/* PAPPL writes the job's row of a web page from now on; NULL: no longer. */
void resubmit_row(pappl_job_t *job);

#endif
