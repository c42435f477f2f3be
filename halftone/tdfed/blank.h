/*
 * blank.h - strips with nothing but white and solid, which need no kernel:
 * doc/dev/halftone.md, "What may be skipped".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_BLANK_H
#define HT_TDFED_BLANK_H

#include "halftone/tdfed/rows.h"

/* Says whether `count` errors are all 0. */
bool ht_tdfed_no_error(const int16_t *error, uint32_t count);

/* Fetches the samples of a segment into the nearest cache. */
void ht_tdfed_prefetch(const struct ht_tdfed_page *page,
                       const struct ht_tdfed_segment *segment);

/* Fills a line of 8-bit samples of a row: where they are white or solid it has
 * their dots, elsewhere any. May read samples beside it. */
void ht_tdfed_fill_line(const struct ht_tdfed_page *page,
                        struct ht_tdfed_line *line, const uint8_t *samples);

/* Finds the inks of a segment that have nothing but white and solid samples and
 * inherit no error. Puts their dots, which are the samples; they leave no error
 * but the noise where tints begin below. The others go to segment->inks. */
void ht_tdfed_do_blank(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *segment);

#endif
