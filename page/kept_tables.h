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

/*
 * Finds the tables of pages of `shape` with drops of these sizes, or makes
 * them;
 * `*made` tells which. `drops` is NULL where the curve is not for whole dots,
 * or pages have drops of one size: all such pages have the same tables. It is
 * compared as a pointer, and has to last as long as the list, which the tables
 * belong to. There are few kinds: a printer has up to DROPS_MAX_LINES sizes, a
 * page one of three numbers of inks, pixels of three shapes, and up to
 * HT_MAX_CELLS cells. NULL without memory.
 */
struct ink_tables *kept_tables_find(struct kept_tables **list,
                                    const struct drops *drops,
                                    const ht_page_t *shape, bool *made);

void kept_tables_free(struct kept_tables **list); /* leaves NULL */

#endif
