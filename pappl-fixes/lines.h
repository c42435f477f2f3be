/*
 * lines.h - lines of the state that PAPPL can read, when it is loaded.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_LINES_H
#define PAPPL_FIXES_LINES_H

#include <stdbool.h>
#include <stdio.h>

#include <cups/cups.h>
#include <pappl/pappl.h>

#define LINES_JOB "Job "
#define LINES_PRINTER "<Printer "

/* Returns the number that an option is; 0 where there is none. */
int lines_number(const char *name, int count, cups_option_t *options);

/* Gives a job what PAPPL needs of it, and says so. False if it cannot be read
 * all the same, which is said, too. */
bool lines_mend_job(pappl_system_t *system, int printer, int *count,
                    cups_option_t **options);

/* Likewise a printer. */
bool lines_mend_printer(pappl_system_t *system, int *count,
                        cups_option_t **options);

/* Writes a line of options behind LINES_JOB or LINES_PRINTER. */
void lines_put(FILE *to, const char *start, int count,
               const cups_option_t *options);

/* Writes one option of such a line, behind others. */
void lines_put_option(FILE *to, const char *name, const char *value);

/* Copies a line of another kind, or as much of it as PAPPL reads. */
void lines_copy(pappl_system_t *system, char *line, FILE *to);

/* Whether PAPPL could read the line of a printer; NULL = not known. */
bool lines_have_room(const char *name, const char *driver,
                     const char *device_id, const char *uri);

#endif
