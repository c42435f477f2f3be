/*
 * access.c - who may change printers, jobs and subscriptions by IPP.
 *
 * PAPPL 1.3 lets whoever may print take printers out of service (Disable- and
 * Enable-Printer, printer-ipp.c:1399, :1416), cancel whatever prints, and
 * change the jobs and subscriptions of all others: of one whose name is not the
 * owner's it asks what everybody has who may print (_papplPrinterIsAuthorized,
 * printer-ipp.c:759). Here these operations on printers are this computer's, as
 * all others are; jobs and subscriptions are their users' and this computer's,
 * as in CUPS. Nobody proves a name: that takes auth-service, and then PAPPL
 * decides about jobs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "pappl-fixes/pappl.h"
#include "pappl-fixes/web_access.h"

typedef bool authorize(pappl_client_t *client);

static bool is_of_administrators(ipp_op_t operation)
{
    return operation == IPP_OP_DISABLE_PRINTER ||
           operation == IPP_OP_ENABLE_PRINTER ||
           operation == IPP_OP_CANCEL_CURRENT_JOB ||
           operation == IPP_OP_CANCEL_JOBS;
}

/* Whose a thing is that the request changes; NULL = it changes nothing of
 * anybody's. */
static const char *owner_of_object(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client);
    pappl_subscription_t *subscription;

    switch (ippGetOperation(request)) {
    case IPP_OP_CANCEL_JOB:
    case IPP_OP_HOLD_JOB:
    case IPP_OP_RELEASE_JOB:
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
    authorize *pappl;

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
    override_find(&pappl, "_papplPrinterIsAuthorized");
    return pappl != NULL && pappl(client);
}
