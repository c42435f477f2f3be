/*
 * pins.h - PPDs of dot matrix printers, whose pages rastertoepson prints in
 * columns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_PINS_H
#define PPD_CONVERT_PINS_H

#include "ppd/convert/text.h"

/* Mends the text of a PPD for this driver, with this cupsModelNumber; leaves
 * those of other drivers as they are. */
void pins_mend(struct ppd_text *text, const char *driver, int model);

#endif
