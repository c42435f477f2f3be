/*
 * drop_curve.h - the tones of drops of several sizes, and of lighter inks, that
 * cover as much of the paper as those of whole dots of dark ink, on the printer
 * of doc/dev/color-model.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_DROP_CURVE_H
#define PAGE_DROP_CURVE_H

#include "page/curve.h"
#include "page/ink_set.h"
#include "halftone/halftone.h"

/*
 * Prints a ramp of each ink of a page, 1 (K), 3 (C, M, Y) or 4 (K, C, M, Y), in
 * its drops, and once more in whole dots or, not `whole`, in the same drops,
 * and measures both: curve[inks] has the tone in drops for a tone in the
 * others, from (0,0) to (1,1). With a set, of which the page then has all inks,
 * the ramps are those of K, C, M and Y, the first ones separated by
 * shades_split(); the light that lighter inks absorb counts. It is that of the
 * page's method, table, resolution, segments, cells and sizes, and all else of
 * `page` is ignored. Takes some milliseconds of the processor. False without
 * memory.
 */
bool drop_curve_make(struct curve_points *curve, const ht_page_t *page,
                     const struct ink_set *set, bool whole);

#endif
