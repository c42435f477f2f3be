/*
 * tape.h - a chunk of some strips: samples and errors to tapes, dots and
 * errors from them.
 *
 * A tape is as long as the first caches are large: longer strips go over it in
 * chunks, with the kernel's chain kept in between. In a chunk, the column
 * that is number c of a stretch, counted in scan order, lies in row r at step
 *
 *   c + ht_tdfed_chunk.lag * r + at + lag - begin
 *
 * where `at` is the stretch's own in its strip, lag the strip's and begin the
 * chunk's first step.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_TAPE_H
#define HT_TDFED_TAPE_H

#include "halftone/tdfed/gather.h"

/* Columns of a swath, consecutive on a tape. */
struct ht_tdfed_stretch {
    const struct ht_tdfed_swath *swath;
    uint32_t begin, end; /* columns begin..end-1 */
    /* The bytes of a row of dots, from..to-1, that no other segment has
     * dots in. */
    uint32_t own_from, own_to;
    uint32_t at; /* steps before its first column */
};

/* Steps of a segment in its strip. */
struct ht_tdfed_extent {
    uint32_t begin, end; /* steps begin..end-1 */
};

#define HT_TDFED_MOST_STRETCHES                                                \
    (HT_TDFED_MAX_SEGMENTS * HT_TDFED_GATHER_STRETCHES)

/* An ink's part of consecutive segments. */
struct ht_tdfed_strip {
    uint32_t ink;
    bool idle;    /* there is no ink; `ink` is any */
    uint32_t lag; /* steps before its first column */
    uint32_t steps;
    unsigned count;
    const struct ht_tdfed_stretch *stretch; /* [count] */
    unsigned extents;
    const struct ht_tdfed_extent *extent; /* [extents], of segments whose last
                                         pixel is in a stretch */
};

struct ht_tdfed_chunk {
    const struct ht_tdfed_page *page;
    uint32_t vectors; /* of strips: ht_tdfed_run.vectors */
    struct ht_tdfed_strip strips[HT_TDFED_PLACES];
    bool meet; /* they are of inks that meet, each strip of the next one, a
                  step behind */
    enum ht_tdfed_content content;
    uint32_t lag;  /* steps from row to row */
    uint32_t rows; /* of the swaths */
    uint32_t begin,
        steps; /* steps begin..begin+steps-1, at most HT_TDFED_STEPS */
};

/* Memory that a thread works in, aligned to 64 bytes. */
struct ht_tdfed_space {
    struct ht_tdfed_tape *tape;   /* [vectors], as many as the page needs */
    struct ht_tdfed_chain *chain; /* [vectors] */
    struct ht_tdfed_meeting meeting;
    bool shared; /* other threads work on the page, too */
    struct ht_tdfed_stretch stretch[HT_TDFED_MOST_STRETCHES];
    struct ht_tdfed_extent extent[HT_TDFED_MAX_SEGMENTS];
    int16_t tone[HT_TDFED_LAID];
    uint16_t pattern[HT_TDFED_ROWS]
                    [HT_TDFED_SLACK + HT_TDFED_AT_ONCE + HT_TDFED_SLACK];
    uint8_t level[HT_TDFED_ROWS + 1]
                 [HT_TDFED_SLACK + HT_TDFED_LAID + HT_TDFED_SLACK];
    /* For each row and the row below, at the steps of the row: 255 where a
     * pixel is toned, elsewhere 0. */
    uint8_t toned[HT_TDFED_ROWS + 1][HT_TDFED_LAID];
};

/* Returns how many strips lie side by side if so many inks meet. */
static inline uint32_t ht_tdfed_places(uint32_t inks)
{
    return (inks + HT_TDFED_QUARTET - 1) / HT_TDFED_QUARTET * HT_TDFED_QUARTET;
}

/* Allocates what a thread needs for a page; HT_ERR_MEMORY. Free it with
 * ht_tdfed_space_free() either way; NULL is allowed there. */
ht_status_t ht_tdfed_space_new(struct ht_tdfed_space **out,
                               const struct ht_tdfed_page *page, bool shared);
void ht_tdfed_space_free(struct ht_tdfed_space *space);

/* Makes `space` ready for the first chunk of some strips. */
void ht_tdfed_begin_strips(const struct ht_tdfed_chunk *chunk,
                           struct ht_tdfed_space *space);

/* Runs the strips of a chunk: lays them on the tapes of `space`, and puts the
 * dots and errors that are there after the kernel has run into the page. */
void ht_tdfed_run_chunk(const struct ht_tdfed_chunk *chunk,
                        struct ht_tdfed_space *space);

#endif
