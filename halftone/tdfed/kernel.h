/*
 * kernel.h - a tape, on which up to HT_TDFED_MAX_STRIPS strips lie side by side
 * in scan order, and the kernel that runs over it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_KERNEL_H
#define HT_TDFED_KERNEL_H

#include "halftone/simd/sets.h"
#include "halftone/tdfed/lookup.h"

/* Lane 4 s + r is row r of strip s; at each step every lane has a column. The
 * kernel fetches one pixel more than it runs over, which may be any. */
struct ht_tdfed_tape {
    /* Of the pixels in the table of pixels. */
    _Alignas(64) uint16_t index[HT_TDFED_MAX_LANES][HT_TDFED_STEPS + 8];
    /* Of 16-bit samples. */
    int16_t tone[HT_TDFED_MAX_LANES][HT_TDFED_STEPS + 8];
    /* Before a run, the errors that each strip's first row inherits; after it,
     * those that its last row leaves, HT_TDFED_LAG * ht_tdfed_run.rows steps
     * later. */
    _Alignas(64) int16_t error[HT_TDFED_MAX_STRIPS][HT_TDFED_STEPS];
    /* Of each lane, the first in the top bit; with a word at both ends that is
     * only read. */
    _Alignas(64) uint64_t dots[1 + HT_TDFED_WORDS + 1][HT_TDFED_MAX_LANES];
    /* ht_tdfed_kernel.lay's `forced`. */
    uint8_t forced[HT_TDFED_MAX_LANES][HT_TDFED_STEPS];
    /* The excess of the inks before (B). */
    _Alignas(64)
        int16_t before[HT_TDFED_STEPS + HT_TDFED_INK_LAG][HT_TDFED_MAX_LANES];
};

/* What a kernel keeps from one section of a strip to the next: the shares that
 * later pixels have got so far. Zeros before the first column. */
struct ht_tdfed_chain {
    _Alignas(64) int16_t part[7][HT_TDFED_MAX_LANES];
};

enum ht_tdfed_inks {
    HT_TDFED_INK_ALONE,  /* looks at no ink, and none looks at it */
    HT_TDFED_INK_FIRST,  /* looks at no ink, and begins `before` */
    HT_TDFED_INK_LATER,  /* looks at `before`, and adds its excess */
    HT_TDFED_INKS_BESIDE /* strips are inks, each HT_TDFED_INK_LAG columns
                            behind the one before, and look at those before */
};

struct ht_tdfed_run {
    const struct ht_tdfed_pixel *pixels[HT_TDFED_MAX_STRIPS]; /* tables */
    uint32_t steps; /* a multiple of HT_TDFED_ROWS */
    uint32_t rows;  /* of the swath, 1..HT_TDFED_ROWS */
    bool deep;      /* tones come from the tape */
    bool forced;    /* there may be white or solid pixels */
    bool far;       /* there may be weights HT_TDFED_FAR */
    enum ht_tdfed_inks inks;
};

struct ht_tdfed_kernel {
    unsigned strips; /* that lie side by side */
    /*
     * Makes indices of `count` levels: the leftmost comes first or, when
     * `mirrored`, last.
     *
     *   pattern        a row of ht_tdfed_fill_pattern(), of which the leftmost
     *                  level has column `at` modulo HT_PATTERN_SIZE
     *   forced_before  [count]  255 where all inks before are forced, else
     *                  less; NULL if there are none
     *   forced         [count]  gets the same with this ink; it may be
     *                  `forced_before`, and NULL if nobody needs it
     *   middle         these levels look at the pattern in any case
     *
     * Returns the greatest extremity.
     */
    uint8_t (*lay)(uint16_t *index, const uint8_t *level,
                   const uint8_t *pattern, uint32_t at,
                   const uint8_t *forced_before, uint8_t *forced,
                   struct ht_tdfed_levels middle, uint32_t count,
                   bool mirrored);
    /* Diffuses the steps of a tape. */
    void (*run)(const struct ht_tdfed_run *run, struct ht_tdfed_tape *tape,
                struct ht_tdfed_chain *chain);
};

#define HT_TDFED_DECLARE(set, text, runs_here)                                 \
    extern const struct ht_tdfed_kernel ht_tdfed_##set;
HT_SETS(HT_TDFED_DECLARE)
#undef HT_TDFED_DECLARE

#endif
