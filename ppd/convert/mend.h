/*
 * mend.h - what CUPS's own PPDs ask of its drivers, and these do not do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_MEND_H
#define PPD_CONVERT_MEND_H

#include "ppd/convert/text.h"

/* Mends the text of a PPD for this driver, with this cupsModelNumber; leaves
 * those of others as they are. */
void mend_text(struct ppd_text *text, const char *driver, int model);

#endif
