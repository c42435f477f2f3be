/*
 * web_access.c - who may change something on the web pages: this computer.
 *
 * PAPPL 1.3 asks papplClientHTMLAuthorize() before it shows a page that changes
 * something, and that lets everybody do so who reaches the port, until there is
 * a password, and with one everybody who types any other (client-webif.c:438).
 * A printer's own page, with buttons that pause it and hold its jobs, does not
 * ask at all (_papplPrinterWebHome, printer-webif.c:734). A printer can be a
 * file and take a job as it is, so a stranger would write files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "pappl-fixes/pappl.h"
#include "pappl-fixes/web_access.h"

typedef bool authorize(pappl_client_t *client);

bool web_is_local(pappl_client_t *client)
{
    const http_addr_t *from = httpGetAddress(papplClientGetHTTP(client));

    return from != NULL && httpAddrLocalhost(from);
}

static bool may_change(pappl_client_t *client)
{
    return web_is_local(client) ||
           (papplSystemGetOptions(papplClientGetSystem(client)) &
            PAPPL_SOPTIONS_WEB_REMOTE) != 0;
}

const char *web_refusal(pappl_client_t *client)
{
    const char *type =
        httpGetField(papplClientGetHTTP(client), HTTP_FIELD_CONTENT_TYPE);

    if (papplClientGetMethod(client) != HTTP_STATE_POST ||
        strcmp(type, "application/ipp") == 0 || may_change(client))
        return NULL;
    return "What changes something has to come from the server's own "
           "computer.\n";
}

bool papplClientHTMLAuthorize(pappl_client_t *client)
{
    authorize *pappl;

    if (may_change(client)) {
        override_find(&pappl, "papplClientHTMLAuthorize");
        return pappl != NULL && pappl(client);
    }
    papplClientRespond(client, HTTP_STATUS_FORBIDDEN, NULL, NULL, 0, 0);
    return false;
}
