/*
 * lay_targets.h - lays the targets of shares that keep to toned pixels on a
 * tape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_LAY_TARGETS_H
#define HT_TDFED_LAY_TARGETS_H

#include "halftone/tdfed/chunk.h"

/* Lays where the shares of a strip's row may go, and the noise that its pixels
 * need, into a lane of the tape; space->toned has the rows. */
void ht_tdfed_lay_targets(const struct ht_tdfed_chunk *chunk,
                          const struct ht_tdfed_strip *strip, uint32_t row,
                          unsigned lane, struct ht_tdfed_tape *tape,
                          const struct ht_tdfed_space *space);

#endif
