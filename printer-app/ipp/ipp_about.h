/*
 * ipp_about.h - a printer at an IPP address, and what it says of itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_IPP_ABOUT_H
#define PRINTER_APP_IPP_IPP_ABOUT_H

#include <stdbool.h>
#include <cups/cups.h>

#define IPP_WHY 640 /* bytes, of a line of text */

struct ipp_address {
    char uri[1024]; /* "printer-uri", without options */
    char host[256];
    char resource[512];
    int port;
    bool has_tls;
};

/* Reads ipp[s]://HOST[:PORT][/PATH][?OPTIONS]: path "/ipp/print" if there is
 * none. False with the reason in `why` [IPP_WHY] if it is no such address. */
bool ipp_address_read(struct ipp_address *address, const char *uri, char *why);

/*
 * Asks the printer for its attributes, for 10 seconds and 1 MiB at most. The
 * caller frees them with ippDelete(). NULL with the reason in `why` [IPP_WHY],
 * which has no control characters, if it gives none.
 */
ipp_t *ipp_about(const struct ipp_address *address, char *why);

/* Whether a printer with these attributes takes PWG raster of one bit; if not,
 * says in `why` [IPP_WHY] what it takes. */
bool ipp_takes_dots(ipp_t *about, char *why);

#endif
