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

/* Finds the inks of a segment that have nothing but white and solid samples and
 * inherit no error. Their dots, which are the samples, are there already, and
 * they leave no error but the noise where tints begin below. The others go to
 * segment->inks. */
void ht_tdfed_do_blank(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *segment);

#endif
