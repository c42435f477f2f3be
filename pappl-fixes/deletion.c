/*
 * deletion.c - a printer is deleted when nobody uses it.
 *
 * PAPPL 1.3 frees a printer and its jobs at once (printer.c:725-830), while
 * other clients' requests have found it, and the thread of its last job reads
 * it once more (finish_job, job-process.c:1023-1047). Two that delete it free
 * it twice. It does so with the system's lock for writing, and wants the
 * printer's, while a thread that has the printer's waits for the system's to
 * tell of an event (system-subscription.c:104): then both wait for ever. Here
 * nobody finds the printer any longer, and it is freed when those have ended
 * who may have found it before.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pappl-fixes/deletion.h"
#include "pappl-fixes/replaced.h"

#define MAX_PATH 256

#define MOST_DEPTH 8 /* a job's document is saved within a request: 4 */

/* A thread that uses printers. */
struct deletion_visit {
    struct deletion_visit *next;
    unsigned long begun;      /* by `now` */
    pappl_printer_t *printer; /* the only one that it uses; NULL = any */
    bool prints;
};

/* A printer that is deleted. */
struct doomed {
    struct doomed *next;
    pappl_printer_t *printer;
    unsigned long since;                 /* by `now` */
    bool is_freed;                       /* at this moment */
    char name[MAX_PATH], path[MAX_PATH]; /* of its web pages */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long now; /* counts both, with the lock, as what follows */
static struct deletion_visit *visits;
static struct doomed *all;

static _Thread_local struct deletion_visit mine;
static _Thread_local pappl_printer_t *only[MOST_DEPTH];
static _Thread_local unsigned entered; /* how often */

/* ---- Threads that use printers
 * ----------------------------------------------------------
 */

/* Whether a thread may have found the printer before it was deleted. This one
 * may as well, but no longer looks, unless it prints for it. Needs the lock. */
static bool is_used(const struct doomed *doomed)
{
    for (const struct deletion_visit *at = visits; at != NULL; at = at->next)
        if (at->begun < doomed->since &&
            (at->printer == NULL ? at != &mine
                                 : at->printer == doomed->printer))
            return true;
    return false;
}

/* Returns a printer that is to be freed now; NULL = none. */
static struct doomed *take_unused(void)
{
    pthread_mutex_lock(&lock);
    struct doomed *at = all;

    while (at != NULL && (at->is_freed || is_used(at)))
        at = at->next;
    if (at != NULL)
        at->is_freed = true;
    pthread_mutex_unlock(&lock);
    return at;
}

static void forget(struct doomed *doomed)
{
    struct doomed **at = &all;

    pthread_mutex_lock(&lock);
    while (*at != doomed)
        at = &(*at)->next;
    *at = doomed->next;
    pthread_mutex_unlock(&lock);
    free(doomed);
}

void deletion_free(void)
{
    struct doomed *doomed;

    while ((doomed = take_unused()) != NULL) {
        REAL(papplPrinterDelete)(doomed->printer);
        forget(doomed);
    }
}

void deletion_enter(pappl_printer_t *printer)
{
    pthread_mutex_lock(&lock);
    if (entered == 0) {
        mine = (struct deletion_visit){
            .next = visits, .begun = ++now, .prints = printer != NULL};
        visits = &mine;
    }
    mine.printer = printer;
    const bool waits = all != NULL;

    pthread_mutex_unlock(&lock);
    assert(entered < MOST_DEPTH);
    only[entered++] = printer;
    if (waits)
        deletion_free();
}

void deletion_leave(void)
{
    struct deletion_visit **at = &visits;

    pthread_mutex_lock(&lock);
    if (--entered > 0)
        mine.printer = only[entered - 1];
    else {
        while (*at != &mine)
            at = &(*at)->next;
        *at = mine.next;
    }
    const bool waits = all != NULL;

    pthread_mutex_unlock(&lock);
    if (waits)
        deletion_free();
}

bool deletion_has_requests(void)
{
    pthread_mutex_lock(&lock);
    const struct deletion_visit *at = visits;

    while (at != NULL && at->prints)
        at = at->next;
    pthread_mutex_unlock(&lock);
    return at != NULL;
}

/* ---- Replaced functions
 * -------------------------------------------------------
 */

/* Needs the lock. */
static bool is_doomed(const pappl_printer_t *printer)
{
    const struct doomed *at = all;

    while (at != NULL && at->printer != printer)
        at = at->next;
    return at != NULL;
}

bool deletion_begin(pappl_printer_t *printer)
{
    struct doomed *doomed = calloc(1, sizeof *doomed);

    pthread_mutex_lock(&lock);
    const bool begins = doomed != NULL && !is_doomed(printer);

    if (begins) {
        doomed->printer = printer;
        doomed->since = ++now;
        snprintf(doomed->name, sizeof doomed->name, "%s",
                 papplPrinterGetName(printer));
        (void)papplPrinterGetPath(printer, NULL, doomed->path,
                                  sizeof doomed->path);
        doomed->next = all;
        all = doomed;
    }
    pthread_mutex_unlock(&lock);
    if (begins)
        return true;
    if (doomed != NULL)
        free(doomed);
    else
        papplLogPrinter(printer, PAPPL_LOGLEVEL_ERROR,
                        "Not enough memory to delete it");
    return false;
}

/* Whether PAPPL takes a path for a job of the default printer: the paths of
 * printers whose names begin with a digit are others ("/ipp/print/_4x6"). */
static bool is_number(pappl_system_t *system, const char *resource)
{
    static const char before[] = "/ipp/print/";

    return resource != NULL &&
           (papplSystemGetOptions(system) & PAPPL_SOPTIONS_MULTI_QUEUE) != 0 &&
           strncmp(resource, before, sizeof before - 1) == 0 &&
           isdigit((unsigned char)resource[sizeof before - 1]);
}

pappl_printer_t *papplSystemFindPrinter(pappl_system_t *system,
                                        const char *resource, int id,
                                        const char *uri)
{
    pappl_printer_t *printer =
        is_number(system, resource)
            ? NULL
            : REAL(papplSystemFindPrinter)(system, resource, id, uri);

    pthread_mutex_lock(&lock);
    const bool gone = printer != NULL && is_doomed(printer);

    pthread_mutex_unlock(&lock);
    return gone ? NULL : printer;
}

/* Whether the page is the printer's. */
static bool is_of(const struct doomed *doomed, const char *path)
{
    const size_t length = strlen(doomed->path);

    return strncasecmp(path, doomed->path, length) == 0 &&
           (path[length] == '\0' || path[length] == '/');
}

void *_papplSystemFindResourceForPath(pappl_system_t *system, const char *path)
{
    pthread_mutex_lock(&lock);
    const struct doomed *at = all;

    while (at != NULL && !is_of(at, path))
        at = at->next;
    pthread_mutex_unlock(&lock);
    return at == NULL ? REAL(_papplSystemFindResourceForPath)(system, path)
                      : NULL;
}

bool deletion_waits(const char *name)
{
    pthread_mutex_lock(&lock);
    const struct doomed *at = all;

    while (at != NULL && strcasecmp(at->name, name) != 0)
        at = at->next;
    pthread_mutex_unlock(&lock);
    return at != NULL;
}
