/*
 * front.h - each HTTP request is looked at before PAPPL does what it asks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_FRONT_H
#define PAPPL_FIXES_FRONT_H

#include <pappl/pappl.h>

/* Looks at the request whose head has come from a client, as httpUpdate() says
 * by `status`. Returns what PAPPL is to be told. */
http_status_t front_look_at(http_t *http, http_status_t status);

/* Whether the request is not for PAPPL, and says that to its client. */
bool front_has_answer(const pappl_client_t *client);
bool front_answer(pappl_client_t *client);

#endif
