/*
 * access.c - checks who may change printers, jobs and subscriptions, by IPP and
 * on web pages.
 *
 * By IPP PAPPL 1.3 lets whoever may print take printers out of service
 * (Disable- and Enable-Printer, printer-ipp.c:1399, :1416), cancel whatever
 * prints, and change the jobs and subscriptions of all others: of one whose
 * name is not the owner's it asks what everybody has who may print
 * (_papplPrinterIsAuthorized, printer-ipp.c:759). Here these operations on
 * printers are this computer's, as all others are; jobs and subscriptions are
 * their users' and this computer's, as in CUPS. Nobody proves a name: that
 * takes auth-service, and then PAPPL decides about jobs.
 *
 * On web pages it asks papplClientHTMLAuthorize() before it shows a page that
 * changes something, and that lets everybody do so who reaches the port, until
 * there is a password, and with one everybody who types any other
 * (client-webif.c:438). A printer's own page, with buttons that pause it and
 * hold its jobs, does not ask at all (_papplPrinterWebHome,
 * printer-webif.c:734). A printer can be a file and take a job as it is, so a
 * stranger would write files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "pappl-fixes/replaced.h"
#include "pappl-fixes/access.h"

/* ---- Web pages ------------------------------------------------------------
 */

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
    if (may_change(client))
        return REAL(papplClientHTMLAuthorize)(client);
    papplClientRespond(client, HTTP_STATUS_FORBIDDEN, NULL, NULL, 0, 0);
    return false;
}

/* ---- IPP ------------------------------------------------------------------
 */

static bool is_of_administrators(ipp_op_t operation)
{
    return operation == IPP_OP_DISABLE_PRINTER ||
           operation == IPP_OP_ENABLE_PRINTER ||
           operation == IPP_OP_CANCEL_CURRENT_JOB ||
           operation == IPP_OP_CANCEL_JOBS;
}

/* Returns the owner of the job or subscription that the request changes; NULL =
 * it changes none. */
static const char *owner_of_object(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client);
    pappl_subscription_t *subscription;

    switch (ippGetOperation(request)) {
    case IPP_OP_CANCEL_JOB:
    case IPP_OP_HOLD_JOB:
    case IPP_OP_RELEASE_JOB:
    case IPP_OP_RESUBMIT_JOB:
    case IPP_OP_CLOSE_JOB:
    case IPP_OP_SEND_DOCUMENT:
        return papplJobGetUsername(papplClientGetJob(client));
    case IPP_OP_CANCEL_SUBSCRIPTION:
    case IPP_OP_RENEW_SUBSCRIPTION:
        subscription = papplSystemFindSubscription(
            papplClientGetSystem(client),
            ippGetInteger(ippFindAttribute(request, "notify-subscription-id",
                                           IPP_TAG_INTEGER),
                          0));
        return papplSubscriptionGetUsername(subscription);
    default:
        return NULL;
    }
}

/* Whether the request names that user. Who has a document to a job of his may
 * leave his name out: it was in the request that made the job. */
static bool is_of(ipp_t *request, const char *owner)
{
    const ipp_op_t operation = ippGetOperation(request);
    const char *user = ippGetString(
        ippFindAttribute(request, "requesting-user-name", IPP_TAG_NAME), 0,
        NULL);

    if (user == NULL)
        return operation == IPP_OP_SEND_DOCUMENT ||
               operation == IPP_OP_CLOSE_JOB || strcmp(owner, "guest") == 0 ||
               strcmp(owner, "anonymous") == 0;
    return strcasecmp(user, owner) == 0;
}

bool _papplPrinterIsAuthorized(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client);

    if (is_of_administrators(ippGetOperation(request))) {
        const http_status_t status = papplClientIsAuthorized(client);

        if (status != HTTP_STATUS_CONTINUE)
            papplClientRespond(client, status, NULL, NULL, 0, 0);
        return status == HTTP_STATUS_CONTINUE;
    }
    const char *owner = owner_of_object(client);

    if (owner != NULL && !web_is_local(client) &&
        papplSystemGetAuthService(papplClientGetSystem(client)) == NULL &&
        !is_of(request, owner)) {
        papplClientRespondIPP(client, IPP_STATUS_ERROR_NOT_AUTHORIZED,
                              "This is another user's.");
        return false;
    }
    return REAL(_papplPrinterIsAuthorized)(client);
}
