/*
 * defaults.h - the defaults of printers: those that no job could be printed
 * with are refused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_DEFAULTS_H
#define PRINTER_APP_IPP_DEFAULTS_H

#include <stdbool.h>

#include <pappl/pappl.h>

/* Callbacks of pappl-fixes.h: take_attributes and take_defaults. */
bool defaults_take_attributes(pappl_client_t *client, pappl_printer_t *printer);
bool defaults_take(pappl_printer_t *printer, const pappl_pr_driver_data_t *data,
                   int count, const cups_option_t *vendor, const char **field,
                   char *why);

#endif
