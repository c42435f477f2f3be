/*
 * host.h - checks the names by which clients address the server, and the web
 * pages that send forms to it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_HOST_H
#define PAPPL_FIXES_HOST_H

#include <pappl/pappl.h>

/* Returns why a request is refused, or NULL. */
const char *host_refusal(pappl_client_t *client);

#endif
