/*
 * gutenprint_drops.h - the resolutions of a Gutenprint PPD and what may replace
 * them, and the drops that the filter prints with each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_GUTENPRINT_DROPS_H
#define PPD_CONVERT_GUTENPRINT_DROPS_H

#include <stdbool.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#include "ppd/convert/gutenprint_trace.h"

#define DROPS_VALUE 64    /* bytes, of HalftoneSizes */
#define DROPS_CHOICES 128 /* of options at most; others are left out */

/* A choice, and the drops that all inks have with it. */
struct drop_choice {
    const char *option, *name;
    unsigned dpi[2]; /* of a resolution */
    struct ink_codes common;
    bool whole; /* the largest of them is nearly that of each ink */
    bool left;  /* out */
    char said[TRACE_LINE];
};

struct gutenprint_drops {
    struct drop_choice resolutions[DROPS_CHOICES];
    struct drop_choice others[DROPS_CHOICES]; /* papers, sets of ink, sides */
    int resolution_count, other_count;
    bool asked; /* false: the filter cannot be run, and nothing is left out */
};

/* Asks the filter at each resolution and, where others may replace it, with
 * each of these. Leaves out choices without a drop of each ink, and those where
 * a page would be paler than Gutenprint's if there are others. `file` has the
 * PPD; `ink` is the choice of StpInkType, or NULL. */
void gutenprint_drops_find(struct gutenprint_drops *drops, ppd_file_t *ppd,
                           int file, const char *filter, bool color,
                           const char *ink);

/* Returns the first resolution with the dpi of a choice that is not left out,
 * to which their drops belong; NULL = none. */
struct drop_choice *gutenprint_drops_like(struct gutenprint_drops *drops,
                                          const struct drop_choice *choice);

/* Writes the value of HalftoneSizes for the drops, "AREA,... CODE,...". False
 * for none. */
bool gutenprint_drops_value(const struct ink_codes *codes,
                            char value[DROPS_VALUE]);

#endif
