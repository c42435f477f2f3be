/*
 * gather.h - segments without most of their white and solid columns.
 *
 * Errors go to toned pixels alone. So a column of a segment that has none in
 * the rows of the swath nor in the row below, and inherits no error, gets none
 * and gives none, and nothing is different for others if it is left out: as
 * long as HT_TDFED_REACH such columns stay between those that they part, and
 * the segment keeps its last pixel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_GATHER_H
#define HT_TDFED_GATHER_H

#include "halftone/tdfed/rows.h"

#define HT_TDFED_GATHERED 1344u   /* columns, of all segments */
#define HT_TDFED_GATHER_FROM 384u /* columns of a segment, at most */
#define HT_TDFED_GATHER_RUNS (HT_TDFED_GATHER_FROM / (HT_TDFED_REACH + 1) + 1)

/* Segments that were gathered, on a page of their own, whose inks have the same
 * arrays: its width is 0. */
struct ht_tdfed_gathered {
    struct ht_tdfed_page page;
    struct ht_tdfed_swath swath[HT_TDFED_MAX_SEGMENTS];
    struct ht_tdfed_segment segment[HT_TDFED_MAX_SEGMENTS];
    struct ht_tdfed_runs {
        unsigned count;
        struct {
            uint32_t from, to, count; /* columns of the segment's page, and of
                                         this one */
        } run[HT_TDFED_GATHER_RUNS];
    } runs[HT_TDFED_MAX_SEGMENTS];
    uint8_t samples[HT_TDFED_ROWS + 1][HT_TDFED_GATHERED + 64];
    uint16_t pattern[HT_TDFED_ROWS][HT_TDFED_GATHERED + 64];
    int16_t error[HT_TDFED_GATHERED + 64];
    uint32_t column[HT_TDFED_GATHERED];
    uint8_t dots[HT_TDFED_ROWS][HT_TDFED_GATHERED / 8 + 16];
};

/* Gathers an ink of some segments. Says whether that is worth
 * it: if not, they have to run as they are. */
bool ht_tdfed_gather(struct ht_tdfed_gathered *gathered,
                     const struct ht_tdfed_page *page,
                     struct ht_tdfed_segment *const *segments, unsigned count,
                     uint32_t ink);

/* Puts the dots and errors of gathered segments, after they have run, into the
 * page. */
void ht_tdfed_scatter(struct ht_tdfed_gathered *gathered,
                      const struct ht_tdfed_page *page,
                      struct ht_tdfed_segment *const *segments, unsigned count,
                      uint32_t ink);

#endif
