/*
 * label.h - mends CUPS's PPDs of label printers, which ask rastertolabel for
 * things that it takes for others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_LABEL_H
#define PPD_CONVERT_LABEL_H

#include "ppd/convert/text.h"

/* Mends the text of a PPD for this driver, with this cupsModelNumber; leaves
 * those of other drivers as they are. */
void label_mend(struct ppd_text *text, const char *driver, int model);

#endif
