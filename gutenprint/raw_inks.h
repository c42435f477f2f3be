/*
 * raw_inks.h - the inks that libgutenprint takes one by one, in the words of
 * page/ink_set.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef GUTENPRINT_RAW_INKS_H
#define GUTENPRINT_RAW_INKS_H

#include <stdbool.h>

#include <gutenprint/gutenprint.h>

#include "page/ink_set.h"

/* Has the driver take so many inks one by one, each with its drops' codes as
 * samples of 16 bits. False unless they are those of the set, in its order. */
bool raw_inks_use(stp_vars_t *vars, const struct ink_set *set);

/*
 * Prints a line for each set of ink of the driver, the default one first, with
 * the most inks that can be taken so:
 *
 *   SET K LK:48 LLK:16 C LC:34 M LM:25 Y
 *
 * The set, a choice of StpInkSet, is "-" if there is no choice. False if there
 * is no line.
 */
bool raw_inks_print(const stp_printer_t *printer);

#endif
