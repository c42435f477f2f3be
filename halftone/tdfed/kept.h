/*
 * kept.h - shares that keep to toned pixels: where they may go, to a tape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_KEPT_H
#define HT_TDFED_KEPT_H

#include "halftone/tdfed/part.h"

/* Lays where the shares of a part of a row may go, and the noise that its
 * pixels need, into a lane of the tape. */
void ht_tdfed_lay_kept(const struct ht_tdfed_section *section,
                       const struct ht_tdfed_segment *segment, uint32_t ink,
                       uint32_t row, const struct part *part, unsigned lane,
                       struct ht_tdfed_tape *tape,
                       struct ht_tdfed_space *space);

#endif
