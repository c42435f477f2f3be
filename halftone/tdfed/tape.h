/*
 * tape.h - a section of some strips: samples and errors to tapes, dots and
 * errors from them.
 *
 * A tape is as long as the first caches are large: longer strips go over it in
 * sections, with the kernel's chain kept in between. In a section, column c of
 * row r of a segment, counted in scan order, lies at step
 *
 *   c + HT_TDFED_LAG * r + lag - begin
 *
 * where lag is the segment's own and begin the section's first step.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_TAPE_H
#define HT_TDFED_TAPE_H

#include "halftone/tdfed/gather.h"

/* Segments that follow each other in the lanes of a strip, all with their inks
 * in the same order. */
struct ht_tdfed_strip {
    unsigned count;
    struct ht_tdfed_piece {
        struct ht_tdfed_segment *segment;
        uint32_t lag; /* steps before its first column */
    } piece[HT_TDFED_MAX_SEGMENTS];
};

struct ht_tdfed_section {
    const struct ht_tdfed_page *page;
    struct ht_tdfed_strip strips[HT_TDFED_MAX_STRIPS];
    bool meet;     /* ht_tdfed_run.meet */
    uint32_t rows; /* of the swaths */
    uint32_t begin,
        steps; /* steps begin..begin+steps-1, at most HT_TDFED_STEPS */
};

/* What a thread works in, aligned to 64 bytes. */
struct ht_tdfed_space {
    struct ht_tdfed_tape *tape;   /* [inks] */
    struct ht_tdfed_chain *chain; /* [inks] */
    /* Of inks together; `overlap` [pairs]. */
    struct ht_tdfed_meeting meeting;
    struct ht_tdfed_line_of_inks *overlap;
    struct ht_tdfed_gathered *gathered;
    /* Of the inks before: ht_tdfed_kernel.lay's `forced`. */
    uint8_t forced[HT_TDFED_MAX_LANES][HT_TDFED_STEPS];
    int16_t tone[HT_TDFED_STEPS + HT_TDFED_LAG];
    uint8_t level[HT_TDFED_STEPS + HT_TDFED_LAG];
    /* ht_tdfed_kernel.keep's */
    uint8_t row[HT_TDFED_STEPS + 80], below[HT_TDFED_STEPS + 80];
};

/* Allocates what a thread needs for a page; HT_ERR_MEMORY. Free it with
 * ht_tdfed_space_free() either way; NULL is allowed there. */
ht_status_t ht_tdfed_space_new(struct ht_tdfed_space **out,
                               const struct ht_tdfed_page *page);
void ht_tdfed_space_free(struct ht_tdfed_space *space);

/* Makes `space` ready for the first section of some strips. */
void ht_tdfed_begin_strips(const struct ht_tdfed_page *page,
                           struct ht_tdfed_space *space);

/* Runs the strips of a section: lays them on the tapes of `space`, and puts the
 * dots and errors that are there after the kernel has run into the page. */
void ht_tdfed_run_section(const struct ht_tdfed_section *section,
                          struct ht_tdfed_space *space);

#endif
