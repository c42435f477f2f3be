/*
 * life.c - from which state of a job what may follow:
 * doc/dev/printer-app.md, "The life of a job".
 *
 * PAPPL 1.3 has no such place. A request looks at a job's state without a lock,
 * and changes it later, when the job may have ended or begun to print. Here
 * each change is made with one lock, by a table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>

#include "pappl-fixes/life.h"
#include "pappl-fixes/replaced.h"

static const enum life next[][LIFE_STATES] = {
    [LIFE_DOCUMENT] = {[LIFE_CREATED] = LIFE_RECEIVING},
    [LIFE_NO_ROOM] = {[LIFE_RECEIVING] = LIFE_CREATED},
    [LIFE_REFUSAL] = {[LIFE_RECEIVING] = LIFE_ABORTED},
    [LIFE_STREAM] = {[LIFE_RECEIVING] = LIFE_PRINTING},
    [LIFE_HOLD] = {[LIFE_CREATED] = LIFE_CREATED,
                   [LIFE_RECEIVING] = LIFE_RECEIVING,
                   [LIFE_HELD] = LIFE_HELD,
                   [LIFE_PENDING] = LIFE_HELD},
    [LIFE_RELEASE] = {[LIFE_CREATED] = LIFE_CREATED,
                      [LIFE_RECEIVING] = LIFE_RECEIVING,
                      [LIFE_HELD] = LIFE_PENDING},
    [LIFE_TURN] = {[LIFE_PENDING] = LIFE_PRINTING},
    [LIFE_CANCEL] = {[LIFE_CREATED] = LIFE_CANCELED,
                     [LIFE_RECEIVING] = LIFE_RECEIVING, /* till that is seen */
                     [LIFE_HELD] = LIFE_CANCELED,
                     [LIFE_PENDING] = LIFE_CANCELED,
                     [LIFE_PRINTING] = LIFE_STOPPING,
                     [LIFE_STOPPING] = LIFE_STOPPING},
    [LIFE_ABANDON] = {[LIFE_CREATED] = LIFE_ABORTED},
    [LIFE_EXPIRE] = {[LIFE_HELD] = LIFE_CANCELED},
    [LIFE_RESTART] = {[LIFE_CREATED] = LIFE_ABORTED,
                      [LIFE_RECEIVING] = LIFE_ABORTED,
                      [LIFE_HELD] = LIFE_HELD,
                      [LIFE_PENDING] = LIFE_PENDING,
                      [LIFE_PRINTING] = LIFE_PENDING,
                      [LIFE_STOPPING] = LIFE_CANCELED,
                      [LIFE_CANCELED] = LIFE_CANCELED,
                      [LIFE_ABORTED] = LIFE_ABORTED,
                      [LIFE_COMPLETED] = LIFE_COMPLETED}};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void life_lock(void)
{
    pthread_mutex_lock(&lock);
}

void life_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

enum life life_of(pappl_job_t *job)
{
    switch (papplJobGetState(job)) {
    case IPP_JSTATE_CANCELED:
        return LIFE_CANCELED;
    case IPP_JSTATE_ABORTED:
        return LIFE_ABORTED;
    case IPP_JSTATE_COMPLETED:
        return LIFE_COMPLETED;
    case IPP_JSTATE_PROCESSING:
        return REAL(papplJobIsCanceled)(job) ? LIFE_STOPPING : LIFE_PRINTING;
    default:
        break;
    }
    if ((papplJobGetReasons(job) & PAPPL_JREASON_JOB_INCOMING) != 0)
        return LIFE_RECEIVING;
    if (papplJobGetFilename(job) == NULL)
        return LIFE_CREATED;
    return papplJobGetState(job) == IPP_JSTATE_HELD ? LIFE_HELD : LIFE_PENDING;
}

enum life life_after(enum life state, enum life_event event)
{
    return next[event][state];
}

bool life_may(pappl_job_t *job, enum life_event event)
{
    return life_after(life_of(job), event) != LIFE_NONE;
}

static atomic_bool ends;

void life_stop(void)
{
    ends = true;
}

bool life_goes_on(void)
{
    return !ends;
}
