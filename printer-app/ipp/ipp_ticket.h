/*
 * ipp_ticket.h - what a job's request says of its pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_TICKET_H
#define PRINTER_APP_IPP_TICKET_H

#include <cups/ipp.h>

#include "printer-app/ipp/pwg_pages.h"

/* Adds to `request` the job attributes that the header of the first page has:
 * media-col, sides, print-quality and printer-resolution; those only, and those
 * values, that the printer says in `about` it takes. */
void ipp_ticket(ipp_t *request, ipp_t *about, const struct pwg_pages *pages);

/* What ipp_ticket() looks at in `about`: names for "requested-attributes". */
#define IPP_TICKET_ATTRIBUTES                                                  \
    "media-col-supported", "media-size-supported", "media-type-supported",     \
        "print-quality-supported", "printer-resolution-supported",             \
        "sides-supported"

#endif
