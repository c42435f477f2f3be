/*
 * kept_tables.h - tables of a job's ink, made once for all pages of a kind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_KEPT_TABLES_H
#define PAGE_KEPT_TABLES_H

#include "page/drops.h"
#include "page/ink.h"
#include "halftone/halftone.h"

struct kept_tables; /* a list, NULL at first */

/* Pages of a kind have the same tables. */
struct kept_kind {
    const struct drops *drops; /* NULL where the printer has none */
    const struct ink_set *set; /* that is made of other inks; NULL = none */
    uint32_t inks;             /* that come */
    bool measured; /* the curve is for whole dots, and drop_curve.h makes it one
                      for the drops */
};

/*
 * Finds the tables of pages of a kind and `shape`, or makes them; `*made` tells
 * which. Drops and set are compared as pointers, and have to last as long as
 * the list, which the tables belong to. There are few kinds: a page has one of
 * the printer's sizes, which a PPD limits to DROPS_MAX_OF_PPD, one of three
 * numbers of inks, pixels of three shapes, and up to HT_MAX_CELLS cells. NULL
 * without memory.
 */
struct ink_tables *kept_tables_find(struct kept_tables **list,
                                    const struct kept_kind *kind,
                                    const ht_page_t *shape, bool *made);

void kept_tables_free(struct kept_tables **list); /* leaves NULL */

#endif
