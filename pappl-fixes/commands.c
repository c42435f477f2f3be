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
 * - `status` has no place between the time and the reasons of the state;
 * - `jobs` gives no reasons, and `options` lists few options;
 * - the address of a printer is made of its name, and may be another one's.
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
#define MAX_VALUES 8192
#define MAX_NAME 128

/* Whether this process is a command; a server asks itself, too. */
static bool is_command;

static http_t *server; /* of the command */

/* ---- Servers ---------------------------------------------------------------
 */

http_t *_papplMainloopConnect(const char *base, bool starts)
{
    const bool says = application()->no_server != NULL;

    is_command = true;
    http_t *http = REAL(_papplMainloopConnect)(base, starts && !says);

    if (http == NULL && starts && says)
        application()->no_server(base);
    return server = http;
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
static bool reprints;   /* the command cancels nothing */

int papplfixes_reprint(const char *base, int count, cups_option_t *options,
                       int files, char **names, void *data)
{
    (void)names, (void)data;
    reprints = true;
    if (files == 0 && cupsGetOption("job-id", count, options) != NULL)
        return _papplMainloopCancelJob(base, count, options);
    fprintf(stderr, "%s: Give the number of a job: -j JOB\n", base);
    return 1;
}

/* Whether PAPPL's command takes a refusal for an empty answer. */
static bool is_only_shown(ipp_op_t operation)
{
    return operation == IPP_OP_GET_JOBS || operation == IPP_OP_GET_PRINTERS ||
           operation == IPP_OP_GET_PRINTER_ATTRIBUTES ||
           operation == IPP_OP_GET_SYSTEM_ATTRIBUTES;
}

/* Says why a job is not printed, in place of the default texts of PAPPL. */
static void add_reason(ipp_t *answer, ipp_attribute_t *name, int state,
                       const char *message, ipp_attribute_t *reasons)
{
    static const char kept[] = "job-restartable"; /* the last reason */
    const bool again = ippContainsString(reasons, kept);
    char text[2 * MAX_TEXT], why[MAX_TEXT] = "";

    if (name == NULL)
        return;
    if (message != NULL && strncmp(message, "Job ", 4) != 0)
        snprintf(why, sizeof why, "%s", message);
    else if (reasons != NULL && state != IPP_JSTATE_PROCESSING)
        ippAttributeString(reasons, why, sizeof why);
    if (state == IPP_JSTATE_COMPLETED || strcmp(why, "none") == 0)
        why[0] = '\0';
    else if (strstr(why, kept) > why)
        strstr(why, kept)[-1] = '\0';
    snprintf(text, sizeof text, "%s%s%s%s", ippGetString(name, 0, NULL),
             why[0] != '\0' ? ": " : "", why,
             again ? " (can be printed again)" : "");
    (void)ippSetString(answer, &name, 0, text);
}

/* Adds to the name of each job, which is shown last, why it is not printed. */
static void add_reasons(ipp_t *answer)
{
    ipp_attribute_t *at = ippFirstAttribute(answer);

    while (at != NULL) {
        ipp_attribute_t *name = NULL, *reasons = NULL;
        const char *message = NULL;
        int state = 0;

        for (; at != NULL && ippGetName(at) != NULL;
             at = ippNextAttribute(answer)) {
            const char *called = ippGetName(at);

            if (strcmp(called, "job-name") == 0)
                name = at;
            else if (strcmp(called, "job-state") == 0)
                state = ippGetInteger(at, 0);
            else if (strcmp(called, "job-state-message") == 0)
                message = ippGetString(at, 0, NULL);
            else if (strcmp(called, "job-state-reasons") == 0)
                reasons = at;
        }
        add_reason(answer, name, state, message, reasons);
        at = ippNextAttribute(answer);
    }
}

/* PAPPL's command cancels all jobs by the name of those of its user, and asks
 * for no reasons. */
static void change(ipp_t *request)
{
    ipp_attribute_t *wanted =
        ippFindAttribute(request, "requested-attributes", IPP_TAG_KEYWORD);

    if (reprints && ippGetOperation(request) == IPP_OP_CANCEL_JOB)
        ippSetOperation(request, IPP_OP_RESUBMIT_JOB);
    if (ippGetOperation(request) == IPP_OP_CANCEL_MY_JOBS)
        ippSetOperation(request, IPP_OP_CANCEL_JOBS);
    if (ippGetOperation(request) != IPP_OP_GET_JOBS)
        return;
    (void)ippSetString(request, &wanted, ippGetCount(wanted),
                       "job-state-message");
    (void)ippSetString(request, &wanted, ippGetCount(wanted),
                       "job-state-reasons");
}

ipp_t *cupsDoRequest(http_t *http, ipp_t *request, const char *resource)
{
    const ipp_op_t operation = ippGetOperation(request);

    if (is_command)
        change(request);
    ipp_t *answer = REAL(cupsDoRequest)(http, request, resource);

    if (is_command && operation == IPP_OP_GET_JOBS)
        add_reasons(answer);
    ipp_attribute_t *job = ippFindAttribute(answer, "job-id", IPP_TAG_INTEGER);

    if (reprints && job != NULL)
        printf("%d\n", ippGetInteger(job, 0));
    if (!is_command || cupsLastError() < IPP_STATUS_ERROR_BAD_REQUEST)
        return answer;
    has_failed = true;
    if (!is_only_shown(operation) && !reprints)
        return answer;
    /* When a connection has ended, libcups reports whatever errno happens to
     * be. */
    fprintf(stderr, "%s: %s\n", program_invocation_short_name,
            httpGetStatus(http) == HTTP_STATUS_ERROR
                ? "The server's answer did not come."
                : cupsLastErrorString());
    exit(1);
}

/* ---- Printers ------------------------------------------------------------ */

/* Returns the address of the printer of that name, the answer's; NULL = there
 * is none. */
static const char *address_in(ipp_t *answer, const char *name)
{
    const char *uri = NULL;
    bool is_it = false;

    for (ipp_attribute_t *at = ippFirstAttribute(answer);;
         at = ippNextAttribute(answer)) {
        const char *called = ippGetName(at);

        if (called == NULL && (at == NULL || is_it))
            return is_it ? uri : NULL;
        if (called == NULL)
            uri = NULL;
        else if (strcmp(called, "printer-name") == 0)
            is_it = strcmp(ippGetString(at, 0, NULL), name) == 0;
        else if (strcmp(called, "printer-uri-supported") == 0)
            uri = ippGetString(at, 0, NULL);
    }
}

/* PAPPL makes an address of the name, which is another printer's where the name
 * begins with a digit, or is like that of another one. */
void _papplMainloopAddPrinterURI(ipp_t *request, const char *name,
                                 char *resource, size_t size)
{
    static const char *const wanted[] = {"printer-name",
                                         "printer-uri-supported"};
    ipp_t *question = ippNewRequest(IPP_OP_GET_PRINTERS);
    char scheme[32], user[256], host[256], address[MAX_PATH];
    int port;

    ippAddString(question, IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri", NULL,
                 "ipp://localhost/ipp/system");
    ippAddString(question, IPP_TAG_OPERATION, IPP_TAG_NAME,
                 "requesting-user-name", NULL, cupsUser());
    ippAddStrings(question, IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                  "requested-attributes", 2, NULL, wanted);
    ipp_t *answer = cupsDoRequest(server, question, "/ipp/system");
    const char *uri = address_in(answer, name);

    if (uri == NULL ||
        httpSeparateURI(HTTP_URI_CODING_ALL, uri, scheme, sizeof scheme, user,
                        sizeof user, host, sizeof host, &port, resource,
                        (int)size) < HTTP_URI_STATUS_OK) {
        fprintf(stderr, "%s: There is no printer \"%s\".\n",
                program_invocation_short_name, name);
        exit(1);
    }
    httpAssembleURI(HTTP_URI_CODING_ALL, address, sizeof address, "ipp", NULL,
                    "localhost", 0, resource);
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", NULL,
                 address);
    ippDelete(answer);
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

/* Asks about the printer that the options name, or else about the server if
 * `of_server`, or the default printer. Returns NULL after a message. */
static ipp_t *ask(const char *base, int count, cups_option_t *options,
                  bool of_server)
{
    const char *uri = cupsGetOption("printer-uri", count, options),
               *name = cupsGetOption("printer-name", count, options);
    char resource[MAX_PATH] = "/ipp/system", usual[MAX_TEXT];
    http_t *http = uri != NULL ? _papplMainloopConnectURI(base, uri, resource,
                                                          sizeof resource)
                               : _papplMainloopConnect(base, !of_server);

    of_server = of_server && uri == NULL && name == NULL;
    if (http == NULL) {
        if (application()->no_server == NULL || of_server)
            puts("Server is not running.");
        return NULL;
    }
    if (uri == NULL && name == NULL && !of_server)
        name = _papplMainloopGetDefaultPrinter(http, usual, sizeof usual);
    if (uri == NULL && name == NULL && !of_server) {
        fprintf(stderr, "%s: No default printer available.\n", base);
        return NULL;
    }
    ipp_t *request = ippNewRequest(of_server ? IPP_OP_GET_SYSTEM_ATTRIBUTES
                                             : IPP_OP_GET_PRINTER_ATTRIBUTES);

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

    httpClose(http);
    return answer;
}

int _papplMainloopShowStatus(const char *base, int count,
                             cups_option_t *options)
{
    ipp_t *answer = ask(base, count, options, true);

    if (answer == NULL)
        return 1;
    show(answer,
         find(answer, "system", "state") != NULL ? "system" : "printer");
    ippDelete(answer);
    return 0;
}

/* ---- Options ------------------------------------------------------------- */

/* Writes a number of 1/100 mm as people, and commands, have it. */
static size_t write_length(char *text, size_t size, int length)
{
    return (size_t)(length % 635 == 0
                        ? snprintf(text, size, "%.4gin", length / 2540.0)
                        : snprintf(text, size, "%.4gmm", length / 100.0));
}

/* Writes the values of an attribute with commas, as options have them. */
static void write_values(ipp_attribute_t *of, bool is_length,
                         char text[MAX_VALUES])
{
    size_t used = 0;

    text[0] = '\0';
    if (!is_length && of != NULL)
        ippAttributeString(of, text, MAX_VALUES);
    for (int i = 0; is_length && i < ippGetCount(of) && used < MAX_VALUES - 64;
         i++) {
        const bool is_range = ippGetValueTag(of) == IPP_TAG_RANGE;
        int last = 0;
        const int first =
            is_range ? ippGetRange(of, i, &last) : ippGetInteger(of, i);

        if (i > 0)
            text[used++] = ',';
        used += write_length(text + used, MAX_VALUES - used, first);
        if (!is_range)
            continue;
        used += (size_t)snprintf(text + used, MAX_VALUES - used, " to ");
        used += write_length(text + used, MAX_VALUES - used, last);
    }
}

/* Shows the values of an option, first the default, which is in the attribute
 * `usual`: "...-configured", as the option itself, of the printer's own. */
static void show_option(ipp_t *about, const char *name, const char *usual)
{
    static const char *const lengths[] = {"label-tear-offset",
                                          "media-left-offset",
                                          "media-top-offset", "print-speed"};
    char all[MAX_VALUES], first[MAX_VALUES], supported[MAX_NAME], *rest = NULL;
    bool is_length = false;

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        is_length |= strncmp(name, lengths[i], strlen(lengths[i])) == 0;
    snprintf(supported, sizeof supported, "%.*s-supported",
             strcmp(name, usual) == 0 ? (int)(strrchr(name, '-') - name)
                                      : (int)strlen(name),
             name);
    write_values(ippFindAttribute(about, supported, IPP_TAG_ZERO), is_length,
                 all);
    if (all[0] != '\0' && strcmp(name, "print-darkness") == 0)
        strcpy(all, "-100 to 100"); /* the attribute counts steps */
    write_values(ippFindAttribute(about, usual, IPP_TAG_ZERO), is_length,
                 first);
    if (first[0] != '\0')
        printf("  -o %s=%s (default)\n", name, first);
    for (const char *value = strtok_r(all, ",", &rest); value != NULL;
         value = strtok_r(NULL, ",", &rest))
        if (strcmp(value, first) != 0)
            printf("  -o %s=%s\n", name, value);
}

/* Whether an option of jobs says something of how they are printed. */
static bool is_shown(const char *name)
{
    static const char *const others[] = {"copies", "ipp-attribute-fidelity",
                                         "media-col", "page-ranges"};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i]) == 0)
            return false;
    return strncmp(name, "job-", 4) != 0;
}

int _papplMainloopShowOptions(const char *base, int count,
                              cups_option_t *options)
{
    static const char *const media[] = {"media-left-offset", "media-source",
                                        "media-top-offset", "media-tracking",
                                        "media-type"};
    static const char *const own[] = {"label-mode-configured",
                                      "label-tear-offset-configured"};
    static const char *const texts[] = {
        "geo-location='geo:LATITUDE,LONGITUDE'", "location='LOCATION'",
        "organization='ORGANIZATION'", "organizational-unit='UNIT/SECTION'"};
    ipp_t *answer = ask(base, count, options, false);
    ipp_attribute_t *names = ippFindAttribute(
        answer, "job-creation-attributes-supported", IPP_TAG_KEYWORD);
    char usual[MAX_NAME];

    if (answer == NULL)
        return 1;
    puts("Print job options:\n  -n COPIES\n  -o page-ranges=FIRST-LAST,...");
    for (int i = 0; i < ippGetCount(names); i++) {
        const char *name = ippGetString(names, i, NULL);

        snprintf(usual, sizeof usual, "%s-default", name);
        if (is_shown(name))
            show_option(answer, name, usual);
    }
    for (size_t i = 0; i < sizeof media / sizeof media[0]; i++) {
        snprintf(usual, sizeof usual, "media-col-default/%s", media[i]);
        show_option(answer, media[i], usual);
    }
    puts("\nPrinter options:");
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        show_option(answer, own[i], own[i]);
    if (ippFindAttribute(answer, "printer-darkness-supported", IPP_TAG_ZERO) !=
        NULL)
        puts("  -o printer-darkness-configured=0 to 100");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        printf("  -o printer-%s\n", texts[i]);
    ippDelete(answer);
    return 0;
}
