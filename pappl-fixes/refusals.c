/*
 * refusals.c - web pages that are refused, or not there, say why: PAPPL 1.3
 * (papplClientRespond(), client.c:509-515) sends a line such as "403 -
 * Forbidden" alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "pappl-fixes/front.h"
#include "pappl-fixes/pappl.h"
#include "printer-app/web/page_form.h"

typedef bool respond(pappl_client_t *client, http_status_t status,
                     const char *encoding, const char *type, time_t modified,
                     size_t length);

/* Whether a browser is to show the answer, which has no content yet. */
static bool is_for_people(pappl_client_t *client, const char *type,
                          size_t length)
{
    const http_state_t method = papplClientGetMethod(client);
    const pappl_soptions_t options =
        papplSystemGetOptions(papplClientGetSystem(client));

    return type == NULL && length == 0 &&
           (method == HTTP_STATE_GET || method == HTTP_STATE_POST) &&
           papplClientGetRequest(client) == NULL &&
           (options & PAPPL_SOPTIONS_WEB_INTERFACE) != 0;
}

static void show(pappl_client_t *client, const char *title, const char *why)
{
    papplClientHTMLHeader(client, title, 0);
    papplClientHTMLPuts(client, "<div class=\"content\">\n");
    page_text(client, "h1", NULL, title);
    page_text(client, "p", NULL, why);
    papplClientHTMLPuts(client, "</div>\n");
    papplClientHTMLFooter(client);
}

bool papplClientRespond(pappl_client_t *client, http_status_t status,
                        const char *encoding, const char *type, time_t modified,
                        size_t length)
{
    respond *pappl;

    if (front_has_answer(client))
        return front_answer(client);
    override_find(&pappl, "papplClientRespond");
    if (pappl == NULL)
        return false;
    if ((status != HTTP_STATUS_FORBIDDEN && status != HTTP_STATUS_NOT_FOUND) ||
        !is_for_people(client, type, length))
        return pappl(client, status, encoding, type, modified, length);
    if (!pappl(client, status, NULL, "text/html", 0, 0))
        return false;
    if (status == HTTP_STATUS_FORBIDDEN)
        show(client, "Not from here",
             "Only whoever uses the computer that this server runs on can do "
             "that, on these pages as http://localhost. From elsewhere it "
             "takes a tunnel, as: ssh -L 8631:localhost:8631 HOST");
    else
        show(client, "There is no such page",
             "The printer may have been deleted, or has another name now.");
    return true;
}
