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

#endif
