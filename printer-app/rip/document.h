/*
 * document.h - the part of a job that PDF and pictures need for their pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_DOCUMENT_H
#define PRINTER_APP_DOCUMENT_H

#include <cups/raster.h>
#include <pappl/pappl.h>

#include "printer-app/rip/rip.h"

/* The sheet, and how a job wants pages to lie on it. */
struct rip_page document_page(pappl_job_t *job,
                              const pappl_pr_options_t *options);

/* Takes from the job what a RIP does not know of the sheet. */
void document_complete(cups_page_header2_t *header,
                       const pappl_pr_options_t *options);

#endif
