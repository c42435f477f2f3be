/*
 * web_access.c - who may change something on the web pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "printer-app/overrides/pappl.h"

typedef bool authorize(pappl_client_t *client);

/*
 * Whoever is at this computer, or has a tunnel to it. PAPPL asks this before it
 * shows a page that changes something, and itself lets everybody do so who
 * reaches its port, until there is a password, and with one everybody who types
 * any other. A printer can be a file and take a job as it is, so a stranger
 * would write files. IPP requests that change printers are right already: they
 * have to come from this computer.
 */
bool papplClientHTMLAuthorize(pappl_client_t *client)
{
    const http_addr_t *from = httpGetAddress(papplClientGetHTTP(client));
    const pappl_soptions_t options =
        papplSystemGetOptions(papplClientGetSystem(client));
    authorize *pappl;

    if ((options & PAPPL_SOPTIONS_WEB_REMOTE) != 0 ||
        (from != NULL && httpAddrLocalhost(from))) {
        override_find(&pappl, "papplClientHTMLAuthorize");
        return pappl != NULL && pappl(client);
    }
    papplClientRespond(client, HTTP_STATUS_FORBIDDEN, NULL, NULL, 0, 0);
    return false;
}
