/*
 * queue.c - for how long jobs wait that are not to be printed yet.
 *
 * PAPPL 1.3 keeps a job whose document does not come for ever, though it tells
 * clients that after 60 s it is aborted ("multiple-operation-time-out",
 * printer.c:556-560). A job that is held until some time is released by the
 * first look before that time, and by none behind it (job.c:766).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pappl-fixes/deletion.h"
#include "pappl-fixes/life.h"
#include "pappl-fixes/queue.h"
#include "pappl-fixes/receive.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/shares.h"
#include "pappl-fixes/seconds.h"

#define CLEAN 10 /* s between two looks at jobs that have ended */

/* Set before there are jobs. */
static int most_seconds = QUEUE_SECONDS, most_hold = QUEUE_HOLD;

void queue_limit(int seconds, int hold_seconds)
{
    most_seconds = seconds;
    most_hold = hold_seconds;
}

/* ---- Jobs whose time is over --------------------------------------------- */

/* A job that has no document, or is held. */
struct waiting {
    struct waiting *next;
    pappl_printer_t *printer;
    int job;
    double since; /* s; its first look */
    bool is_there;
};

static struct waiting *all; /* of the thread that looks */

static void find(pappl_job_t *job, void *data)
{
    const enum life state = life_of(job);
    struct waiting *at = all;

    (void)data;
    if (state != LIFE_CREATED && state != LIFE_HELD)
        return;
    while (at != NULL && (at->printer != papplJobGetPrinter(job) ||
                          at->job != papplJobGetID(job)))
        at = at->next;
    if (at == NULL && (at = calloc(1, sizeof *at)) != NULL) {
        *at = (struct waiting){.next = all,
                               .printer = papplJobGetPrinter(job),
                               .job = papplJobGetID(job),
                               .since = seconds_now()};
        all = at;
    }
    if (at != NULL)
        at->is_there = true;
}

static void look_at(pappl_printer_t *printer, void *data)
{
    papplPrinterIterateActiveJobs(printer, find, data, 1, 0);
    _papplPrinterCheckJobs(printer);
}

/* Times of day go by the clock on the wall, and are kept over restarts. */
static void look_at_held(pappl_job_t *job)
{
    const time_t day = time(NULL);
    char text[PAPPLFIXES_WHY];

    life_lock();
    const time_t until = ippDateToTime(
        ippGetDate(papplJobGetAttribute(job, "job-hold-until-time"), 0));

    life_unlock();
    if (until != 0 && until <= day)
        (void)papplJobRelease(job, "job-hold-until");
    else if (shares_is_stranger(job) &&
             papplJobGetTimeCreated(job) + most_hold <= day) {
        snprintf(text, sizeof text, "It was held for %d seconds", most_hold);
        receive_cancel(job, LIFE_EXPIRE, text);
    }
}

static void look_at_job(pappl_job_t *job, double since)
{
    char text[64];

    snprintf(text, sizeof text, "No document has come for %d seconds",
             most_seconds);
    if (seconds_now() - since >= most_seconds)
        receive_abandon(job, text);
    if (life_of(job) == LIFE_HELD)
        look_at_held(job);
}

void queue_look(pappl_system_t *system)
{
    static double cleaned;
    struct waiting **at = &all, *gone;

    deletion_enter(NULL, NULL);
    papplSystemIteratePrinters(system, look_at, NULL);
    if (seconds_now() - cleaned >= CLEAN) {
        papplSystemCleanJobs(system);
        cleaned = seconds_now();
    }
    while (*at != NULL)
        if ((*at)->is_there) {
            pappl_job_t *job = papplPrinterFindJob((*at)->printer, (*at)->job);

            if (job != NULL)
                look_at_job(job, (*at)->since);
            (*at)->is_there = false;
            at = &(*at)->next;
        } else {
            gone = *at;
            *at = gone->next;
            free(gone);
        }
    deletion_leave();
}

/* ---- Holding until some time --------------------------------------------- */

/* Returns when a period begins next, now if it has; 0: it is none. */
static time_t begin_of(const char *period)
{
    static const struct {
        const char *name;
        int from, to; /* hours */
    } periods[] = {{"day-time", 6, 18},   {"evening", 18, 24},
                   {"night", 18, 30},     {"second-shift", 16, 24},
                   {"third-shift", 0, 8}, {"weekend", 0, 24}};
    const size_t count = sizeof periods / sizeof periods[0];
    const time_t day = time(NULL);
    struct tm at;
    size_t i = 0;

    while (i < count && strcmp(periods[i].name, period) != 0)
        i++;
    if (i == count)
        return 0;
    localtime_r(&day, &at);
    const bool weekend = strcmp(period, "weekend") == 0,
               is_in = weekend ? at.tm_wday == 0 || at.tm_wday == 6
                               : (at.tm_hour >= periods[i].from &&
                                  at.tm_hour < periods[i].to) ||
                                     at.tm_hour + 24 < periods[i].to;

    if (is_in)
        return day;
    at.tm_mday += weekend ? 6 - at.tm_wday : at.tm_hour >= periods[i].to;
    at.tm_hour = periods[i].from;
    at.tm_min = at.tm_sec = 0;
    at.tm_isdst = -1;
    return mktime(&at);
}

/* A job that is held has the reason, or its document's end would release it. */
bool _papplJobHoldNoLock(pappl_job_t *job, const char *user, const char *until,
                         time_t time)
{
    const time_t begin = until != NULL ? begin_of(until) : 0;

    if (begin != 0)
        return REAL(_papplJobHoldNoLock)(job, user, NULL, begin);
    return REAL(_papplJobHoldNoLock)(
        job, user, until == NULL && time == 0 ? "indefinite" : until, time);
}
