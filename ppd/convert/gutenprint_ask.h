/*
 * gutenprint_ask.h - runs Gutenprint's filter, to learn which drops it prints.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_GUTENPRINT_ASK_H
#define PPD_CONVERT_GUTENPRINT_ASK_H

#include <stdbool.h>

#include <cups/raster.h>

#include "ppd/convert/gutenprint_trace.h"

/* Puts bytes into a file of memory. Returns its number, or -1 with errno. */
int gutenprint_file(const char *bytes, size_t size);

/*
 * Starts the filter of CUPS's folder with that name, the PPD of the file `ppd`
 * and these options, on the beginning of a blank page that the header
 * describes, and ends it as soon as it has told its drops. False if it cannot
 * be run, takes more than 5 s, or ends before that.
 */
bool gutenprint_ask(struct gutenprint_trace *trace, const char *filter, int ppd,
                    cups_page_header2_t *header, const char *options);

#endif
