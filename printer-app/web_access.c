/*
 * web_access.c - who may change something on the web pages: whoever is at this
 * computer, or has a tunnel to it.
 *
 * PAPPL 1.3 lets everybody do so who reaches its port, until there is a
 * password, and with one everybody who types any other. A printer can be a file
 * and take a job as it is, so a stranger would write files. IPP requests that
 * change printers are right already: they have to come from this computer.
 *
 * PAPPL asks its own papplClientHTMLAuthorize() before it shows a page that
 * changes something, and as a function of a shared library that is this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include <pappl/pappl.h>

#include "printer-app/app.h"

typedef bool authorize(pappl_client_t *client);

/* What PAPPL itself says, which may have responded. */
static bool ask_pappl(pappl_client_t *client)
{
    void *symbol = dlsym(RTLD_NEXT, "papplClientHTMLAuthorize");
    authorize *next = NULL;

    /* ISO C has no cast from data to functions. */
    memcpy(&next, &symbol, sizeof next);
    return next != NULL && next(client);
}

bool papplClientHTMLAuthorize(pappl_client_t *client)
{
    const http_addr_t *from = httpGetAddress(papplClientGetHTTP(client));
    const pappl_soptions_t options =
        papplSystemGetOptions(papplClientGetSystem(client));

    if ((options & PAPPL_SOPTIONS_WEB_REMOTE) != 0 ||
        (from != NULL && httpAddrLocalhost(from)))
        return ask_pappl(client);
    papplClientRespond(client, HTTP_STATUS_FORBIDDEN, NULL, NULL, 0, 0);
    return false;
}
