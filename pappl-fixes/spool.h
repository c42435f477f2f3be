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
#include <time.h>

#include "pappl-fixes/pappl-fixes.h"

#define SPOOL_DOCUMENT (UINT64_C(1) << 30) /* the limits, if none are set */
#define SPOOL_ALL (UINT64_C(4) << 30)

/* Sets the limits, in bytes. Call it before there are jobs. */
void spool_limit(uint64_t document, uint64_t all);

/* Names the folder of documents that wait. Call it before there are jobs. */
void spool_folder(const char *folder);

/* Returns the folder in that one of documents that are kept when their jobs
 * have ended, "pNjN-" and this word; they count for nobody. */
#define SPOOL_KEPT "document"
const char *spool_kept(void);

/* Removes the oldest of them if all have more than `most` bytes, or it is from
 * before that time; false: it has not. */
bool spool_drop(uint64_t most, time_t before);

/* Whether a file is in the folder of documents that wait. */
bool spool_has(const char *file);

/* Returns how many bytes all documents may have, and how many of these are
 * left; without a folder, all. */
uint64_t spool_most(void);
uint64_t spool_left(void);

/* Name of a file in it that is of a job, by PAPPL's names. */
struct spool_name {
    int printer, job, folder; /* the last one is open */
    const char *name;
};

/* Calls `see` for each such file, or those of another folder. */
void spool_each(void (*see)(const struct spool_name *name, void *data),
                void *data);
void spool_each_in(const char *folder,
                   void (*see)(const struct spool_name *name, void *data),
                   void *data);

/* Returns the highest number of a printer's job that has a file, whosever that
 * is; 0: none has. */
int spool_highest(int printer);

/* Returns why its disk has no room for documents, static; NULL: it has. */
const char *spool_is_full(void);

#endif
