/*
 * server.h - the server and its application.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_SERVER_H
#define PAPPL_FIXES_SERVER_H

#include <time.h>

#include "pappl-fixes/pappl-fixes.h"

/* Returns the application's part; what is not there is NULL. */
const struct papplfixes *server_application(void);

/* Returns when the server began to run. */
time_t server_started(void);

#endif
