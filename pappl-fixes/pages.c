/*
 * pages.c - web pages go through page_mend(): PAPPL 1.3 (client-webif.c, the
 * functions papplClientHTML...) sends HTML without a language, names of fields,
 * landmarks, and with an id that many forms share, and reloads pages while they
 * are read.
 *
 * PAPPL writes HTML with httpWrite2() of libcups, and ends each page with a
 * piece of no bytes. So what a thread writes to a client is kept from
 * papplClientHTMLHeader() on until then, and sent when it is mended.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "pappl-fixes/pages.h"
#include "pappl-fixes/pappl.h"
#include "printer-app/web/page_mend.h"

typedef ssize_t http_write(http_t *http, const char *bytes, size_t size);
typedef void header(pappl_client_t *client, const char *title, int refresh);

/* The page that a thread is writing. Clients have a thread each. */
static _Thread_local struct {
    pappl_client_t *client; /* NULL: none */
    struct html html;
} page;

/* What is wrong with the form that the page answers. */
static _Thread_local char wrong_field[128], wrong_why[256];

void page_is_wrong(const char *field, const char *why)
{
    snprintf(wrong_field, sizeof wrong_field, "%s", field);
    snprintf(wrong_why, sizeof wrong_why, "%s", why);
}

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

static ssize_t write_to(http_t *http, const char *bytes, size_t size)
{
    static _Thread_local http_write *libcups;

    if (libcups == NULL)
        override_find(&libcups, "httpWrite2");
    return libcups != NULL ? libcups(http, bytes, size) : -1;
}

/* Returns the language of PAPPL's text for this client: English, where it has
 * none of those that the browser asks for. */
static const char *language_of(pappl_client_t *client)
{
    static const char *const languages[] = {"de", "es",    "fr", "it",
                                            "ja", "nb-NO", "pl", "tr"};
    const pappl_loc_t *loc = papplClientGetLoc(client);

    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++)
        if (loc != NULL && papplSystemFindLoc(papplClientGetSystem(client),
                                              languages[i]) == loc)
            return languages[i];
    return "en";
}

static const char *say(const char *english, void *data)
{
    return papplClientGetLocString(data, english);
}

/* Sends what has been kept: mended, or as it is where memory
 * lacks. */
static void send_page(http_t *http)
{
    pappl_system_t *system = papplClientGetSystem(page.client);
    char server[256];
    const struct page_facts facts = {
        .language = language_of(page.client),
        .server = papplSystemGetName(system, server, sizeof server),
        .plain_links =
            strcmp(_papplClientGetAuthWebScheme(page.client), "http") == 0,
        .field = wrong_field,
        .why = wrong_why,
        .say = say,
        .data = page.client};
    struct html mended = {.failed = page.html.failed};

    if (!mended.failed)
        page_mend(&mended, (struct html_span){page.html.bytes, page.html.size},
                  &facts);
    page.client = NULL;
    page_is_wrong("", "");
    if (mended.failed)
        (void)write_to(http, page.html.bytes, page.html.size);
    else
        (void)write_to(http, mended.bytes, mended.size);
    html_free(&mended);
    html_free(&page.html);
}

ssize_t httpWrite2(http_t *http, const char *bytes, size_t size)
{
    if (page.client == NULL || papplClientGetHTTP(page.client) != http)
        return write_to(http, bytes, size);
    if (size > 0) {
        html_span(&page.html, (struct html_span){bytes, size});
        if (!page.html.failed)
            return (ssize_t)size;
    }
    send_page(http);
    return write_to(http, bytes, size);
}

void papplClientHTMLHeader(pappl_client_t *client, const char *title,
                           int refresh)
{
    header *pappl;

    override_find(&pappl, "papplClientHTMLHeader");
    if (pappl == NULL)
        return;
    html_free(&page.html);
    page.client = client;
    pappl(client, title, 0);
    if (refresh > 0)
        papplClientHTMLPuts(client, renew);
}
