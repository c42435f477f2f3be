/*
 * host.h - under which names the server is asked, and by whose web pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_HOST_H
#define PAPPL_FIXES_HOST_H

#include <pappl/pappl.h>

/* Returns why a request is refused, or NULL. */
const char *host_refusal(pappl_client_t *client);

#endif
