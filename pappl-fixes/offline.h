/*
 * offline.h - printers whose device cannot be opened while a job waits for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_OFFLINE_H
#define PAPPL_FIXES_OFFLINE_H

#include "pappl-fixes/pappl-fixes.h"

#define OFFLINE_WHY 256 /* bytes, of a line */

/* The device of the printer cannot be opened: says `why` to all who ask for the
 * printer, and once in the log. This thread has no lock. */
void offline_begin(pappl_printer_t *printer, const char *why);

/* It can, or nobody waits for it any more. Nothing if it always could, or if
 * the printer of this number is no longer there. */
void offline_end(pappl_system_t *system, int id);

/* Whether somebody waits for the device of the printer; `why` is then the
 * reason. */
bool offline_is(pappl_printer_t *printer, char why[OFFLINE_WHY]);

#endif
