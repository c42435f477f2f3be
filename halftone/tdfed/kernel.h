/*
 * kernel.h - tapes, on which up to HT_TDFED_MAX_STRIPS strips lie side by side
 * in scan order, one for each ink, and the kernel that runs over them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_KERNEL_H
#define HT_TDFED_KERNEL_H

#include "halftone/simd/sets.h"
#include "halftone/tdfed/lookup.h"

/* Lane 4 s + r is row r of strip s; at each step every lane has a column. The
 * kernel fetches one pixel more than it runs over, and whole blocks of `kept`,
 * of which the rest may be any. */
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
    /* Where shares keep to toned pixels: enum ht_tdfed_target, and the noise
     * that a white or solid pixel gives to the one below; or t - 1 of a pixel
     * whose error has nowhere to go; elsewhere 0. */
    uint8_t kept[HT_TDFED_MAX_LANES][HT_TDFED_STEPS + 2 * HT_TDFED_MAX_LANES];
    _Alignas(64) int16_t noise[HT_TDFED_STEPS][HT_TDFED_MAX_LANES];
};

/* Which targets of a pixel's shares are toned pixels of its segment. */
enum ht_tdfed_target {
    HT_TDFED_TO_RIGHT = 1, /* (0,+1) */
    HT_TDFED_TO_DOWN = 2,  /* (1,0) */
    HT_TDFED_TO_P1 = 4,    /* (1,+1), and so on */
    HT_TDFED_TO_M1 = 8,
    HT_TDFED_TO_M2 = 16,
    HT_TDFED_TO_M3 = 32,
    HT_TDFED_TO_M4 = 64,
    HT_TDFED_NEEDS_NOISE = 128 /* ht_tdfed_tape.noise; for tape.c alone */
};

/* What a kernel keeps of an ink from one section of a strip to the next, and
 * from one group of steps to the next: the shares that later pixels have got so
 * far. Zeros before the first column. */
struct ht_tdfed_chain {
    _Alignas(64) int16_t part[7][HT_TDFED_MAX_LANES];
    int16_t aside[5][HT_TDFED_MAX_LANES]; /* where they keep to toned pixels */
    int16_t overlap[HT_PARTNERS][HT_TDFED_MAX_LANES]; /* left_p */
};

/* ---- Inks together ------------------------------------------------------- */

/* First and last columns of segments, and those outside of any. */
enum ht_tdfed_side { HT_TDFED_BEGINS = 1, HT_TDFED_ENDS = 2 };

/* A line of what rows leave to each other of the inks together, laid out like
 * ht_tdfed_tape.error. */
struct ht_tdfed_line_of_inks {
    _Alignas(64) int16_t line[HT_TDFED_MAX_STRIPS][HT_TDFED_STEPS];
    /* On its way from row to row: what the rows below inherit at the next
     * HT_TDFED_LAG steps. */
    int16_t below[HT_TDFED_LAG][HT_TDFED_MAX_LANES];
};

/* What the inks of the strips have together. */
struct ht_tdfed_meeting {
    int16_t from, steps; /* z, i */
    /* Of each turn, the share of light that its ink absorbs (d) in each lane,
     * and the turns before whose inks are pairs with it. */
    _Alignas(64) int16_t absorbed[HT_MAX_INKS][HT_TDFED_MAX_LANES];
    struct {
        uint8_t count, turn[HT_PARTNERS];
        struct ht_tdfed_line_of_inks *overlap[HT_PARTNERS];
    } partners[HT_MAX_INKS];
    uint8_t side[HT_TDFED_MAX_LANES][HT_TDFED_STEPS + HT_TDFED_BLOCK];
    struct ht_tdfed_line_of_inks light;
    _Alignas(64) int16_t light_left[HT_TDFED_MAX_LANES]; /* straight below the
                                                            last step's pixel */
};

/* ---- A run --------------------------------------------------------------- */

/* What there may be on a tape, beside toned pixels with near weights. */
enum ht_tdfed_content {
    HT_TDFED_NEAR,
    HT_TDFED_FAR_TOO, /* weights HT_TDFED_FAR */
    HT_TDFED_KEPT     /* these, and white or solid pixels: shares keep to toned
                         ones */
};

struct ht_tdfed_run {
    uint32_t steps; /* a multiple of HT_TDFED_ROWS */
    uint32_t rows;  /* of the swath, 1..HT_TDFED_ROWS */
    bool deep;      /* tones come from the tape */
    bool toned;     /* inks that meet have nothing but toned pixels, and all
                       segments have each of them */
    bool meet;      /* inks take their turns every four steps; else one runs
                       that looks at no other */
    uint32_t turns;
    struct ht_tdfed_turn {
        uint32_t number; /* of the turn, of all inks' */
        const struct ht_tdfed_pixel *pixels[HT_TDFED_MAX_STRIPS]; /* tables */
        enum ht_tdfed_content content;
        struct ht_tdfed_tape *tape;
        struct ht_tdfed_chain *chain;
    } turn[HT_MAX_INKS];
    struct ht_tdfed_meeting *meeting; /* of inks that meet */
};

struct ht_tdfed_kernel {
    unsigned strips; /* that lie side by side */
    /*
     * Makes indices of `count` levels: the leftmost comes first or, when
     * `mirrored`, last.
     *
     *   pattern        [count]  HT_DOT and HT_NO_DOT
     *   forced_before  [count]  255 where all inks before are forced, else
     *                  less; NULL if there are none
     *   forced         [count]  gets the same with this ink; it may be
     *                  `forced_before`, and NULL if nobody needs it
     *   middle         these levels look at the pattern in any case
     *
     * Returns the greatest extremity.
     */
    uint8_t (*lay)(uint16_t *index, const uint8_t *level,
                   const uint8_t *pattern, const uint8_t *forced_before,
                   uint8_t *forced, struct ht_tdfed_levels middle,
                   uint32_t count, bool mirrored);
    /* Says whether any of `count` levels is white or solid. */
    bool (*any_forced)(const uint8_t *level, uint32_t count);
    /*
     * Finds which targets of `count` pixels are toned, in scan order.
     *
     *   row    [count + 1]  levels from the first pixel on
     *   below  [count + 5]  those of the row below, from 4 columns before on
     *
     * Both are 0 outside of the segment, and 63 more can be read.
     *
     *   kept   [count]      gets enum ht_tdfed_target; 31 more may be written
     */
    void (*keep)(uint8_t *kept, const uint8_t *row, const uint8_t *below,
                 uint32_t count);
    /* Diffuses the steps of the tapes. */
    void (*run)(const struct ht_tdfed_run *run);
};

#define HT_TDFED_DECLARE(set, text, runs_here)                                 \
    extern const struct ht_tdfed_kernel ht_tdfed_##set;
HT_SETS(HT_TDFED_DECLARE)
#undef HT_TDFED_DECLARE

#endif
