/*
 * tape.h - a section of some strips: samples and errors to a tape, dots and
 * errors from it.
 *
 * A tape is as long as the first caches are large: longer segments go over it
 * in sections, with the kernel's chain kept in between. In a section, column c
 * of row r of a strip, counted in scan order, lies at step
 *
 *   c + HT_TDFED_LAG * r + lag - begin
 *
 * where lag is the strip's own and begin the section's first step.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_TAPE_H
#define HT_TDFED_TAPE_H

#include "halftone/tdfed/rows.h"

struct ht_tdfed_strip {
    struct ht_tdfed_segment *segment; /* NULL: nothing in these lanes */
    uint32_t ink;
    uint32_t lag; /* steps behind the other strips */
};

struct ht_tdfed_section {
    const struct ht_tdfed_page *page;
    struct ht_tdfed_strip strips[HT_TDFED_MAX_STRIPS];
    uint32_t rows; /* of the swaths */
    uint32_t begin,
        steps; /* steps begin..begin+steps-1, at most HT_TDFED_STEPS */
};

/* What a thread works in, aligned to 64 bytes. */
struct ht_tdfed_space {
    struct ht_tdfed_tape tape;
    struct ht_tdfed_chain chain[HT_MAX_INKS];
    int16_t tone[HT_TDFED_STEPS];
    uint8_t level[HT_TDFED_STEPS];
};

/* Lays the strips of a section, which look at inks as `inks` says, on the tape
 * of `space` and describes the run in `*run`. */
void ht_tdfed_lay_section(const struct ht_tdfed_section *section,
                          enum ht_tdfed_inks inks, struct ht_tdfed_space *space,
                          struct ht_tdfed_run *run);

/* Puts the dots and errors on the tape, after the run, into the page. */
void ht_tdfed_put_section(const struct ht_tdfed_section *section,
                          const struct ht_tdfed_tape *tape);

/* Fetches the section's samples of a strip, which has a segment, into the
 * nearest cache. */
void ht_tdfed_prefetch(const struct ht_tdfed_section *section,
                       const struct ht_tdfed_strip *strip);

#endif
