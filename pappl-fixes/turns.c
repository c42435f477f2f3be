/*
 * turns.c - a printer has one job at a time, the oldest first.
 *
 * PAPPL 1.3 starts a thread for a job that waits, and marks it as started only
 * there (_papplPrinterCheckJobs): two looks at the same time start one job
 * twice, or two jobs of one printer, and a job that ends closes the device
 * under the next one (finish_job). It also takes the newest job of all that
 * wait. So here a thread that finds the printer at work ends, and the one that
 * is at work looks for the next job; a stream of raster, which has a thread
 * already, waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>

#include "pappl-fixes/deletion.h"
#include "pappl-fixes/life.h"
#include "pappl-fixes/locks.h"
#include "pappl-fixes/offline.h"
#include "pappl-fixes/pauses.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/stalls.h"
#include "pappl-fixes/turns.h"

/* Printers that ever had a job, by their numbers: none is used again. */
struct printer_turns {
    struct printer_turns *next;
    int id;
    bool at_work;
    bool look_again; /* a job came meanwhile */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct printer_turns *printers; /* with the lock, as all that it has */

/* Returns the printer of that number; NULL without memory. Needs the lock. */
static struct printer_turns *find_printer(int id)
{
    struct printer_turns *printer = printers;

    while (printer != NULL && printer->id != id)
        printer = printer->next;
    if (printer != NULL)
        return printer;
    printer = calloc(1, sizeof *printer);
    if (printer == NULL)
        return NULL;
    printer->id = id;
    printer->next = printers;
    printers = printer;
    return printer;
}

/* Begins to work for a printer, or tells who does that there may be more to do.
 */
static bool begin(struct printer_turns *printer)
{
    pthread_mutex_lock(&lock);
    const bool begins = !printer->at_work;

    printer->look_again = !begins;
    printer->at_work = true;
    pthread_mutex_unlock(&lock);
    return begins;
}

/* Ends the work for a printer, unless there may be more to do and `goes_on`. */
static bool end(struct printer_turns *printer, bool goes_on)
{
    pthread_mutex_lock(&lock);
    const bool more = printer->look_again;

    printer->look_again = false;
    printer->at_work = more && goes_on;
    pthread_mutex_unlock(&lock);
    return more;
}

static void find_oldest(pappl_job_t *job, void *data)
{
    pappl_job_t **oldest = data;

    if (life_may(job, LIFE_TURN) &&
        (*oldest == NULL || papplJobGetID(job) < papplJobGetID(*oldest)))
        *oldest = job;
}

/* Returns the job that is next; NULL where there is none, or where the printer
 * was deleted or prints nothing now. */
static pappl_job_t *next_job(pappl_system_t *system, pappl_printer_t *printer,
                             int id)
{
    pappl_job_t *oldest = NULL;

    if (!life_goes_on() ||
        papplSystemFindPrinter(system, NULL, id, NULL) != printer ||
        papplPrinterIsDeleted(printer) || pauses_is(id) ||
        papplPrinterGetState(printer) == IPP_PSTATE_STOPPED)
        return NULL;
    papplPrinterIterateActiveJobs(printer, find_oldest, &oldest, 1, 0);
    return oldest;
}

/* Gives a job its printer: from now on it is not held, nor canceled at once. */
static bool take(pappl_job_t *job, enum life_event event)
{
    life_lock();
    const bool takes = life_may(job, event);

    if (takes) {
        papplJobSetReasons(job, PAPPL_JREASON_NONE, PAPPL_JREASON_JOB_INCOMING);
        _papplJobSetState(job, IPP_JSTATE_PROCESSING);
    }
    life_unlock();
    return takes;
}

/* Prints the jobs of a printer that wait, from the oldest on. */
static void print_all(pappl_job_t *job)
{
    pappl_printer_t *printer = papplJobGetPrinter(job);
    pappl_system_t *system = papplPrinterGetSystem(printer);
    const int id = papplPrinterGetID(printer);

    pthread_mutex_lock(&lock);
    struct printer_turns *turns = find_printer(id);
    pthread_mutex_unlock(&lock);
    if (turns == NULL) {
        papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "Not enough memory");
        return;
    }
    if (!begin(turns))
        return;
    locks_print(printer);
    do {
        while ((job = next_job(system, printer, id)) != NULL) {
            if (!take(job, LIFE_TURN))
                continue;
            stalls_print(job);
            (void)REAL(_papplJobProcess)(job);
            stalls_print(NULL);
            offline_end(system, id);
            pauses_begin(printer, NULL);
        }
        locks_close();
    } while (end(turns, true));
    locks_print(NULL);
}

/* PAPPL's thread for a job, or for another of its printer. */
void *_papplJobProcess(pappl_job_t *job)
{
    deletion_enter(papplJobGetPrinter(job));
    print_all(job);
    deletion_leave();
    return NULL;
}

/* Whether a printer that nobody works for could begin with a job at once. */
static bool is_free(pappl_system_t *system, pappl_printer_t *printer, int id,
                    pappl_job_t *job)
{
    return life_goes_on() && !pauses_is(id) &&
           papplPrinterGetState(printer) != IPP_PSTATE_STOPPED &&
           !papplPrinterIsHoldingNewJobs(printer) &&
           (papplJobGetReasons(job) & PAPPL_JREASON_JOB_HOLD_UNTIL_SPECIFIED) ==
               0 &&
           next_job(system, printer, id) == NULL;
}

static bool stream(pappl_job_t *job, pappl_client_t *client)
{
    pappl_printer_t *printer = papplJobGetPrinter(job);
    pappl_system_t *system = papplPrinterGetSystem(printer);
    const int id = papplPrinterGetID(printer);

    pthread_mutex_lock(&lock);
    struct printer_turns *turns = find_printer(id);
    pthread_mutex_unlock(&lock);
    if (turns == NULL || !begin(turns))
        return false;
    const bool streams =
        is_free(system, printer, id, job) && take(job, LIFE_STREAM);

    if (streams) {
        locks_print(printer);
        stalls_print(job);
        _papplJobProcessRaster(job, client);
        stalls_print(NULL);
        offline_end(system, id);
        locks_close();
        locks_print(NULL);
    }
    (void)end(turns, false);
    if (next_job(system, printer, id) != NULL)
        _papplPrinterCheckJobs(printer);
    return streams;
}

bool turns_stream(pappl_job_t *job, pappl_client_t *client)
{
    deletion_enter(papplJobGetPrinter(job));
    const bool streams = stream(job, client);

    deletion_leave();
    return streams;
}
