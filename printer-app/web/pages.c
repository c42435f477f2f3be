/*
 * pages.c - the web pages go through page_mend(), renew themselves while nobody
 * is about to use them, and say why they are refused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/web/page_form.h"
#include "printer-app/web/page_mend.h"
#include "printer-app/web/pages.h"

/* ---- Mending ---------------------------------------------------------------
 */

static const char *say(const char *english, void *data)
{
    return papplClientGetLocString(data, english);
}

char *pages_mend(pappl_client_t *client, const char *page, size_t size,
                 size_t *bytes)
{
    char server[256];
    const char *field, *why = papplfixes_default_refusal(&field);
    const struct page_facts facts = {
        .language = papplfixes_language(),
        .server = papplSystemGetName(papplClientGetSystem(client), server,
                                     sizeof server),
        .plain_links =
            strcmp(_papplClientGetAuthWebScheme(client), "http") == 0,
        .field = field,
        .why = why,
        .say = say,
        .data = client};

    return page_mend(page, size, &facts, bytes);
}

/* ---- Renewing -------------------------------------------------------------
 */

/* Looks again every 10 s, as PAPPL's pages do, but takes in what has changed
 * only where nobody is about to use it. */
static const char renew[] =
    "<script>\n"
    "setInterval(async () => {\n"
    "  const main = document.querySelector('[role=main]');\n"
    "  if (document.hidden || main.contains(document.activeElement)) return;\n"
    "  const answer = await fetch(location.href);\n"
    "  const page = new DOMParser().parseFromString(\n"
    "    await answer.text(), 'text/html');\n"
    "  const now = page.querySelector('[role=main]');\n"
    "  if (answer.ok && now && now.innerHTML != main.innerHTML)\n"
    "    main.replaceWith(now);\n"
    "}, 10000);\n"
    "</script>\n";

void pages_renew(pappl_client_t *client)
{
    papplClientHTMLPuts(client, renew);
}

/* ---- Refusals -------------------------------------------------------------
 */

static void show(pappl_client_t *client, const char *title, const char *why)
{
    papplClientHTMLHeader(client, title, 0);
    papplClientHTMLPuts(client, "<div class=\"content\">\n");
    page_text(client, "h1", NULL, title);
    page_text(client, "p", NULL, why);
    papplClientHTMLPuts(client, "</div>\n");
    papplClientHTMLFooter(client);
}

void pages_refuse(pappl_client_t *client, http_status_t status)
{
    if (status == HTTP_STATUS_FORBIDDEN)
        show(client, "Not from here",
             "Only whoever uses the computer that this server runs on can do "
             "that, on these pages as http://localhost. From elsewhere it "
             "takes a tunnel, as: ssh -L 8631:localhost:8631 HOST");
    else
        show(client, "There is no such page",
             "The printer may have been deleted, or has another name now.");
}
