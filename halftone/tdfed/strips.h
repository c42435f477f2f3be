/*
 * strips.h - the strips of some segments, from samples to dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_STRIPS_H
#define HT_TDFED_STRIPS_H

#include "halftone/tdfed/tape.h"

/* Halftones the inks, segment->inks, of 1..HT_TDFED_MAX_SEGMENTS segments,
 * whose swaths have the same number of rows. */
void ht_tdfed_run_segments(const struct ht_tdfed_page *page,
                           struct ht_tdfed_segment *segments, unsigned count,
                           struct ht_tdfed_space *space);

#endif
