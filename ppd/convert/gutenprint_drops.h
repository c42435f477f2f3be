/*
 * gutenprint_drops.h - the drops that Gutenprint's filter prints with each
 * resolution and paper of its PPD, as lines for our filter.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_GUTENPRINT_DROPS_H
#define PPD_CONVERT_GUTENPRINT_DROPS_H

#include <stdbool.h>
#include <stdio.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#include "ppd/convert/text.h"

struct gutenprint_drops {
    const char *filter, *ink /* choice of StpInkType, or NULL */;
    unsigned inks;   /* of a page: 4, or black alone */
    bool by_pairs;   /* drops depend on resolution and paper together */
    bool mixed_gray; /* pages of black may have all inks on some paper */
    bool sized;      /* the answer: drops of several sizes somewhere */
};

/*
 * Asks the filter with the PPD, of which `text` is, drops choices with which
 * our dots cannot be printed, and sets the default resolution. Writes lines of
 * HalftoneSizes (halftone-ppd(1)), and constraints where a choice cannot be
 * dropped. Returns NULL, or the reason why there are no drops.
 */
const char *gutenprint_drops_find(struct gutenprint_drops *drops,
                                  struct ppd_text *text, ppd_file_t *ppd,
                                  FILE *out);

#endif
