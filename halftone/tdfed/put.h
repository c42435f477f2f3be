/*
 * put.h - dots from the tape to the page's rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_PUT_H
#define HT_TDFED_PUT_H

#include "halftone/tdfed/chunk.h"

/* Adds the dots of a strip's row, which are in a lane, to the page's. */
void ht_tdfed_put_dots(const struct ht_tdfed_chunk *chunk,
                       const struct ht_tdfed_strip *strip, uint32_t row,
                       const struct ht_tdfed_tape *tape, unsigned lane);

#endif
