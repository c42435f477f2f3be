/*
 * host.h - under which names the server is asked, and by whose web pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OVERRIDES_HOST_H
#define PRINTER_APP_OVERRIDES_HOST_H

#include <pappl/pappl.h>

#define HOST_NAME_BYTES 256

/* Has the server heed this computer's names and those two, unless they are
 * NULL. To be called before it runs. */
void host_set_names(const char *listens_at, const char *is_called);

/* Whether a Host field names this server: by an address, or by a name of its.
 */
bool host_is_own(pappl_system_t *system, const char *field);

/* Whether the page at an address, or of an Origin, is at that Host. */
bool host_has_page(const char *host, const char *page);

/* Returns why a request is refused, or NULL. */
const char *host_refusal(pappl_client_t *client);

#endif
