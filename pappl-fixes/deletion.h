/*
 * deletion.h - printers that are deleted while somebody uses them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_DELETION_H
#define PAPPL_FIXES_DELETION_H

#include <stdbool.h>

#include <pappl/pappl.h>

/* Begins to use what PAPPL has of printers: of `printer` alone, or of any,
 * NULL, as requests do that have not found theirs. Within such a use another
 * one replaces it until its end. Call both without any lock. */
void deletion_enter(pappl_printer_t *printer);
void deletion_leave(void);

/* Whether there are threads that have begun, and not to print. */
bool deletion_has_requests(void);

/* Whether a printer of that name is deleted, and still in use. */
bool deletion_waits(const char *name);

/* From now on nobody finds the printer; false if that is so already. Call it
 * without any lock, and then deletion_free(), which frees printers that nobody
 * uses. */
bool deletion_begin(pappl_printer_t *printer);
void deletion_free(void);

#endif
