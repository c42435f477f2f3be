/*
 * raw_settings.h - libgutenprint's settings of a job and of its pages: those of
 * Gutenprint's own filter.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef GUTENPRINT_RAW_SETTINGS_H
#define GUTENPRINT_RAW_SETTINGS_H

#include <stdbool.h>

#include <cups/raster.h>
#include <gutenprint/gutenprint.h>

#include "page/choice.h"

/* Part of a page's raster that the printer reaches, in dots. */
struct raw_place {
    double width, height; /* not checked: they may be absurd */
    double left, top;     /* that are left out of the raster */
};

/* Makes settings of the PPD's options, whose names begin with Stp. The caller
 * destroys them. */
stp_vars_t *raw_settings_of_job(const stp_printer_t *printer,
                                const struct choices *from);

/* Adds the settings of a page, the first of which is 0, and sets its place.
 * False after an ERROR line about a page that the driver does not print. */
bool raw_settings_of_page(stp_vars_t *vars, const struct choices *from,
                          const cups_page_header2_t *header, unsigned page,
                          struct raw_place *place);

#endif
