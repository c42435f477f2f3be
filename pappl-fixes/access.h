/*
 * access.h - checks who may change something on the web pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_ACCESS_H
#define PAPPL_FIXES_ACCESS_H

#include <pappl/pappl.h>

/* Whether a client is at this computer, or has a tunnel to it. */
bool web_is_local(pappl_client_t *client);

/* Returns why a request is refused, or NULL. */
const char *web_refusal(pappl_client_t *client);

#endif
