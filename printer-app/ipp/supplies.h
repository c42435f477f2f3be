/*
 * supplies.h - ink, toner and what else a device tells of itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_SUPPLIES_H
#define PRINTER_APP_SUPPLIES_H

#include <pappl/pappl.h>

/* Prepares a printer's driver data for that. */
void supplies_open(pappl_pr_driver_data_t *data);

/* Says, until a device does, which supplies a printer has; their levels are not
 * known. PAPPL's callback. */
bool supplies_show(pappl_printer_t *printer);

/* Asks an open device for its state and supplies, and gives them to the
 * printer; at most once a minute, or an hour if it told nothing, as such
 * devices let us wait. */
void supplies_ask(pappl_printer_t *printer, pappl_device_t *device);

#endif
