/*
 * deletion.h - printers that are deleted while somebody uses them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_DELETION_H
#define PAPPL_FIXES_DELETION_H

#include <stdbool.h>

#include <pappl/pappl.h>

/* This thread begins to use what PAPPL has of printers, for a request or, if it
 * `prints`, for a job. Several times, if need be. */
void deletion_enter(bool prints);

/* It has ended with that. Call it without any lock. */
void deletion_leave(bool prints);

/* Whether there are threads that have begun, and not to print. */
bool deletion_has_requests(void);

/* Whether a printer of that name is deleted, and still in use. */
bool deletion_waits(const char *name);

/* Answers a request to delete a printer; false of others, and of a client who
 * may not. */
bool deletion_answer(pappl_client_t *client);

#endif
