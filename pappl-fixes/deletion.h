/*
 * deletion.h - printers that are deleted, and jobs that are forgotten, while
 * somebody uses them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_DELETION_H
#define PAPPL_FIXES_DELETION_H

#include <stdbool.h>

#include <pappl/pappl.h>

/* Begins to use what PAPPL has of printers: of `printer` alone, or of any,
 * NULL, as requests do that have not found theirs; and of its jobs `job` alone,
 * or any, NULL. Within such a use another one replaces it until its end. Call
 * both without any lock, but for the first of a thread. */
void deletion_enter(pappl_printer_t *printer, pappl_job_t *job);
void deletion_leave(void);

/* Whether there are threads that have begun, and not to print. */
bool deletion_has_requests(void);

/* Whether this thread frees a printer or a job, whose end is long known. */
bool deletion_frees(void);

/* Whether a printer of that name is deleted, and still in use. */
bool deletion_waits(const char *name);

/* From now on nobody finds the printer; false if that is so already. Call it
 * without any lock; then, when its jobs have no files any more, deletion_end(),
 * which frees what nobody uses. */
bool deletion_begin(pappl_printer_t *printer);
void deletion_end(pappl_printer_t *printer);

/* Whether the printer of that number is not to be saved any more. */
bool deletion_is_done(int id);

#endif
