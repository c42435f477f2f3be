/*
 * reasons.c - why a job has ended: PAPPL 1.3 often says so in its log alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pappl-fixes/locks.h"
#include "pappl-fixes/log_numbers.h"
#include "pappl-fixes/offline.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/restart.h"
#include "pappl-fixes/resubmit.h"

#define MAX_TEXT 1024 /* bytes of a line of the log, as in PAPPL */

/* Keeps the first message of a job's threads. */
static void set_message(pappl_job_t *job, const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    const char *said = papplJobGetMessage(job);

    if (said == NULL || restart_is_note(said))
        papplJobSetMessage(job, "%s", text);
    pthread_mutex_unlock(&lock);
}

/* The first error of a job is its job-state-message. One of saving it is not:
 * then PAPPL has the job's lock. */
void papplLogJob(pappl_job_t *job, pappl_loglevel_t level, const char *format,
                 ...)
{
    struct log_line line;
    char text[MAX_TEXT];
    va_list arguments;

    va_start(arguments, format);
    log_numbers(&line, format, arguments);
    va_end(arguments);
    REAL(papplLogJob)(job, level, LOG_LINE(line));
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (level >= PAPPL_LOGLEVEL_ERROR && !locks_has_any())
        set_message(job, text);
}

/* ---- On the web pages -----------------------------------------------------
 */

/* A page's list of jobs. */
struct reason_list {
    pappl_job_cb_t show;
    pappl_client_t *client;
};

/* Returns the time of which PAPPL's row of the job has the hour. */
static time_t time_of(pappl_job_t *job)
{
    const ipp_jstate_t state = papplJobGetState(job);

    return state >= IPP_JSTATE_CANCELED     ? papplJobGetTimeCompleted(job)
           : state >= IPP_JSTATE_PROCESSING ? papplJobGetTimeProcessed(job)
                                            : papplJobGetTimeCreated(job);
}

/* Shows on which day that was, unless it is today. */
static void show_day(pappl_client_t *client, time_t when)
{
    const time_t now = time(NULL);
    struct tm day, today;
    char text[32];

    localtime_r(&when, &day);
    localtime_r(&now, &today);
    if (when == 0 ||
        (day.tm_yday == today.tm_yday && day.tm_year == today.tm_year))
        return;
    strftime(text, sizeof text, "%Y-%m-%d", &day);
    papplClientHTMLPrintf(client,
                          "              <tr><td></td>"
                          "<td colspan=\"5\">%s</td></tr>\n",
                          text);
}

/* Says why in the page's language, or what is before the colon: behind it may
 * be what another program says. */
static void show_reason(pappl_client_t *client, const char *why)
{
    char head[MAX_TEXT];
    const size_t colon = strcspn(why, ":");
    const char *said = papplClientGetLocString(client, why), *rest = "";

    snprintf(head, sizeof head, "%.*s", (int)colon, why);
    if (said == why && (said = papplClientGetLocString(client, head)) != head)
        rest = why + colon;
    papplClientHTMLPrintf(client,
                          "              <tr><td></td>"
                          "<td colspan=\"5\"%s>%s%s</td></tr>\n",
                          said == head ? " lang=\"en\"" : "",
                          said == head ? why : said, rest);
}

static void show_job(pappl_job_t *job, void *data)
{
    struct reason_list *list = data;
    const ipp_jstate_t state = papplJobGetState(job);
    const char *why =
        state == IPP_JSTATE_ABORTED ? papplJobGetMessage(job) : NULL;
    char waits[OFFLINE_WHY];

    resubmit_row(job);
    list->show(job, list->client);
    resubmit_row(NULL);
    show_day(list->client, time_of(job));
    if (state == IPP_JSTATE_PROCESSING &&
        offline_is(papplJobGetPrinter(job), waits))
        why = waits;
    if (why != NULL)
        show_reason(list->client, why);
}

/* PAPPL calls this for the rows of its web pages alone, whose client `data` is.
 */
void papplPrinterIterateAllJobs(pappl_printer_t *printer, pappl_job_cb_t show,
                                void *data, int first, int limit)
{
    struct reason_list list = {.show = show, .client = data};

    REAL(papplPrinterIterateAllJobs)(printer, show_job, &list, first, limit);
}
