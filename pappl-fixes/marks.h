/*
 * marks.h - what happens to jobs between two savings of the state: a line each
 * in a file beside it, so that a server that is killed has forgotten nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_MARKS_H
#define PAPPL_FIXES_MARKS_H

#include <stdbool.h>
#include <time.h>

#include "pappl-fixes/pappl-fixes.h"

/* Marks of a job. */
struct marked {
    int printer, job;
    ipp_jstate_t state; /* the last one */
    bool begun; /* the printer has got bytes of it, and it did not end */
    time_t since;
    char *why;  /* it was aborted; NULL = nobody has said so */
    char *made; /* options of its line of the state; NULL = not known */
};

#define MARKS_NEW ((ipp_jstate_t)0) /* state of a job that is only made */

/* Reads the marks beside a state file, and keeps on marking there. Once, before
 * there are jobs. */
void marks_open(const char *state);

/* Returns what was read of a job; NULL = nothing. Valid for ever. */
const struct marked *marks_find(int printer, int job);

/* Calls `see` for what was read of each job of a printer from a number on. */
void marks_each(int printer, int from,
                void (*see)(const struct marked *of, void *data), void *data);

#define MARKS_START "start" /* option: how the names of its files begin */

/* Marks that the job is made, which the state does not have yet. */
void marks_made(pappl_job_t *job);

/* Marks the state that the job is in now, if it is not being printed. */
void marks_state(pappl_job_t *job);

/* Writes all marks to the disk. */
void marks_sync(void);

/* Whether a mark that this thread made since it last asked is not on the disk.
 */
bool marks_lost(void);

/* Tells whether the state has what this thread has marked so far: marks_lost().
 */
void marks_saved(bool well);

/* The state is saved from now on: what is marked before will be in it. */
void marks_turn(void);

/* The state is saved: forgets what was marked before marks_turn(). */
void marks_drop(void);

#endif
