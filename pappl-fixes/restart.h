/*
 * restart.h - takes over the jobs of a server that has ended.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_RESTART_H
#define PAPPL_FIXES_RESTART_H

#include <stdbool.h>

/* Whether the message of a job only says that it is printed once more. */
bool restart_is_note(const char *message);

/* Says where the documents of jobs are, before the state is loaded: of those
 * that are in there but no job's, none stays. */
void restart_spool(const char *folder);

#endif
