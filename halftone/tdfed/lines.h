/*
 * lines.h - what rows leave to the rows below: parts of the state's lines to a
 * tape and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_LINES_H
#define HT_TDFED_LINES_H

#include "halftone/tdfed/tape.h"

/* The line [width] of each piece of a strip; NULL: it has none. */
struct ht_tdfed_lines {
    int16_t *of[HT_TDFED_MAX_SEGMENTS];
};

/* Find strip s's lines of errors of the ink of a turn, of overlap of the inks
 * of two turns, which are a pair, and of light. */
void ht_tdfed_errors_of(const struct ht_tdfed_section *section, unsigned s,
                        uint32_t turn, struct ht_tdfed_lines *lines);
void ht_tdfed_overlaps_of(const struct ht_tdfed_section *section, unsigned s,
                          uint32_t turn, uint32_t other,
                          struct ht_tdfed_lines *lines);
void ht_tdfed_light_of(const struct ht_tdfed_section *section, unsigned s,
                       struct ht_tdfed_lines *lines);

/* Lays what the first rows of strip s inherit: to [steps]. */
void ht_tdfed_lay_lines(const struct ht_tdfed_section *section, unsigned s,
                        const struct ht_tdfed_lines *lines, int16_t *to);

/* Puts what its last rows leave: from [steps]. */
void ht_tdfed_put_lines(const struct ht_tdfed_section *section, unsigned s,
                        const struct ht_tdfed_lines *lines,
                        const int16_t *from);

/* Copies `count` numbers, the last one first. */
void ht_tdfed_copy_mirrored(int16_t *to, const int16_t *from, uint32_t count);

#endif
