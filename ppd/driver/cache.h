/*
 * cache.h - keeps which PPDs can be converted, source by source.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_CACHE_H
#define DRIVER_CACHE_H

#include <stdbool.h>

#include "ppd/driver/sources.h"

/* Gives the sources the stamps and lines that are kept of them, if any: no file
 * is taken that this program cannot have written for this user, of another
 * owner, writable by others, changed, or of other lines. False without
 * memory. */
bool cache_read(struct sources *sources);

/* Keeps those of all sources, or what was kept before if it returns false, with
 * errno. */
bool cache_write(const struct sources *sources);

/* Takes the lock of who judges, until the file is closed or its last process
 * has ended. -1 with errno, EWOULDBLOCK if somebody has it and we do not
 * `wait`. */
int cache_lock(bool wait);

#endif
