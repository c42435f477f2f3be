/*
 * turns.c - a printer has one job at a time, the oldest first.
 *
 * PAPPL 1.3 starts a thread for a job that waits, and marks it as started only
 * there (_papplPrinterCheckJobs, job.c:731): two looks at the same time start
 * one job twice, or two jobs of one printer, and a job that ends closes the
 * device under the next one (finish_job). The thread begins with a job that may
 * be canceled and freed before. It takes the newest job of all that wait, and a
 * look at a printer that is in use, or stopped, is lost. So here a printer has
 * one thread, from the first job that waits to the last; a look meanwhile has
 * it look again, and a stream of raster, which has a thread already, waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <semaphore.h>
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

/* Returns where the turns of that printer are; NULL without memory. */
static struct printer_turns *find_turns(int id)
{
    pthread_mutex_lock(&lock);
    struct printer_turns *printer = printers;

    while (printer != NULL && printer->id != id)
        printer = printer->next;
    if (printer == NULL && (printer = calloc(1, sizeof *printer)) != NULL) {
        *printer = (struct printer_turns){.next = printers, .id = id};
        printers = printer;
    }
    pthread_mutex_unlock(&lock);
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

/* ---- The thread of a printer ----------------------------------------------
 */

/* A thread that begins, with what it prints. */
struct turns_start {
    pappl_printer_t *printer;
    struct printer_turns *turns;
    sem_t entered;
};

/* Prints the jobs of a printer that wait, from the oldest on. */
static void print_all(pappl_printer_t *printer, struct printer_turns *turns)
{
    pappl_system_t *system = papplPrinterGetSystem(printer);
    pappl_job_t *job;

    locks_print(printer);
    do {
        while ((job = next_job(system, printer, turns->id)) != NULL) {
            if (!take(job, LIFE_TURN))
                continue;
            deletion_enter(printer, job);
            stalls_print(job);
            (void)_papplJobProcess(job);
            stalls_print(NULL);
            offline_end(system, turns->id);
            pauses_begin(printer, NULL);
            deletion_leave();
        }
        locks_close();
    } while (end(turns, true));
    locks_print(NULL);
}

/* Where a job ends its thread lists it, though a cancel may have done so: PAPPL
 * has called it aborted without a lock, and cancels what is not printed. */
int cupsArrayAdd(cups_array_t *array, void *element)
{
    return (element != NULL && element == stalls_job() &&
            REAL(cupsArrayFind)(array, element) == element) ||
           REAL(cupsArrayAdd)(array, element);
}

static void *work(void *data)
{
    struct turns_start *start = data;
    pappl_printer_t *printer = start->printer;
    struct printer_turns *turns = start->turns;

    deletion_enter(printer, NULL);
    sem_post(&start->entered);
    print_all(printer, turns);
    deletion_leave();
    return NULL;
}

/* Starts the thread, and waits until it uses the printer, which this one does
 * as well. */
static bool start(pappl_printer_t *printer, struct printer_turns *turns)
{
    struct turns_start start = {.printer = printer, .turns = turns};
    pthread_t thread;

    sem_init(&start.entered, 0, 0);
    const bool begins = pthread_create(&thread, NULL, work, &start) == 0;

    if (begins) {
        pthread_detach(thread);
        while (sem_wait(&start.entered) < 0)
            ;
    } else
        papplLogPrinter(printer, PAPPL_LOGLEVEL_ERROR,
                        "No thread for its jobs now");
    sem_destroy(&start.entered);
    return begins;
}

/* PAPPL calls this where there may be a job to print, with no lock of its own.
 */
void _papplPrinterCheckJobs(pappl_printer_t *printer)
{
    pappl_system_t *system = papplPrinterGetSystem(printer);
    const int id = papplPrinterGetID(printer);
    struct printer_turns *turns = find_turns(id);

    if (turns == NULL || !begin(turns))
        return;
    do
        if (next_job(system, printer, id) != NULL && start(printer, turns))
            return;
    while (end(turns, true));
}

/* ---- Streams --------------------------------------------------------------
 */

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

bool turns_stream(pappl_job_t *job, pappl_client_t *client)
{
    pappl_printer_t *printer = papplJobGetPrinter(job);
    pappl_system_t *system = papplPrinterGetSystem(printer);
    const int id = papplPrinterGetID(printer);
    struct printer_turns *turns = find_turns(id);

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
    _papplPrinterCheckJobs(printer);
    return streams;
}
