/*
 * shares.h - limits jobs, bytes and subscriptions, by whose they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_SHARES_H
#define PAPPL_FIXES_SHARES_H

#include "pappl-fixes/pappl-fixes.h"

#define SHARES_JOBS 1000  /* if nothing else is set */
#define SHARES_PERCENT 25 /* likewise */

/* Attribute of a job: the address that it came from. */
#define SHARES_HOST "job-originating-host-name"

/* Sets how many jobs that have not ended a printer may have, 1 or more, and the
 * share of an address or a user of all, 1 to 100. Call it before there are
 * jobs. */
void shares_limit(int jobs, unsigned percent);

/* Whether a job came from another computer. */
bool shares_is_stranger(pappl_job_t *job);

/* Whether a client may get the job or subscription that it asks for; else it is
 * told why not. True of other requests. */
bool shares_have_room(pappl_client_t *client);

/* Returns why a client's documents may not have `more` bytes than those that
 * wait; NULL: they may. Valid till the next call. */
const char *shares_no_room(pappl_client_t *client, uint64_t more);

/* Says in the answer about a printer, which came last, that the client would
 * get no job there. */
void shares_tell_room(pappl_client_t *client, pappl_printer_t *printer);

#endif
