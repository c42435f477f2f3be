/*
 * heartbeat.h - tells the service manager that the server answers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_HEARTBEAT_H
#define PRINTER_APP_HEARTBEAT_H

#include <pappl/pappl.h>

/* Where the server listens: a socket in the file system. Call it before the
 * server runs. */
void heartbeat_at(const char *path);

/* Around the life of a server: tells, on a thread of its own, whoever wants to
 * know. */
void heartbeat_begin(pappl_system_t *system);
void heartbeat_end(void);

#endif
