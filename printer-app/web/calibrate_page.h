/*
 * calibrate_page.h - the web page of a printer that prints the chart and makes
 * its curve.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_CALIBRATE_PAGE_H
#define PRINTER_APP_CALIBRATE_PAGE_H

#include <pappl/pappl.h>

/* Gives a new printer the page, and a link to it: PAPPL's callback. */
void calibrate_page_add(pappl_printer_t *printer, void *data);

#endif
