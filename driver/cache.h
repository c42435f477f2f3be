/*
 * cache.h - keeps the list of our PPDs until a driver, a PPD or this
 * program is another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_CACHE_H
#define DRIVER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#define DRIVER_CACHE_HASH 65 /* bytes of a SHA-256 in hexadecimal digits */
#define DRIVER_CACHE_SOURCE "source " /* begins the line of a source */

/* Hashes what the list depends on: the name, times and size of each file of
 * which CUPS makes PPDs, and our version. False without memory. */
bool driver_cache_stamp(char stamp[DRIVER_CACHE_HASH]);

/* The same of one source of PPDs, as driver_sources_of() has it. */
bool driver_cache_source(const char *source, char stamp[DRIVER_CACHE_HASH]);

/* The text that was kept, which the caller frees, and whether with this stamp:
 * lines of PPDs, and before those of a source the line "source STAMP". NULL
 * when there is none, or none that this program can have written for this user:
 * of another owner, writable by others, changed, or no such lines. */
char *driver_cache_read(const char *stamp, size_t *size, bool *same);

/* Keeps the text for the next time, all of it or none. False when they
 * cannot be kept. */
bool driver_cache_write(const char *stamp, const char *text, size_t size);

#endif
