/*
 * pages.h - web pages in place of PAPPL's, and what is done with all of them:
 * callbacks of pappl-fixes.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_WEB_PAGES_H
#define PRINTER_APP_WEB_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include <pappl/pappl.h>

/* add_page.c, media_page.c, supplies_page.c, info_form.c */
void add_page(pappl_client_t *client, pappl_system_t *system);
void media_page(pappl_client_t *client, pappl_printer_t *printer);
void supplies_page(pappl_client_t *client, pappl_printer_t *printer);
void info_form(pappl_client_t *client, bool is_form, const char *name,
               const char *location, const char *geo, const char *organization,
               const char *unit, const pappl_contact_t *contact);

/* print_page.c */
void print_page_add(pappl_printer_t *printer);
const char *print_page_options(pappl_printer_t *printer, int count,
                               cups_option_t *fields, ipp_t *request);
void print_page_done(pappl_client_t *client, pappl_printer_t *printer, int job,
                     const char *says);

/* pages.c */
char *pages_mend(pappl_client_t *client, const char *page, size_t size,
                 size_t *bytes);
void pages_renew(pappl_client_t *client);
void pages_refuse(pappl_client_t *client, http_status_t status);

#endif
