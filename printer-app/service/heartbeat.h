/*
 * heartbeat.h - tells the service manager that the server answers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_HEARTBEAT_H
#define PRINTER_APP_HEARTBEAT_H

#include <pappl/pappl.h>

/* Sets where the server listens: a socket in the file system. Call it before
 * the server runs. */
void heartbeat_at(const char *path);

/* Start and stop the heartbeat, a thread of its own. Call them before and after
 * the server runs. */
void heartbeat_begin(pappl_system_t *system);
void heartbeat_end(void);

#endif
