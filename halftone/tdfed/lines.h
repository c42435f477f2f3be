/*
 * lines.h - lays errors for the rows below: parts of the state's lines to a
 * tape and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_LINES_H
#define HT_TDFED_LINES_H

#include "halftone/tdfed/chunk.h"

/* Lays what the first rows of a strip inherit from a line [width]: to [steps].
 * NULL: nothing. */
void ht_tdfed_inherit(const struct ht_tdfed_chunk *chunk,
                      const struct ht_tdfed_strip *strip, const int16_t *line,
                      int16_t *to);

/* Puts what its last rows leave into the line: from [steps]. */
void ht_tdfed_leave(const struct ht_tdfed_chunk *chunk,
                    const struct ht_tdfed_strip *strip, int16_t *line,
                    const int16_t *from);

#endif
