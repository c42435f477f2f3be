/*
 * queue.h - limits the jobs of a printer, and the time that they may be without
 * a document.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_QUEUE_H
#define PAPPL_FIXES_QUEUE_H

#include <pappl/pappl.h>

#define QUEUE_JOBS 1000  /* if nothing else is set */
#define QUEUE_SECONDS 60 /* as PAPPL tells clients */

/* Sets how many jobs that have not ended a printer may have, and after how many
 * seconds without a document one is aborted. Call it before there are jobs. */
void queue_limit(int jobs, int seconds);

/* Makes the system look for jobs without documents while it runs. */
void queue_watch(pappl_system_t *system);

/* Whether the printer may get the job that a client asks for; else the client
 * is told why not. True of other requests. */
bool queue_has_room(pappl_client_t *client);

/* Says in the answer about a printer that it takes no jobs, if there is no room
 * for their documents. */
void queue_tell_room(pappl_client_t *client);

#endif
