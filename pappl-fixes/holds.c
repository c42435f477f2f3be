/*
 * holds.c - jobs are held and released by the table of life.c, and kept so.
 *
 * PAPPL 1.3 releases a job whose document has not come to be "pending", where
 * nobody prints and nobody ends it; and a server that is killed has forgotten
 * both until its main loop has saved them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "pappl-fixes/life.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/state.h"

/* PAPPL has released the job: without a document it stays where it was. */
static void stay(pappl_job_t *job, void *data)
{
    (void)data;
    if (papplJobGetState(job) == IPP_JSTATE_PENDING &&
        papplJobGetFilename(job) == NULL)
        _papplJobSetState(job, IPP_JSTATE_HELD);
}

/* Ends a change of a job, with the lock: until when it is held is in the state
 * alone. */
static bool changed(pappl_job_t *job, bool well)
{
    if (well)
        stay(job, NULL);
    life_unlock();
    if (well)
        (void)state_save(papplPrinterGetSystem(papplJobGetPrinter(job)));
    return well;
}

bool papplJobHold(pappl_job_t *job, const char *user, const char *until,
                  time_t time)
{
    life_lock();
    return changed(job, life_may(job, LIFE_HOLD) &&
                            REAL(papplJobHold)(job, user, until, time));
}

bool papplJobRelease(pappl_job_t *job, const char *user)
{
    life_lock();
    return changed(job, life_may(job, LIFE_RELEASE) &&
                            REAL(papplJobRelease)(job, user));
}

bool papplPrinterReleaseHeldNewJobs(pappl_printer_t *printer, const char *user)
{
    life_lock();
    const bool released = REAL(papplPrinterReleaseHeldNewJobs)(printer, user);

    papplPrinterIterateActiveJobs(printer, stay, NULL, 1, 0);
    life_unlock();
    return released;
}
