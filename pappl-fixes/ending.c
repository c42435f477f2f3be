/*
 * ending.c - a server ends within seconds, whatever its printers do.
 *
 * PAPPL 1.3 waits for all jobs that have not ended, those that are held too, up
 * to 61 s (system.c:691-727), prints what waits in that time, and then lets the
 * process end in the midst of what is left. Here jobs in progress have some
 * seconds to end by themselves, and no other begins. Then their pages stop
 * where canceled ones do, and their threads where they would change a job: in
 * the state, and when the server starts again, these jobs wait.
 *
 * PAPPL's main loop cannot be told to end, so the process ends under it. Its
 * timers go by the time of day, so jobs whose time is over are looked for here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/deletion.h"
#include "pappl-fixes/ending.h"
#include "pappl-fixes/life.h"
#include "pappl-fixes/locks.h"
#include "pappl-fixes/marks.h"
#include "pappl-fixes/offline.h"
#include "pappl-fixes/queue.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/state.h"
#include "pappl-fixes/seconds.h"

#define GRACE 2.5 /* s for jobs and requests in progress */
#define LAST 1.0  /* s for pages and programs to stop */
#define MOST 18   /* s for all of it, on a slow disk; systemd kills after 20 */
#define LOOK 20   /* ms between two looks */
#define TICK 200  /* ms, while there is no end */

static sem_t asked;         /* by a signal */
static atomic_bool stopped; /* no job ends */
static atomic_flag ends =
    ATOMIC_FLAG_INIT; /* whoever sets it ends the process */

static void rest(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

/* ---- Replaced functions -------------------------------------------------- */

/* Ends what waits for a printer. */
bool papplSystemIsRunning(pappl_system_t *system)
{
    return !stopped && REAL(papplSystemIsRunning)(system);
}

/* Ends what prints a job. */
bool papplJobIsCanceled(pappl_job_t *job)
{
    return REAL(papplJobIsCanceled)(job) ||
           (stopped && papplJobGetState(job) == IPP_JSTATE_PROCESSING);
}

/* ---- The end ------------------------------------------------------------- */

static void count_printing(pappl_job_t *job, void *data)
{
    unsigned *count = data;
    char why[OFFLINE_WHY];

    *count += papplJobGetState(job) == IPP_JSTATE_PROCESSING &&
              !offline_is(papplJobGetPrinter(job), why);
}

static void count_of_printer(pappl_printer_t *printer, void *data)
{
    papplPrinterIterateActiveJobs(printer, count_printing, data, 1, 0);
}

/* Returns how many printers that answer have a job. */
static unsigned printing(pappl_system_t *system)
{
    unsigned count = 0;

    papplSystemIteratePrinters(system, count_of_printer, &count);
    return count;
}

static void leave(int signal)
{
    (void)signal;
    _exit(0);
}

/* Ends the process. What waits is in the state; should saving it hang, it is
 * in the marks. */
static void end(pappl_system_t *system)
{
    const double since = seconds_now();

    signal(SIGALRM, leave);
    alarm(MOST);
    life_stop();
    papplLog(system, PAPPL_LOGLEVEL_INFO, "The server ends.");
    while (seconds_now() - since < GRACE &&
           (printing(system) > 0 || deletion_has_requests()))
        rest(LOOK);
    stopped = true;
    locks_stop();
    for (const double from = seconds_now();
         seconds_now() - from < LAST && locks_stopped() < printing(system);)
        rest(LOOK);
    marks_sync();
    (void)state_save(system); /* says what fails */
    if (application()->server_ends != NULL)
        application()->server_ends();
    if (printing(system) > 0)
        _exit(0); /* threads go on with what exit() takes down */
    exit(0);
}

/* ---- Waiting for it ------------------------------------------------------ */

static void ask(int signal)
{
    const int error = errno;

    (void)signal;
    sem_post(&asked);
    errno = error;
}

/* Whether the end has been asked for, by a signal within a tick or a request.
 */
static bool is_asked(pappl_system_t *system)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TICK * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    return sem_clockwait(&asked, CLOCK_MONOTONIC, &until) == 0 ||
           papplSystemIsShutdown(system);
}

static void *watch(void *data)
{
    pappl_system_t *system = data;
    const struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART};

    (void)state_save(system); /* what has changed since the last server */
    do {                      /* PAPPL has set its own */
        sigaction(SIGTERM, &action, NULL);
        sigaction(SIGINT, &action, NULL);
        queue_look(system);
        state_look(system);
    } while (!is_asked(system));
    if (!atomic_flag_test_and_set(&ends))
        end(system);
    return NULL;
}

void ending_watch(pappl_system_t *system)
{
    pthread_t thread;

    sem_init(&asked, 0, 0);
    if (pthread_create(&thread, NULL, watch, system) == 0)
        pthread_detach(thread);
}

void ending_wait(void)
{
    while (atomic_flag_test_and_set(&ends))
        pause();
}
