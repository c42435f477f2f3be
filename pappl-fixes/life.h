/*
 * life.h - the states of a job, and what may follow on each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_LIFE_H
#define PAPPL_FIXES_LIFE_H

#include <pappl/pappl.h>

enum life {
    LIFE_NONE,      /* no state: refused */
    LIFE_CREATED,   /* its document has not begun to come */
    LIFE_RECEIVING, /* it comes */
    LIFE_HELD,      /* its document is there, and waits for a release */
    LIFE_PENDING,   /* likewise, for its turn */
    LIFE_PRINTING,  /* on its printer, or waiting for it to answer */
    LIFE_STOPPING,  /* canceled, up to the end of a page */
    LIFE_CANCELED,
    LIFE_ABORTED,
    LIFE_COMPLETED,
    LIFE_STATES
};

enum life_event {
    LIFE_DOCUMENT, /* its document begins to come */
    LIFE_NO_ROOM,  /* the document finds no room, and may come again */
    LIFE_REFUSAL,  /* the document is refused, or its client leaves */
    LIFE_STREAM,   /* its raster goes to the printer as it comes */
    LIFE_HOLD,
    LIFE_RELEASE,
    LIFE_TURN,   /* its printer has no other job */
    LIFE_CANCEL, /* by a user, or with its printer, which is deleted */
    LIFE_ABANDON,
    LIFE_EXPIRE, /* was held for too long */
    LIFE_RESTART /* the server has ended, somehow, and starts again */
};

/* Locks the states of all jobs. Take this lock before those of PAPPL. */
void life_lock(void);
void life_unlock(void);

/* Returns the state of a job. Needs the lock, unless a guess will do. */
enum life life_of(pappl_job_t *job);

/* Returns the state after an event, LIFE_NONE if the event is refused. What the
 * document decides, whether the job is to be held, is not here. */
enum life life_after(enum life state, enum life_event event);

/* Whether the event may come to that job now. Needs the lock. */
bool life_may(pappl_job_t *job, enum life_event event);

#endif
