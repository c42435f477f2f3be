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

/* Replaces the file, which nobody else may read if it is new. Has it on the
 * disk when it returns. False with errno, and the file as it was, if not. */
bool durable_write(const char *path, const void *data, size_t bytes);

/* Writes the open file and its name to the disk, and closes it. False with
 * errno if that fails, or if it is not open. */
bool durable_close(int file, const char *path);

#endif
