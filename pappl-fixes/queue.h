/*
 * queue.h - limits the time that jobs may be held, or without a document.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_QUEUE_H
#define PAPPL_FIXES_QUEUE_H

#include <pappl/pappl.h>

#define QUEUE_SECONDS 60 /* as PAPPL tells clients */
#define QUEUE_HOLD 86400 /* s */

/* Sets after how many seconds without a document a job is aborted, and after
 * how many a stranger's that is held is canceled: 1 or more. Call it before
 * there are jobs. */
void queue_limit(int seconds, int hold_seconds);

/* Starts printers whose jobs wait, ends jobs whose time is over, and forgets
 * those that ended before many others. Call it by one thread alone, which has
 * no lock. */
void queue_look(pappl_system_t *system);

#endif
