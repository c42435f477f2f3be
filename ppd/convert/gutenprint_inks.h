/*
 * gutenprint_inks.h - printers whose inks halftonetorawgutenprint prints one by
 * one, lighter ones, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_GUTENPRINT_INKS_H
#define PPD_CONVERT_GUTENPRINT_INKS_H

#include <stdbool.h>
#include <stdio.h>

#include "ppd/convert/text.h"

/* Asks the packer, if it is installed, for the inks of the PPD's printer, and
 * writes lines of HalftoneInkSet: that of the default set of ink, and those of
 * others that differ. Constrains sets without lighter inks. False, without a
 * line, if the default one has none. */
bool gutenprint_inks_find(const struct ppd_text *text, FILE *out);

#endif
