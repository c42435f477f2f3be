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

#define DROPS_CHOICES 64 /* of an option at most */

struct drop_choice {
    const char *name;        /* NULL = the paper of a PPD without MediaType */
    unsigned dpi[2], number; /* of a resolution */
    bool left /* out */, one_sided /* other drops on two sides */;
};

/* Choices that are asked for, and behind them those that are not. */
struct drop_list {
    struct drop_choice at[DROPS_CHOICES];
    int count, all, preset;
};

struct gutenprint_drops {
    struct drop_list resolutions, papers, sets; /* sets of ink */
    bool sized;         /* drops of several sizes somewhere */
    bool gray_as_color; /* Gutenprint prints pages in gray otherwise */
    double lowest;      /* of the inks' largest drops, 1 = whole */
};

/* With which the filter is asked. */
struct drop_source {
    ppd_file_t *ppd;
    int file; /* of the PPD */
    const char *filter, *ink /* choice of StpInkType, or NULL */;
    unsigned inks; /* of a page: 4, or black alone */
};

/*
 * Asks the filter, leaves out choices with which our dots cannot be printed,
 * and sets the presets. Writes lines of HalftoneSizes (halftone-ppd(1)), and
 * constraints where a choice cannot be left out. Returns NULL, or the reason
 * why there are no drops.
 */
const char *gutenprint_drops_find(struct gutenprint_drops *drops,
                                  const struct drop_source *source, FILE *out);

#endif
