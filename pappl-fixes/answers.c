/*
 * answers.c - corrects attributes of printers and of the server in answers to
 * clients.
 *
 * PAPPL 1.3 says (printer-ipp.c:60-520, system-ipp.c:725-895):
 * - times since the start of a server that has just started are 0, which IPP
 *   has not (RFC 8011, 5.1.4: integers from 1);
 * - a server without printers changed its state in 1970, which is some 50 years
 *   before its start;
 * - copies in another order than collated, which nobody prints, and none of
 *   raster, which raster_job.c prints;
 * - trays where nothing lies have no names;
 * - two kinds of security, none and TLS, for the one address that clients of
 *   this computer are told (RFC 8011, 5.4.2 and 5.4.3: one for each address);
 * - a printer that does not answer is paused (offline.c);
 * - a job that is held has no reasons, not even "none" (job-ipp.c:320-329: the
 *   loop ends before the reason that it has);
 * - a job's message as it is, without the job's lock (:277, from 256 and 681),
 *   while another thread may free it to set another (job-accessors.c:401).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pappl-fixes/again.h"
#include "pappl-fixes/cancel_jobs.h"
#include "pappl-fixes/locks.h"
#include "pappl-fixes/lists.h"
#include "pappl-fixes/offline.h"
#include "pappl-fixes/shares.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/server.h"
#include "pappl-fixes/state.h"
#include "pappl-fixes/access.h"
#include "pappl-fixes/application.h"

#define MAX_TRAY 256

static void correct_time(ipp_t *in, const char *name)
{
    ipp_attribute_t *seconds = lists_find(in, name);

    if (seconds != NULL && ippGetInteger(seconds, 0) < 1)
        (void)ippSetInteger(in, &seconds, 0, 1);
}

static void correct_copies(ipp_t *in)
{
    ipp_attribute_t *copies = lists_find(in, "copies-supported"),
                    *order =
                        lists_find(in, "multiple-document-handling-supported");

    if (copies != NULL)
        (void)ippSetRange(in, &copies, 0, 1, 999);
    if (order == NULL)
        return;
    ippDeleteAttribute(in, order);
    ippAddString(in, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                 "multiple-document-handling-supported", NULL,
                 "separate-documents-collated-copies");
}

/* Names the trays in which nothing lies: they end with "name=;". */
static void name_trays(ipp_t *in, pappl_printer_t *printer)
{
    static const char end[] = "name=;";
    ipp_attribute_t *trays = lists_find(in, "printer-input-tray");
    pappl_pr_driver_data_t data;
    char text[MAX_TRAY];

    if (trays == NULL || papplPrinterGetDriverData(printer, &data) == NULL)
        return;
    for (int i = 0; i < ippGetCount(trays) && i < data.num_source; i++) {
        int size = 0;
        const char *tray = ippGetOctetString(trays, i, &size);
        const int before = size - (int)(sizeof end - 1);

        if (before < 0 || memcmp(tray + before, end, sizeof end - 1) != 0)
            continue;
        const int length = snprintf(text, sizeof text, "%.*sname=%s;", before,
                                    tray, data.source[i]);

        if (length > 0 && length < MAX_TRAY)
            (void)ippSetOctetString(in, &trays, i, text, length);
    }
}

/* Clients of this computer are told of no address with TLS. */
static void correct_security(ipp_t *in, pappl_client_t *client)
{
    ipp_attribute_t *security = lists_find(in, "uri-security-supported");

    if (security == NULL || ippGetCount(security) == 1 || !web_is_local(client))
        return;
    ippDeleteAttribute(in, security);
    ippAddString(in, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, "uri-security-supported",
                 NULL, "none");
}

void _papplPrinterCopyAttributesNoLock(pappl_printer_t *printer,
                                       pappl_client_t *client,
                                       cups_array_t *wanted, const char *format)
{
    ipp_t *answer = papplClientGetResponse(client);

    REAL(_papplPrinterCopyAttributesNoLock)(printer, client, wanted, format);
    ipp_attribute_t *operations = lists_find(answer, "operations-supported");

    if (operations != NULL)
        (void)ippSetInteger(answer, &operations, ippGetCount(operations),
                            IPP_OP_RESUBMIT_JOB);
    correct_time(answer, "printer-up-time");
    correct_time(answer, "printer-state-change-time");
    if (application()->prints_copies)
        correct_copies(answer);
    name_trays(answer, printer);
    correct_security(answer, client);
    shares_tell_room(client, printer);
}

/* A printer whose device cannot be opened now is not paused (offline.c). */
void _papplPrinterCopyStateNoLock(pappl_printer_t *printer, ipp_tag_t group,
                                  ipp_t *to, pappl_client_t *client,
                                  cups_array_t *wanted)
{
    static const char reasons[] = "printer-state-reasons";
    char why[OFFLINE_WHY];

    REAL(_papplPrinterCopyStateNoLock)(printer, group, to, client, wanted);
    if (!offline_is(printer, why))
        return;
    ipp_attribute_t *state = lists_find(to, "printer-state");

    if (state != NULL)
        (void)ippSetInteger(to, &state, 0, IPP_PSTATE_PROCESSING);
    lists_say(to, "printer-state-message", why);
    lists_add(to, reasons, "connecting-to-device");
    lists_remove(to, reasons, "paused");
}

/* ---- Jobs ---------------------------------------------------------------- */

/* Says how a job has ended, where PAPPL has only what was so before. */
static void say_end(ipp_jstate_t state, ipp_tag_t group, ipp_t *to,
                    const char *name)
{
    static const char *const ends[] = {"job-canceled-by-user",
                                       "aborted-by-system",
                                       "job-completed-successfully"};
    const char *end = ends[state - IPP_JSTATE_CANCELED];

    lists_remove(to, name, "job-incoming");
    lists_remove(to, name, "job-printing");
    if (lists_find(to, name) == NULL)
        ippAddString(to, group, IPP_TAG_KEYWORD, name, NULL, end);
    else
        lists_add(to, name, end);
}

void _papplJobCopyStateNoLock(pappl_job_t *job, ipp_tag_t group, ipp_t *to,
                              cups_array_t *wanted)
{
    static const char name[] = "job-state-reasons",
                      held[] = "job-hold-until-specified";
    const ipp_jstate_t state = papplJobGetState(job);
    char why[OFFLINE_WHY];

    const bool reads = locks_read(job);

    REAL(_papplJobCopyStateNoLock)(job, group, to, wanted);
    if (reads)
        locks_end(job);
    if (state == IPP_JSTATE_PROCESSING &&
        offline_is(papplJobGetPrinter(job), why))
        lists_say(to, "job-state-message", why);
    if (wanted != NULL && cupsArrayFind(wanted, (void *)name) == NULL)
        return;
    const ipp_jstate_t now = papplJobGetState(job);

    if (now >= IPP_JSTATE_CANCELED && now <= IPP_JSTATE_COMPLETED) {
        say_end(now, group, to, name);
        if (again_has(job))
            lists_add(to, name, "job-restartable");
        return;
    }
    if ((papplJobGetReasons(job) & PAPPL_JREASON_JOB_HOLD_UNTIL_SPECIFIED) == 0)
        return;
    ipp_attribute_t *reasons = lists_find(to, name);

    if (reasons == NULL)
        ippAddString(to, group, IPP_TAG_KEYWORD, name, NULL, held);
    else
        (void)ippSetString(to, &reasons, ippGetCount(reasons), held);
}

/* ---- The server ---------------------------------------------------------- */

void _papplSystemProcessIPP(pappl_client_t *client)
{
    ipp_t *answer = papplClientGetResponse(client);

    if (state_has_room(client) && !delete_printer(client))
        REAL(_papplSystemProcessIPP)(client);
    state_save_change(client);
    const time_t started = server_started();
    ipp_attribute_t *date =
        ippFindAttribute(answer, "system-state-change-date-time", IPP_TAG_DATE);

    if (date != NULL && ippDateToTime(ippGetDate(date, 0)) < started)
        (void)ippSetDate(answer, &date, 0, ippTimeToDate(started));
    correct_time(answer, "system-state-change-time");
    correct_time(answer, "system-config-change-time");
    correct_time(answer, "system-up-time");
}
