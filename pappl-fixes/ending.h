/*
 * ending.h - how a server ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_ENDING_H
#define PAPPL_FIXES_ENDING_H

#include <pappl/pappl.h>

/* Starts the thread that waits for the end and, meanwhile, for jobs whose time
 * is over. Call it before the main loop. */
void ending_watch(pappl_system_t *system);

/* Waits for that thread to end the process, if it is about to. Call it behind
 * the main loop. */
void ending_wait(void);

/* Whether the server takes no jobs, and begins with none, since it ends. */
bool ending_has_begun(void);

/* Stops a thread that prints, for ever, if its job counts no longer. */
void ending_stop_here(void);

#endif
