/*
 * kept.h - keeps the pages of a client's raster, which comes once, for more
 * copies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_KEPT_H
#define PRINTER_APP_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include <cups/raster.h>
#include <pappl/pappl.h>

#include "printer-app/press.h"
#include "pappl-fixes/pappl-fixes.h"

struct kept_raster {
    int in;
    struct papplfixes_file out; /* the same; counts in the spool's limit */
    char path[256];
    char why[PAPPLFIXES_WHY]; /* no more was written */
    cups_raster_t *raster;
    cups_page_header2_t header; /* of the last page */
    unsigned pages;
};

/* Opens a file in the folder of the job's documents. False after a line in the
 * job's log. */
bool kept_open(struct kept_raster *kept, pappl_job_t *job);

/* Keep a page, and each of its lines. False after an ERROR line. */
bool kept_page(struct kept_raster *kept, const cups_page_header2_t *header);
bool kept_line(struct kept_raster *kept, const uint8_t *line);

/* Prints the pages `copies` times more, each time on a new sheet. False after
 * an ERROR line; true in a canceled job. */
bool kept_print(struct kept_raster *kept, struct press *press,
                const pappl_pr_options_t *options, int copies);

void kept_close(struct kept_raster *kept); /* {0} is allowed */

#endif
