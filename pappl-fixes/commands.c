/*
 * commands.c - commands fail when what they ask for is not there.
 *
 * PAPPL 1.3 (mainloop-subcommands.c, mainloop-support.c:365-447):
 * - commands that find no server start one, without a word, which keeps running
 *   as their user: while the service is stopped, jobs go to a server with other
 *   printers, or none;
 * - `status`, `jobs`, `printers` and `autoadd` do not look whether the server
 *   has refused: a printer that is not there has been idle since 1970, and has
 *   no jobs;
 * - `status` has no place between the time and the reasons of the state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* program_invocation_short_name */

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/replaced.h"

#define MAX_PATH 1024
#define MAX_TEXT 1024

/* Whether this process is a command; a server asks itself, too. */
static bool is_command;

/* ---- Servers ---------------------------------------------------------------
 */

http_t *_papplMainloopConnect(const char *base, bool starts)
{
    const bool says = application()->no_server != NULL;

    is_command = true;
    http_t *http = REAL(_papplMainloopConnect)(base, starts && !says);

    if (http == NULL && starts && says)
        application()->no_server(base);
    return http;
}

http_t *_papplMainloopConnectURI(const char *base, const char *uri,
                                 char *resource, size_t size)
{
    is_command = true;
    return REAL(_papplMainloopConnectURI)(base, uri, resource, size);
}

/* ---- Refusals --------------------------------------------------------------
 */

static bool has_failed; /* something that a command goes on behind */

/* Whether PAPPL's command takes a refusal for an empty answer. */
static bool is_only_shown(ipp_op_t operation)
{
    return operation == IPP_OP_GET_JOBS || operation == IPP_OP_GET_PRINTERS ||
           operation == IPP_OP_GET_PRINTER_ATTRIBUTES ||
           operation == IPP_OP_GET_SYSTEM_ATTRIBUTES;
}

ipp_t *cupsDoRequest(http_t *http, ipp_t *request, const char *resource)
{
    const ipp_op_t operation = ippGetOperation(request);

    if (operation == IPP_OP_CANCEL_MY_JOBS) /* PAPPL takes that for all */
        ippSetOperation(request, IPP_OP_CANCEL_JOBS);
    ipp_t *answer = REAL(cupsDoRequest)(http, request, resource);

    if (!is_command || cupsLastError() < IPP_STATUS_ERROR_BAD_REQUEST)
        return answer;
    has_failed = true;
    if (!is_only_shown(operation))
        return answer;
    /* When a connection has ended, libcups reports whatever errno happens to
     * be. */
    fprintf(stderr, "%s: %s\n", program_invocation_short_name,
            httpGetStatus(http) == HTTP_STATUS_ERROR
                ? "The server's answer did not come."
                : cupsLastErrorString());
    exit(1);
}

int _papplMainloopAutoAddPrinters(const char *base, int count,
                                  cups_option_t *options)
{
    return REAL(_papplMainloopAutoAddPrinters)(base, count, options) != 0 ||
           has_failed;
}

/* ---- The state
 * --------------------------------------------------------------- */

/* Adds "printer-" or "system-" to a name, and finds that. */
static ipp_attribute_t *find(ipp_t *answer, const char *whose, const char *name)
{
    char whole[64];

    snprintf(whole, sizeof whole, "%s-%s", whose, name);
    return ippFindAttribute(answer, whole, IPP_TAG_ZERO);
}

static void show(ipp_t *answer, const char *whose)
{
    static const char *const words[] = {"idle", "processing jobs", "stopped"};
    const int state = ippGetInteger(find(answer, whose, "state"), 0);
    ipp_attribute_t *reasons = find(answer, whose, "state-reasons");
    const time_t since = ippDateToTime(
        ippGetDate(find(answer, whose, "state-change-date-time"), 0));
    const char *message =
        ippGetString(find(answer, whose, "state-message"), 0, NULL);
    char list[MAX_TEXT] = "none", date[64];

    if (reasons != NULL)
        ippAttributeString(reasons, list, sizeof list);
    printf("Running, %s since %s",
           words[state == IPP_PSTATE_PROCESSING ? 1
                 : state == IPP_PSTATE_STOPPED  ? 2
                                                : 0],
           httpGetDateString2(since, date, sizeof date));
    if (strcmp(list, "none") != 0)
        printf(": %s", list);
    if (strcmp(list, "none") != 0 && message != NULL)
        printf(". %s\n", message);
    else
        puts(".");
}

/* Lists drivers without the system that PAPPL begins for that, whose folders
 * would be those of who calls it: root's, and not the service's. */
int _papplMainloopShowDrivers(const char *base, int drivers,
                              pappl_pr_driver_t *list,
                              pappl_pr_autoadd_cb_t choose,
                              pappl_pr_driver_cb_t set, int count,
                              cups_option_t *options,
                              pappl_ml_system_cb_t begin, void *data)
{
    const char *id = cupsGetOption("device-id", count, options);
    const char *chosen =
        id != NULL && choose != NULL ? choose(NULL, NULL, id, data) : NULL;

    if (drivers == 0) /* they are the system's */
        return REAL(_papplMainloopShowDrivers)(base, drivers, list, choose, set,
                                               count, options, begin, data);
    for (int i = 0; i < drivers; i++)
        if (id == NULL || (chosen != NULL && strcmp(chosen, list[i].name) == 0))
            printf("%s \"%s\" \"%s\"\n", list[i].name, list[i].description,
                   list[i].device_id != NULL ? list[i].device_id : "");
    return 0;
}

int _papplMainloopShowStatus(const char *base, int count,
                             cups_option_t *options)
{
    const char *uri = cupsGetOption("printer-uri", count, options),
               *name = cupsGetOption("printer-name", count, options);
    const bool of_printer = uri != NULL || name != NULL;
    char resource[MAX_PATH] = "/ipp/system";
    http_t *http = uri != NULL ? _papplMainloopConnectURI(base, uri, resource,
                                                          sizeof resource)
                               : _papplMainloopConnect(base, false);

    if (http == NULL) {
        if (uri == NULL)
            puts("Server is not running.");
        return 1;
    }
    ipp_t *request = ippNewRequest(of_printer ? IPP_OP_GET_PRINTER_ATTRIBUTES
                                              : IPP_OP_GET_SYSTEM_ATTRIBUTES);

    if (uri != NULL)
        ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri",
                     NULL, uri);
    else if (name != NULL)
        _papplMainloopAddPrinterURI(request, name, resource, sizeof resource);
    else
        ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri",
                     NULL, "ipp://localhost/ipp/system");
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_NAME,
                 "requesting-user-name", NULL, cupsUser());
    ipp_t *answer = cupsDoRequest(http, request, resource);

    show(answer, of_printer ? "printer" : "system");
    ippDelete(answer);
    httpClose(http);
    return 0;
}
