/*
 * server.h - the life of the server.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_SERVER_H
#define PAPPL_FIXES_SERVER_H

#include <time.h>

/* Returns when the server began to run. */
time_t server_started(void);

#endif
