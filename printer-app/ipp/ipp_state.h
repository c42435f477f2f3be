/*
 * ipp_state.h - what an IPP printer says of itself, in PAPPL's terms.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_STATE_H
#define PRINTER_APP_IPP_STATE_H

#include <cups/ipp.h>
#include <pappl/pappl.h>

/* "printer-state-reasons", whatever their severity; PAPPL_PREASON_OTHER for
 * those that PAPPL has no name of and that are no mere report. */
pappl_preason_t ipp_state_reasons(ipp_t *about);

/* Adds reasons to the printer, or takes them from it, as a line "STATE:" of
 * CUPS's backend says: "+KEYWORD,..." or "-KEYWORD,...". */
void ipp_state_change(pappl_printer_t *printer, const char *change);

/* Fills up to `most` supplies from the "marker-..." attributes; returns how
 * many. */
int ipp_state_supplies(ipp_t *about, int most, pappl_supply_t *supplies);

/* Writes the IEEE 1284 id: the printer's own, or one made of its make and
 * model. NULL if it has neither, else `id`. */
char *ipp_state_id(ipp_t *about, char *id, size_t size);

#endif
