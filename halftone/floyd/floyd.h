/*
 * floyd.h - the CPU engine of Floyd-Steinberg: a sweep of rows, which the
 * kernel diffuses side by side.
 *
 *   engine.c   rows to sweeps; opens and closes
 *   kernel.c   diffuses a sweep, a chunk of columns at a time
 *   tape.h     a chunk's samples to vectors, dots from them
 *   blank.h    chunks with nothing but white or solid
 *   meet.h     inks together
 *   lookup.c   what pixels choose from when drops have several sizes
 *   sizes.h    the choice
 *   targets.h  where errors may go
 *
 * Each row is a lane of a vector, HT_FLOYD_LAG columns behind the row above. So
 * there is nothing to schedule: a sweep is done from left to right, ink after
 * ink in each chunk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_FLOYD_FLOYD_H
#define HT_FLOYD_FLOYD_H

#include "halftone/definition.h"
#include "halftone/simd/sets.h"

#define HT_FLOYD_MAX_LANES 32

/* Columns between a row and the row above. Floyd-Steinberg needs 2; with 8 the
 * dots of all rows begin at a byte, and what a row hands down has long arrived
 * when the row below asks for it. */
#define HT_FLOYD_LAG 8

#define HT_FLOYD_CHUNK 32 /* columns at a time */

/* Samples and errors beside the page, on both sides of a row, that a kernel
 * with so many lanes touches. */
#define HT_FLOYD_PAD(lanes)                                                    \
    (HT_FLOYD_LAG * ((size_t)(lanes) + 2) + 2 * HT_FLOYD_CHUNK)

struct ht_floyd_sizes;

struct ht_floyd_sweep {
    uint32_t width, inks, bits;
    uint32_t rows; /* 1..lanes; those behind are white */
    uint64_t row;  /* the first one, counted with the pre-roll (r) */
    /* Column 0 of the first row of the first ink. Rows follow each other,
     * [inks][lanes] and the row below the last one; the padding is 0. */
    const void *samples;
    size_t row_samples; /* from a row to the next */
    size_t ink_samples; /* from an ink to the next */
    /* The rules for inks together; NULL = none. */
    const struct ht_meeting_rules *meeting;
    uint32_t near; /* the least sample at which inks meet fully, 1..full + 1; of
                      several sizes no sample tells */
    /* [ht_state_lines()], column 0 of the lines of the state that the sweep
     * inherits and then of those that it leaves. The padding is 0; that of
     * errors and company stays so. */
    int16_t *const *line;
    const struct ht_floyd_sizes *sizes; /* lookup.h; NULL = whole dots alone */
    void *space; /* [inks] of ht_floyd_kernel.space bytes; at a cache line */
    uint8_t *dots[HT_FLOYD_MAX_LANES]; /* [inks][row_dots] of each row */
    size_t row_dots;                   /* bytes */
};

struct ht_floyd_kernel {
    unsigned lanes;
    size_t space; /* bytes that it needs for each ink */
    void (*run)(const struct ht_floyd_sweep *sweep);
};

#define HT_FLOYD_DECLARE(set, text, runs_here)                                 \
    extern const struct ht_floyd_kernel ht_floyd_##set;
HT_SETS(HT_FLOYD_DECLARE)
#undef HT_FLOYD_DECLARE

#endif
