/*
 * server.h - the life of the server.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_SERVER_H
#define PAPPL_FIXES_SERVER_H

#include <time.h>

#include <pappl/pappl.h>

/* Returns when the server began to run. */
time_t server_started(void);

/* Ends the process with status 1, after an ERROR line on standard error and in
 * the log, unless that is the same, or there is no system (NULL). */
void server_fail(pappl_system_t *system, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/* Takes the lock of what is at a path, such as the "state", until the process
 * ends, or ends it. */
void server_lock(pappl_system_t *system, const char *what, const char *path,
                 const char *lock);

#endif
