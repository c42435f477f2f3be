/*
 * gutenprint.h - PPDs of Gutenprint: its filter prints codes of drops instead
 * of tones if some of its options have one choice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_GUTENPRINT_H
#define PPD_CONVERT_GUTENPRINT_H

#include <stdbool.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#include "ppd/convert/kind.h"
#include "ppd/convert/text.h"

#define GUTENPRINT_WHY 256
#define GUTENPRINT_PACKER "halftonetogutenprint"

struct gutenprint {
    bool color; /* pages of four inks, and not of black alone */
    bool sized; /* drops of several sizes at some resolution */
    bool inks;  /* lighter ones, too, if all are asked for */
    enum ppd_kind kind;
    char *lines;              /* attributes for our filter and packer */
    char why[GUTENPRINT_WHY]; /* it is refused; "" = it is not */
};

/* Tells whether the PPD has what it takes; false with the reason. */
bool gutenprint_check(struct gutenprint *gutenprint,
                      const struct ppd_text *text);

/* Asks the filter for the drops at each resolution, and edits all but the lines
 * of filters and the name. False with the reason. Free in any case. */
bool gutenprint_convert(struct gutenprint *gutenprint, struct ppd_text *text,
                        ppd_file_t *ppd, const char *filter);
void gutenprint_free(struct gutenprint *gutenprint);

#endif
