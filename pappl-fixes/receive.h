/*
 * receive.h - documents that come from clients.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_RECEIVE_H
#define PAPPL_FIXES_RECEIVE_H

#include "pappl-fixes/life.h"

/* Cancels a job, if that event may come to it now; `why` is a line for its
 * user, or NULL. */
void receive_cancel(pappl_job_t *job, enum life_event event, const char *why);

/* Aborts a job, for that reason, if no document of its comes or has come. */
void receive_abandon(pappl_job_t *job, const char *why);

#endif
