/*
 * durable.h - files that a loss of power leaves as they were, or as they are
 * now.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_DURABLE_H
#define PAPPL_FIXES_DURABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "pappl-fixes/pappl-fixes.h"

/* Writes all of it at the file's end. False with errno. */
bool durable_put(int file, const void *data, size_t bytes);

/* Writes the open file and its name to the disk, and closes it. False with
 * errno if that fails, or if it is not open. */
bool durable_close(int file, const char *path);

/* Reserves room on the disk for the next papplfixes_save() of a file, as large
 * as it is and `more` bytes, in PATH.room. False if there is none. */
bool durable_reserve(const char *path, off_t more);

/* Locks a file, which is created, until the process ends; its children do not
 * have the lock. False with errno: EAGAIN where a process has it, which
 * `holder` is then, or 0 if that is not known. Once for each file. */
bool durable_lock(const char *path, pid_t *holder);

#endif
