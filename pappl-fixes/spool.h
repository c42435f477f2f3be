/*
 * spool.h - how large documents that wait may be, one and all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_SPOOL_H
#define PAPPL_FIXES_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pappl-fixes/pappl-fixes.h"

#define SPOOL_DOCUMENT (UINT64_C(1) << 30) /* the limits, if none are set */
#define SPOOL_ALL (UINT64_C(4) << 30)

/* Sets the limits, in bytes. Call it before there are jobs. */
void spool_limit(uint64_t document, uint64_t all);

/* Names the folder of documents that wait. Call it before there are jobs. */
void spool_folder(const char *folder);

/* Returns how many bytes all documents may have, and how many of these are
 * left; without a folder, all. */
uint64_t spool_most(void);
uint64_t spool_left(void);

/* Name of a file in it that is of a job, by PAPPL's names. */
struct spool_name {
    int printer, job, folder; /* the last one is open */
    const char *name;
};

/* Calls `see` for each such file. */
void spool_each(void (*see)(const struct spool_name *name, void *data),
                void *data);

/* Returns the highest number of a printer's job that has a file, whosever that
 * is; 0: none has. */
int spool_highest(int printer);

/* Returns why its disk has no room for documents, static; NULL: it has. */
const char *spool_is_full(void);

#endif
