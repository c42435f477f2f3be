/*
 * state.h - the state of the server, which is a file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_STATE_H
#define PAPPL_FIXES_STATE_H

#include <pappl/pappl.h>

/* Says where the state is, before it is saved. */
void state_open(const char *path);

/* Saves the state as it is now, or waits until another thread has. It is on the
 * disk then. Call it without any lock. False after a message. */
bool state_save(pappl_system_t *system);

/* Saves it if something has changed for which nobody waits. By one thread
 * alone.
 */
void state_look(pappl_system_t *system);

/* Whether there is room on the disk for what a request changes; false after a
 * response. */
bool state_has_room(pappl_client_t *client);

/* Saves the state before the answer if the request changes it, and answers that
 * it cannot be kept if that, or a mark of this thread, has failed. */
void state_save_change(pappl_client_t *client);

/* Returns what PAPPL writes the state to on this thread, while it saves it, or
 * -1. */
int state_memory(void);

#endif
