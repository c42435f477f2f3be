/*
 * raw_driver.h - libgutenprint's settings of a job and its pages, as its own
 * filter has them, and the inks that a driver takes one by one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef GUTENPRINT_RAW_DRIVER_H
#define GUTENPRINT_RAW_DRIVER_H

#include <stdbool.h>

#include <cups/raster.h>
#include <gutenprint/gutenprint.h>

#include "page/choice.h"
#include "page/ink_set.h"

/* Place on a page's raster that the printer reaches, in dots: not checked. */
struct raw_place {
    double width, height, left, top;
};

/* Sets the parameters NAME of a PPD's options StpNAME. */
void raw_choose(stp_vars_t *vars, const struct choices *from);

/* Sets the choice of that number, from 1; 0 = the driver chooses. */
void raw_choose_numbered(stp_vars_t *vars, const char *name, unsigned number);

/* Adds what a page's header says, and sets its place. False after an ERROR line
 * about a resolution that is not the driver's. */
bool raw_set_page(stp_vars_t *vars, const ppd_size_t *size,
                  const cups_page_header2_t *header, struct raw_place *place);

/* Lets the driver take the inks of a set one by one, in its order, as samples
 * of 16 bits with the codes of drops. False if it has others. */
bool raw_set_inks(stp_vars_t *vars, const struct ink_set *set);

/* Prints a line "SET K LK:48 C LC:34 M LM:25 Y" for each choice of StpInkSet,
 * "-" if there is none, with the most inks that the driver takes one by one.
 * False if it takes none so. */
bool raw_print_inks(const stp_printer_t *printer);

#endif
