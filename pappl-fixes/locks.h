/*
 * locks.h - what a thread may do with PAPPL's locks, which are taken in no one
 * order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_LOCKS_H
#define PAPPL_FIXES_LOCKS_H

#include <pappl/pappl.h>

/* This thread prints jobs of the printer, or no longer (NULL): the device is
 * opened while nobody has to wait for the printer's lock. */
void locks_print(pappl_printer_t *printer);

/* Closes the device if this thread has opened it for jobs, which PAPPL 1.3
 * keeps open while others are held: the printer may be switched off and on
 * again, and the next job would go to a connection that has ended, and be
 * "completed". */
void locks_close(void);

/* Returns the lock for readers and writers that this thread took last. */
const void *locks_last(void);

/* Whether this thread has any lock for readers and writers, which may be that
 * of a job: it cannot take it again. */
bool locks_has_any(void);

/* Locks a job for reading, unless this thread has its lock: then it returns
 * false, and there is nothing to unlock. */
bool locks_read(pappl_job_t *job);
void locks_write(pappl_job_t *job);
void locks_end(pappl_job_t *job);

/* Changes the state of a job whose lock this thread has for writing. */
void locks_set_state(pappl_job_t *job, ipp_jstate_t state);

/* Locks a printer for writing, so that its job does not end meanwhile. PAPPL's
 * functions can be called that take this lock. */
void locks_own(pappl_printer_t *printer);
void locks_own_end(void);

/* Stops threads that print, for ever, where they would change a job; returns
 * how many have. */
void locks_stop(void);
unsigned locks_stopped(void);

#endif
