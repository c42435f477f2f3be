/*
 * gutenprint_value.h - what a PPD says of the drops of a page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_GUTENPRINT_VALUE_H
#define PPD_CONVERT_GUTENPRINT_VALUE_H

#include "ppd/convert/gutenprint_ask.h"

#define GUTENPRINT_VALUE 192 /* bytes, of HalftoneSizes */

/* Writes the value of HalftoneSizes (doc/dev/filter.md) for a page that was
 * asked for, of densities cut to 1 together as Gutenprint does with Epson's; ""
 * if our dots cannot be printed, or would be paler than Gutenprint's. */
void gutenprint_value(char text[GUTENPRINT_VALUE], struct asked_page page);

#endif
