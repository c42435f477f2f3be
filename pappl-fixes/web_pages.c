/*
 * web_pages.c - web pages that the application writes in place of PAPPL's, or
 * mends before they are sent.
 *
 * PAPPL 1.3 (client-webif.c, the functions papplClientHTML...) sends HTML
 * without a language, names of fields, landmarks, and with an id that many
 * forms share, and reloads pages while they are read. Of several errors it says
 * one, of refused pages a line such as "403 - Forbidden" (client.c:509-515), of
 * ink colors without numbers (printer-webif.c:1376-1432).
 *
 * PAPPL writes HTML with httpWrite2() of libcups, and ends each page with a
 * piece of no bytes. So what a thread writes to a client is kept from
 * papplClientHTMLHeader() on until then, and sent when it is mended.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/front.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/upload.h"

/* ---- Whole pages ----------------------------------------------------------
 */

void _papplSystemWebAddPrinter(pappl_client_t *client, pappl_system_t *system)
{
    if (application()->add_page != NULL)
        application()->add_page(client, system);
    else
        REAL(_papplSystemWebAddPrinter)(client, system);
}

void _papplPrinterWebMedia(pappl_client_t *client, pappl_printer_t *printer)
{
    if (application()->media_page != NULL)
        application()->media_page(client, printer);
    else
        REAL(_papplPrinterWebMedia)(client, printer);
}

void _papplPrinterWebSupplies(pappl_client_t *client, pappl_printer_t *printer)
{
    if (application()->supplies_page != NULL)
        application()->supplies_page(client, printer);
    else
        REAL(_papplPrinterWebSupplies)(client, printer);
}

void _papplClientHTMLInfo(pappl_client_t *client, bool is_form,
                          const char *name, const char *location,
                          const char *geo, const char *organization,
                          const char *unit, pappl_contact_t *contact)
{
    if (application()->info_part != NULL)
        application()->info_part(client, is_form, name, location, geo,
                                 organization, unit, contact);
    else
        REAL(_papplClientHTMLInfo)
    (client, is_form, name, location, geo, organization, unit, contact);
}

/* ---- Refusals -------------------------------------------------------------
 */

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

bool papplClientRespond(pappl_client_t *client, http_status_t status,
                        const char *encoding, const char *type, time_t modified,
                        size_t length)
{
    bool well;

    if (front_has_answer(client))
        return front_answer(client);
    if (upload_answers(client, status, &well))
        return well;
    if (application()->refused_page == NULL ||
        (status != HTTP_STATUS_FORBIDDEN && status != HTTP_STATUS_NOT_FOUND) ||
        !is_for_people(client, type, length))
        return REAL(papplClientRespond)(client, status, encoding, type,
                                        modified, length);
    if (!REAL(papplClientRespond)(client, status, NULL, "text/html", 0, 0))
        return false;
    application()->refused_page(client, status);
    return true;
}

/* ---- Mending --------------------------------------------------------------
 */

/* The page that a thread is writing. Clients have a thread each. */
static _Thread_local struct {
    pappl_client_t *client; /* NULL: none */
    FILE *kept;
    char *bytes;
    size_t size;
} page;

static void forget(void)
{
    if (page.kept != NULL)
        fclose(page.kept);
    free(page.bytes);
    page.kept = NULL;
    page.bytes = NULL;
    page.client = NULL;
}

/* Sends what has been kept: mended, or as it is where memory lacks. */
static void send_page(http_t *http)
{
    pappl_client_t *client = page.client;
    size_t size = 0;

    page.client = NULL; /* what is sent now is not kept */
    fflush(page.kept);
    char *mended =
        page.bytes != NULL
            ? application()->mend_page(client, page.bytes, page.size, &size)
            : NULL;

    if (mended != NULL)
        (void)REAL(httpWrite2)(http, mended, size);
    else if (page.bytes != NULL)
        (void)REAL(httpWrite2)(http, page.bytes, page.size);
    free(mended);
    forget();
}

ssize_t httpWrite2(http_t *http, const char *bytes, size_t size)
{
    if (page.client == NULL || papplClientGetHTTP(page.client) != http)
        return REAL(httpWrite2)(http, bytes, size);
    if (size > 0 && fwrite(bytes, 1, size, page.kept) == size)
        return (ssize_t)size;
    send_page(http);
    return REAL(httpWrite2)(http, bytes, size);
}

void papplClientHTMLHeader(pappl_client_t *client, const char *title,
                           int refresh)
{
    const struct papplfixes *part = application();
    const bool renews = refresh > 0 && part->renew_page != NULL;

    forget();
    if (part->mend_page != NULL)
        page.kept = open_memstream(&page.bytes, &page.size);
    page.client = page.kept != NULL ? client : NULL;
    REAL(papplClientHTMLHeader)(client, title, renews ? 0 : refresh);
    if (renews)
        part->renew_page(client);
}
