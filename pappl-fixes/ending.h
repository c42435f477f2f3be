/*
 * ending.h - how a server ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_ENDING_H
#define PAPPL_FIXES_ENDING_H

#include <pappl/pappl.h>

/* Starts the thread that waits for the end and, meanwhile, looks after jobs
 * that wait. Call it when the system runs. */
void ending_watch(pappl_system_t *system);

/* Waits for that thread to end the process, if it is about to. Call it behind
 * the main loop. */
void ending_wait(void);

#endif
