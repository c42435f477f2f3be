/*
 * locks.c - the order of PAPPL's locks, and how long they are held.
 *
 * PAPPL 1.3 takes the locks of the system, a printer and a job in this order
 * nearly everywhere: whoever asks for a printer's attributes (printer-ipp.c:
 * 1579), lists printers (system-ipp.c:691-711), saves the state
 * (system-loadsave.c:418-457) or cleans up (job.c:893-905). Where it refuses a
 * document it does not (job-ipp.c:227-242): receive.c does that instead.
 *
 * Events take the system's lock for reading behind the printer's (system-
 * subscription.c:104), which is right as long as who writes the system waits
 * for no printer.
 *
 * A job that is started opens its device while it has the printer's lock for
 * writing (job-process.c:1092-1106), 30 s for a printer in the network that
 * does not answer, and whoever asks for the list of printers, or saves, waits
 * with the system's. In these loops PAPPL lets go of the lock to sleep, and
 * looks again at all that may have changed: here it also does to open.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "pappl-fixes/locks.h"
#include "pappl-fixes/offline.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/stalls.h"

#define MOST_HELD 8 /* PAPPL has three at a time; of more, none is changed */

/* ---- Locks of this thread ------------------------------------------------ */

static _Thread_local struct {
    pthread_rwlock_t *held[MOST_HELD];
    size_t count;
    const pthread_rwlock_t *last; /* that was taken */
    pthread_rwlock_t *own;        /* of a printer, which PAPPL takes again */
    pappl_printer_t *prints;
    pappl_device_t *device;                   /* that is open for its jobs */
    bool gives; /* it to whoever opens one */ /* for this one */
} mine;

static void note(pthread_rwlock_t *lock)
{
    mine.last = lock;
    if (mine.count < MOST_HELD)
        mine.held[mine.count++] = lock;
}

static void forget(const pthread_rwlock_t *lock)
{
    size_t i = mine.count;

    while (i > 0 && mine.held[i - 1] != lock)
        i--;
    if (i == 0)
        return;
    mine.count--;
    for (; i <= mine.count; i++)
        mine.held[i - 1] = mine.held[i];
}

/* ---- The end of the server ----------------------------------------------- */

static atomic_bool stops;
static atomic_uint at_rest;

void locks_stop(void)
{
    stops = true;
}

unsigned locks_stopped(void)
{
    return at_rest;
}

/* The thread would write what becomes of its job. Where its pages were stopped,
 * PAPPL calls it aborted: it waits. The thread has no lock to leave. */
static void stop_here(void)
{
    pappl_job_t *job = stalls_job();

    mine.prints = NULL;
    if (job != NULL && papplJobGetState(job) == IPP_JSTATE_ABORTED)
        _papplJobSetState(job, IPP_JSTATE_PROCESSING);
    at_rest++;
    for (;;)
        pause();
}

/* ---- Functions of libc, for PAPPL and for all other libraries ------------ */

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    if (lock == mine.own)
        return 0;

    const int error = REAL(pthread_rwlock_rdlock)(lock);

    if (error == 0)
        note(lock);
    return error;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (lock == mine.own)
        return 0;
    if (mine.prints != NULL && stops)
        stop_here();

    const int error = REAL(pthread_rwlock_wrlock)(lock);

    if (error == 0)
        note(lock);
    return error;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    if (lock == mine.own)
        return 0;
    forget(lock);
    return REAL(pthread_rwlock_unlock)(lock);
}

bool locks_has_any(void)
{
    return mine.count > 0;
}

const void *locks_last(void)
{
    return mine.last;
}

/* A job begins with its lock (job-private.h:24; server.c checks that). */
bool locks_read(pappl_job_t *job)
{
    pthread_rwlock_t *lock = (pthread_rwlock_t *)job;

    for (size_t i = 0; i < mine.count; i++)
        if (mine.held[i] == lock)
            return false;
    return pthread_rwlock_rdlock(lock) == 0;
}

void locks_write(pappl_job_t *job)
{
    (void)pthread_rwlock_wrlock((pthread_rwlock_t *)job);
}

void locks_end(pappl_job_t *job)
{
    (void)pthread_rwlock_unlock((pthread_rwlock_t *)job);
}

void locks_set_state(pappl_job_t *job, ipp_jstate_t state)
{
    mine.own = (pthread_rwlock_t *)job;
    _papplJobSetState(job, state);
    mine.own = NULL;
}

/* A printer, too, begins with its lock (printer-private.h:30). */
void locks_own(pappl_printer_t *printer)
{
    pthread_rwlock_t *lock = (pthread_rwlock_t *)printer;

    (void)pthread_rwlock_wrlock(lock);
    mine.own = lock;
}

void locks_own_end(void)
{
    pthread_rwlock_t *lock = mine.own;

    mine.own = NULL;
    (void)pthread_rwlock_unlock(lock);
}

/* ---- Opening a device ---------------------------------------------------- */

void locks_print(pappl_printer_t *printer)
{
    mine.prints = printer;
}

pappl_device_t *papplDeviceOpen(const char *uri, const char *name,
                                pappl_deverror_cb_t error, void *data)
{
    if (mine.gives)
        return mine.device;
    if (mine.prints == NULL || mine.count != 1)
        return REAL(papplDeviceOpen)(uri, name, error, data);

    pthread_rwlock_t *const printer = mine.held[0];

    (void)pthread_rwlock_unlock(printer);
    pappl_device_t *device = papplfixes_open(mine.prints, name);

    (void)pthread_rwlock_wrlock(printer);
    mine.device = device;
    return device;
}

void papplDeviceClose(pappl_device_t *device)
{
    if (device == mine.device)
        mine.device = NULL;
    REAL(papplDeviceClose)(device);
}

/* PAPPL takes the device anew for this, and closes it as one of its own. */
void locks_close(void)
{
    if (mine.device == NULL)
        return;
    mine.gives = true;
    if (papplPrinterOpenDevice(mine.prints) != NULL)
        papplPrinterCloseDevice(mine.prints);
    mine.gives = false;
    mine.device = NULL;
}
