/*
 * joined.h - segments side by side in a swath, which lie on a tape as one: what
 * a row of them costs is then paid once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_JOINED_H
#define HT_TDFED_JOINED_H

#include "halftone/tdfed/rows.h"

struct ht_tdfed_joined {
    struct ht_tdfed_segment whole; /* all their columns */
    struct ht_tdfed_segment *leftmost, *rightmost;
    /* Where each of them ends, counted in scan order from the first column. */
    unsigned count;
    uint32_t end[HT_TDFED_MAX_SEGMENTS];
};

/* Joins those of `count` segments that follow each other, to at most `most`
 * columns unless one has more, and puts these into `joined`. Returns how many
 * that are. */
unsigned ht_tdfed_join(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *const *segments, unsigned count,
                       uint32_t most, struct ht_tdfed_joined *joined);

/* Gives the segments back the dots that they share with their neighbours. */
void ht_tdfed_unjoin(const struct ht_tdfed_page *page,
                     const struct ht_tdfed_joined *joined, unsigned count);

#endif
