/*
 * deletion.c - a printer is deleted, and a job forgotten, when nobody uses it.
 *
 * PAPPL 1.3 frees a printer and its jobs at once (printer.c:725-830), while
 * other clients' requests have found it, and the thread of its last job reads
 * it once more (finish_job, job-process.c:1023-1047). Two that delete it free
 * it twice. It does so with the system's lock for writing, and wants the
 * printer's, while a thread that has the printer's waits for the system's to
 * tell of an event (system-subscription.c:104): then both wait for ever. A job
 * that has ended is freed 60 s later by the time of day (job.c:824), which may
 * be at once, while its own thread and requests have it. Here nobody finds
 * either any longer, and they are freed when those have ended who may have
 * found them before.
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

#include "pappl-fixes/again.h"
#include "pappl-fixes/deletion.h"
#include "pappl-fixes/replaced.h"

#define MAX_NAME 256
#define MAX_PATH 1024

#define MOST_DEPTH 8 /* a job's document is saved within a request: 4 */

/* A thread that uses printers. */
struct deletion_visit {
    struct deletion_visit *next;
    unsigned long begun; /* by `now` */
    bool prints;
    struct {
        const pappl_printer_t *printer; /* the only one; NULL = any */
        const pappl_job_t *job;         /* likewise, of that printer */
    } uses[MOST_DEPTH];
    unsigned entered; /* how often */
};

/* A printer that is deleted, or a job that is forgotten. */
struct doomed {
    struct doomed *next;
    pappl_printer_t *printer;
    pappl_job_t *job;                    /* NULL = the printer itself */
    unsigned long since;                 /* by `now` */
    bool is_done;                        /* its jobs have no files any more */
    bool is_freed;                       /* at this moment */
    int id;                              /* of the printer */
    char name[MAX_NAME], path[MAX_NAME]; /* of its web pages */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long now; /* counts both, with the lock, as what follows */
static struct deletion_visit *visits;
static struct doomed *all;

static _Thread_local struct deletion_visit mine;
static _Thread_local bool frees;

/* ---- Threads that use printers ------------------------------------------- */

/* Whether a thread may have found it before it was doomed. This one may have
 * found the printer, too, but no longer looks, unless it prints. Needs the
 * lock. */
static bool is_visited(const struct doomed *doomed)
{
    for (const struct deletion_visit *at = visits; at != NULL; at = at->next) {
        const pappl_printer_t *printer = at->uses[at->entered - 1].printer;
        const pappl_job_t *job = at->uses[at->entered - 1].job;

        if (at->begun < doomed->since &&
            (printer == NULL ? at != &mine || doomed->job != NULL
                             : printer == doomed->printer &&
                                   (doomed->job == NULL || job == NULL ||
                                    job == doomed->job)))
            return true;
    }
    return false;
}

/* A printer is freed behind its jobs. Needs the lock. */
static bool is_used(const struct doomed *doomed)
{
    for (const struct doomed *at = all; at != NULL; at = at->next)
        if (doomed->job == NULL && at->job != NULL &&
            at->printer == doomed->printer)
            return true;
    return is_visited(doomed);
}

/* Returns what is to be freed now; NULL = nothing. */
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

/* Nobody saves it any more: what the last one has written of it goes. */
static void free_job(pappl_job_t *job)
{
    char path[MAX_PATH];

    (void)REAL(papplJobOpenFile)(job, path, sizeof path, NULL, "ipp", "x");
    again_forget(job);
    REAL(_papplJobDelete)(job);
}

static void free_unused(void)
{
    struct doomed *doomed;

    while ((doomed = take_unused()) != NULL) {
        frees = true;
        if (doomed->job != NULL)
            free_job(doomed->job);
        else
            REAL(papplPrinterDelete)(doomed->printer);
        frees = false;
        forget(doomed);
    }
}

bool deletion_frees(void)
{
    return frees;
}

void deletion_enter(pappl_printer_t *printer, pappl_job_t *job)
{
    pthread_mutex_lock(&lock);
    if (mine.entered == 0) {
        mine.next = visits;
        mine.begun = ++now;
        mine.prints = printer != NULL;
        visits = &mine;
    }
    assert(mine.entered < MOST_DEPTH);
    mine.uses[mine.entered].printer = printer;
    mine.uses[mine.entered++].job = job;
    const bool waits = mine.entered > 1 && all != NULL;

    pthread_mutex_unlock(&lock);
    if (waits)
        free_unused();
}

void deletion_leave(void)
{
    struct deletion_visit **at = &visits;

    pthread_mutex_lock(&lock);
    if (--mine.entered == 0) {
        while (*at != &mine)
            at = &(*at)->next;
        *at = mine.next;
    }
    const bool waits = all != NULL;

    pthread_mutex_unlock(&lock);
    if (waits)
        free_unused();
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

/* ---- Replaced functions -------------------------------------------------- */

/* Returns the printer of that number that is deleted; NULL = it is not. Needs
 * the lock. */
static struct doomed *find(int id)
{
    struct doomed *at = all;

    while (at != NULL && (at->job != NULL || at->id != id))
        at = at->next;
    return at;
}

/* Adds a printer, if it is not deleted already, or a job, which was not found
 * any more when its printer was deleted. */
static bool doom(pappl_printer_t *printer, pappl_job_t *job)
{
    struct doomed *doomed = calloc(1, sizeof *doomed);

    if (doomed == NULL) {
        papplLogPrinter(printer, PAPPL_LOGLEVEL_ERROR,
                        "Not enough memory to delete it");
        return false;
    }
    doomed->printer = printer;
    doomed->job = job;
    doomed->id = papplPrinterGetID(printer);
    snprintf(doomed->name, sizeof doomed->name, "%s",
             papplPrinterGetName(printer));
    (void)papplPrinterGetPath(printer, NULL, doomed->path, sizeof doomed->path);
    pthread_mutex_lock(&lock);
    const struct doomed *whole = find(doomed->id);
    const bool begins = whole == NULL || job != NULL;

    if (begins) {
        doomed->since = whole != NULL ? whole->since : ++now;
        doomed->next = all;
        all = doomed;
    }
    pthread_mutex_unlock(&lock);
    if (!begins)
        free(doomed);
    return begins;
}

bool deletion_begin(pappl_printer_t *printer)
{
    return doom(printer, NULL);
}

void deletion_end(pappl_printer_t *printer)
{
    pthread_mutex_lock(&lock);
    find(papplPrinterGetID(printer))->is_done = true;
    pthread_mutex_unlock(&lock);
    free_unused();
}

bool deletion_is_done(int id)
{
    pthread_mutex_lock(&lock);
    const struct doomed *at = find(id);
    const bool is = at != NULL && at->is_done;

    pthread_mutex_unlock(&lock);
    return is;
}

/* PAPPL calls this for a job that is in none of its lists any more, with its
 * printer's lock, or for those of a printer that it frees. */
void _papplJobDelete(pappl_job_t *job)
{
    if (frees)
        free_job(job);
    else
        (void)doom(papplJobGetPrinter(job), job);
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
    const bool gone =
        printer != NULL && find(papplPrinterGetID(printer)) != NULL;

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

    while (at != NULL && (at->job != NULL || !is_of(at, path)))
        at = at->next;
    pthread_mutex_unlock(&lock);
    return at == NULL ? REAL(_papplSystemFindResourceForPath)(system, path)
                      : NULL;
}

bool deletion_waits(const char *name)
{
    pthread_mutex_lock(&lock);
    const struct doomed *at = all;

    while (at != NULL && (at->job != NULL || strcasecmp(at->name, name) != 0))
        at = at->next;
    pthread_mutex_unlock(&lock);
    return at != NULL;
}
