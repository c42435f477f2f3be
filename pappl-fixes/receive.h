/*
 * receive.h - documents that come from clients.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_RECEIVE_H
#define PAPPL_FIXES_RECEIVE_H

#include <pappl/pappl.h>

/* Aborts a job, for that reason, if no document of its comes or has come. */
void receive_abandon(pappl_job_t *job, const char *why);

#endif
