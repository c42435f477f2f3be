/*
 * ipp_takes.h - whether an IPP printer takes our dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_TAKES_H
#define PRINTER_APP_IPP_TAKES_H

#include "printer-app/ipp/ipp_printer.h"
#include "printer-app/ipp/pwg_pages.h"

/* Asks the printer for the attributes that devices look at; the caller frees
 * them with ippDelete(). A printer that does not know IPP 2.0 is spoken to by
 * 1.1 from then on. NULL, with the trouble said, if it gives none. */
ipp_t *ipp_about(struct ipp_printer *printer, struct ipp_trouble *trouble);

/* Whether a printer with these attributes takes PWG raster of one bit; if not,
 * says what it takes. */
bool ipp_takes_dots(ipp_t *about, struct ipp_trouble *trouble);

/* Whether the page whose header was read is of that kind. */
bool ipp_takes_page(const struct pwg_pages *pages, struct ipp_trouble *trouble);

#endif
