/*
 * ipp_ticket.h - what a job's request says of its pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_IPP_TICKET_H
#define PRINTER_APP_IPP_IPP_TICKET_H

#include <cups/raster.h>

#define IPP_TICKET 512 /* bytes, of the options of a backend */

/* Writes the job attributes that the header of the first page has as options of
 * CUPS's backend: media-col, sides, print-quality and printer-resolution; only
 * those attributes and values that the printer's `about` has. */
void ipp_ticket(char ticket[IPP_TICKET], ipp_t *about,
                const cups_page_header2_t *header);

#endif
