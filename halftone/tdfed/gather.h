/*
 * gather.h - columns of segments that lie side by side on a tape.
 *
 * Errors go to toned pixels alone. So a column of a segment that has none in
 * the rows of the swath nor in the row below, and inherits no error, gets none
 * and gives none, and nothing is different for others if it is left out: as
 * long as HT_TDFED_REACH white ones take its place.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_GATHER_H
#define HT_TDFED_GATHER_H

#include "halftone/tdfed/rows.h"

#define HT_TDFED_GATHER_FROM 384u /* columns of a segment, at most */
#define HT_TDFED_GATHER_STRETCHES                                              \
    (HT_TDFED_GATHER_FROM / (HT_TDFED_REACH + 1) + 1)

struct ht_tdfed_columns {
    uint32_t begin, end; /* columns begin..end-1 */
};

/* Finds the columns of an ink's segment that have to be diffused, from left to
 * right; all of a long one. Writes up to HT_TDFED_GATHER_STRETCHES stretches
 * and returns their number. */
unsigned ht_tdfed_gather(const struct ht_tdfed_page *page,
                         const struct ht_tdfed_segment *segment, uint32_t ink,
                         struct ht_tdfed_columns *stretches);

#endif
