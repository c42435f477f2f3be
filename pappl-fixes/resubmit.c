/*
 * resubmit.c - prints jobs that have ended again, by the request Resubmit-Job
 * (PWG 5100.11), as commands send it and a button of the web pages.
 *
 * PAPPL 1.3 has a button of its own, for jobs that were not canceled, which it
 * shows where documents are kept (printer-webif.c:1103-1134). It asks nobody
 * whether the printer takes another job, looks at no error of its copy, closes
 * a file twice, and makes the job without a document if there is none. Here the
 * request becomes a Print-Job request with what the first one has asked for,
 * and then is checked and limited as any other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "pappl-fixes/again.h"
#include "pappl-fixes/application.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/resubmit.h"

/* ---- The request --------------------------------------------------------- */

static _Thread_local int source = -1;

int resubmit_document(void)
{
    return source;
}

/* Makes it a request for a job like that one. */
static void become_print_job(ipp_t *request, ipp_t *asked, pappl_job_t *job)
{
    static const char format[] = "document-format", uri[] = "printer-uri";
    ipp_attribute_t *at = ippFindAttribute(request, format, IPP_TAG_ZERO);

    ippDeleteAttribute(request, at);
    for (at = ippFirstAttribute(asked); at != NULL;
         at = ippNextAttribute(asked))
        if (ippFindAttribute(request, ippGetName(at), IPP_TAG_ZERO) == NULL)
            ippCopyAttribute(request, at, 0);
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_MIMETYPE, format, NULL,
                 papplJobGetFormat(job));
    if (ippFindAttribute(request, uri, IPP_TAG_URI) == NULL)
        ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, uri, NULL,
                     ippGetString(papplJobGetAttribute(job, "job-printer-uri"),
                                  0, NULL));
    ippSetOperation(request, IPP_OP_PRINT_JOB);
}

bool resubmit(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client), *asked;
    pappl_job_t *job = papplClientGetJob(client);

    if (ippGetOperation(request) != IPP_OP_RESUBMIT_JOB)
        return false;
    if (!_papplPrinterIsAuthorized(client))
        return true;
    asked = ippNew();
    source = again_open(job, asked);
    if (source < 0) {
        papplClientRespondIPP(client, IPP_STATUS_ERROR_NOT_POSSIBLE,
                              "The document of job %d is not kept.",
                              papplJobGetID(job));
    } else {
        become_print_job(request, asked, job);
        _papplPrinterProcessIPP(client);
        close(source);
    }
    source = -1;
    ippDelete(asked);
    return true;
}

/* ---- The button ---------------------------------------------------------- */

static _Thread_local pappl_job_t *row; /* NULL = none */

void resubmit_row(pappl_job_t *job)
{
    row = job;
}

/* Writes a form without a file for the page that prints files: upload.c. */
static void put_button(pappl_client_t *client, pappl_job_t *job)
{
    char uri[256];

    papplPrinterGetPath(papplJobGetPrinter(job), application()->upload_page + 1,
                        uri, sizeof uri);
    papplClientHTMLStartForm(client, uri, true);
    papplClientHTMLPrintf(client,
                          "<input type=\"hidden\" name=\"job-id\" "
                          "value=\"%d\"><input type=\"submit\" value=\"%s\">"
                          "</form>",
                          papplJobGetID(job),
                          papplClientGetLocString(client, "Reprint Job"));
}

/* PAPPL ends each row so, behind its own buttons. */
void papplClientHTMLPuts(pappl_client_t *client, const char *text)
{
    pappl_job_t *job = row;

    if (job != NULL && strcmp(text, "</td></tr>\n") == 0 &&
        application()->upload_page != NULL && again_has(job)) {
        row = NULL;
        put_button(client, job);
    }
    REAL(papplClientHTMLPuts)(client, text);
}
