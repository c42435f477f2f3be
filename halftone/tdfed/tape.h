/*
 * tape.h - a chunk of some strips: samples and errors to tapes, dots and
 * errors from them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_TAPE_H
#define HT_TDFED_TAPE_H

#include "halftone/tdfed/chunk.h"

/* Returns how many strips lie side by side if `inks` inks meet. */
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
