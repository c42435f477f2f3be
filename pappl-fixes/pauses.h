/*
 * pauses.h - printers that somebody has paused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_PAUSES_H
#define PAPPL_FIXES_PAUSES_H

#include <pappl/pappl.h>

#define PAUSES_LINE "Paused" /* of the state, of a printer */

/* Whether the printer of that number is paused. */
bool pauses_is(int id);

/* Notes that the printer of that number, which is about to be loaded, was. */
void pauses_add(int id);

/* Pauses a printer that should be, for PAPPL, too. */
void pauses_begin(pappl_printer_t *printer, void *unused);

#endif
