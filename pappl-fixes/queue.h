/*
 * queue.h - limits jobs, by whose they are and how long they wait.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_QUEUE_H
#define PAPPL_FIXES_QUEUE_H

#include "pappl-fixes/pappl-fixes.h"

#define QUEUE_JOBS 1000  /* if nothing else is set */
#define QUEUE_SECONDS 60 /* as PAPPL tells clients */
#define QUEUE_SHARE 25   /* percent */
#define QUEUE_HOLD 86400 /* s */

/* Attribute of a job: the address that it came from. */
#define QUEUE_HOST "job-originating-host-name"

/* Limits, all of them 1 or more. */
struct queue_limits {
    int jobs;         /* of a printer, that have not ended */
    int seconds;      /* without a document, until a job is aborted */
    unsigned share;   /* percent of all, of an address or a user */
    int hold_seconds; /* until a stranger's job that is held is canceled */
};

/* Call it before there are jobs. */
void queue_limit(const struct queue_limits *limits);

/* Ends jobs whose time is over, by one thread alone, which has no lock. */
void queue_look(pappl_system_t *system);

/* Whether a client may get the job or subscription that it asks for; else it is
 * told why not. True of other requests. */
bool queue_has_room(pappl_client_t *client);

/* Returns why a client's documents may not have `more` bytes than those that
 * wait; NULL: they may. Valid till the next call. */
const char *queue_no_room(pappl_client_t *client, uint64_t more);

/* Says in the answer about a printer, which came last, that the client would
 * get no job there. */
void queue_tell_room(pappl_client_t *client, pappl_printer_t *printer);

#endif
