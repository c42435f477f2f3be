/*
 * kernel.h - tapes, on each of which up to HT_TDFED_MAX_STRIPS strips lie side
 * by side in scan order, and the kernel that runs over them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_KERNEL_H
#define HT_TDFED_KERNEL_H

#include "halftone/simd/sets.h"
#include "halftone/tdfed/lookup.h"
#include "halftone/tdfed/spans.h"

/* Lane 4 s + r is row r of strip s; at each step every lane has a column. The
 * kernel fetches one pixel more than it runs over, and whole blocks of
 * `targets`, of which the rest may be any. */
struct ht_tdfed_tape {
    /* Indices into the table of pixels. */
    _Alignas(64) uint16_t index[HT_TDFED_MAX_LANES][HT_TDFED_LAID];
    /* Tones; for 16-bit samples alone. */
    int16_t tone[HT_TDFED_MAX_LANES][HT_TDFED_LAID];
    /* Before a run, the errors that each strip's first row inherits; after it,
     * those that its last row leaves, where the row below it would inherit
     * them. */
    _Alignas(64) int16_t error[HT_TDFED_MAX_STRIPS][HT_TDFED_STEPS];
    /* V, in the same way; in the first strip of inks that meet, U: that strip
     * is ink 0's or nobody's. */
    int16_t company[HT_TDFED_MAX_STRIPS][HT_TDFED_STEPS];
    /* If shares keep to toned pixels: enum ht_tdfed_target; and the noise of a
     * white or solid pixel for the one below, or t - 1 of a pixel whose error
     * has nowhere to go, elsewhere 0. */
    uint8_t targets[HT_TDFED_MAX_LANES]
                   [HT_TDFED_STEPS + 2 * HT_TDFED_MAX_LANES];
    _Alignas(64) int16_t noise[HT_TDFED_STEPS][HT_TDFED_MAX_LANES];
    /* From the step before the first one on: 0 at a segment's last pixel,
     * elsewhere -1. For inks that meet. */
    int16_t goes_on[1 + HT_TDFED_STEPS][HT_TDFED_MAX_LANES];
    /* Dots, the first of a lane in its top bits. The words at both ends are
     * only read. */
    _Alignas(64) uint64_t dots[1 + HT_TDFED_WORDS + 1][HT_TDFED_MAX_LANES];
};

/* Targets of a pixel's shares that are toned pixels of its segment. */
enum ht_tdfed_target {
    HT_TDFED_TO_RIGHT = 1, /* (0,+1) */
    HT_TDFED_TO_DOWN = 2,  /* (1,0) */
    HT_TDFED_TO_P1 = 4,    /* (1,+1), and so on */
    HT_TDFED_TO_M1 = 8,
    HT_TDFED_TO_M2 = 16,
    HT_TDFED_TO_M4 = 32
};

#define HT_TDFED_PARTS 21

/* State of a vector of strips between two chunks; zeros before the first
 * column. */
struct ht_tdfed_chain {
    _Alignas(64) int16_t part[HT_TDFED_PARTS][HT_TDFED_MAX_LANES];
    /* Parts of what rows leave to the rows below, a place for each of the last
     * steps. For inks that meet. */
    int16_t company[HT_TDFED_PLACES][HT_TDFED_MAX_LANES];
    int16_t error[HT_TDFED_PLACES - HT_TDFED_QUARTET][HT_TDFED_MAX_LANES];
};

/* Rules and light of inks that meet. */
struct ht_tdfed_meeting {
    int16_t from, steps; /* z, i */
    /* The kernel's, from chunk to chunk: the light straight below the last
     * step's pixels. */
    _Alignas(64) int16_t light[HT_TDFED_MAX_LANES];
};

/* ---- A run --------------------------------------------------------------- */

/* Contents of the tapes, beside toned pixels with near weights. */
enum ht_tdfed_content {
    HT_TDFED_NEAR,
    HT_TDFED_FAR_TOO, /* weights (1,-4) */
    HT_TDFED_KEPT     /* these, and white or solid pixels: shares keep to toned
                         ones */
};

struct ht_tdfed_run {
    uint32_t before; /* steps of the strips that have run */
    uint32_t steps;  /* a multiple of HT_TDFED_ROWS, as these */
    uint32_t rows;   /* of the swath, 1..HT_TDFED_ROWS */
    bool deep;       /* tones come from the tape */
    enum ht_tdfed_content content;
    /* One of inks alone; enough for a multiple of HT_TDFED_QUARTET strips of
     * inks that meet. */
    uint32_t vectors;
    struct ht_tdfed_vector {
        const struct ht_tdfed_pixel *pixels[HT_TDFED_MAX_STRIPS]; /* tables */
        struct ht_tdfed_tape *tape;
        struct ht_tdfed_chain *chain;
        /* Share of light that each lane's ink absorbs (d), 0 where there is no
         * ink. For inks that meet. */
        _Alignas(64) int16_t absorbed[HT_TDFED_MAX_LANES];
    } vector[HT_TDFED_MAX_VECTORS];
    struct ht_tdfed_meeting *meeting; /* NULL: inks alone */
    const struct ht_sizes *sizes;     /* of drops; NULL: one */
    uint32_t dot_bits;                /* on the tapes: 1; of several 2 or 4 */
};

/* Bits of columns that are added, the first in the lowest bit of the first
 * word: which pixels of a row are toned, solid, white or solid, and of weights
 * (1,-4). `dots` gets the solid ones as dots of the `largest` size, of
 * ht_dot_bits(); without them `solid` gets none, either. */
struct ht_tdfed_marking {
    uint64_t *toned, *solid, *forced, *far;
    uint8_t *dots;
    uint8_t largest;
};

/* Levels of some rows that are to be laid. HT_TDFED_SLACK more can be read
 * behind them and, when they are laid mirrored, before them. */
struct ht_tdfed_laying {
    uint32_t count; /* levels of a row, at most HT_TDFED_AT_ONCE */
    unsigned rows;  /* whose indices are asked for */
    unsigned asked; /* of which it is, which pixels are toned */
    const uint8_t *level[HT_TDFED_ROWS + 1];
    const uint16_t *pattern[HT_TDFED_ROWS]; /* there: ht_tdfed_pattern() */
    /* Get the indices, and 255 for each toned pixel, 0 for others. Behind
     * them some HT_TDFED_NOTHING and 0: up to HT_TDFED_SLACK are written. */
    uint16_t *index[HT_TDFED_ROWS];
    uint8_t *toned[HT_TDFED_ROWS + 1];
};

struct ht_tdfed_kernel {
    unsigned strips; /* that lie side by side */
    /* Lays rows: the leftmost level comes first or, when `mirrored`, last. */
    void (*lay)(const struct ht_tdfed_laying *laying, bool mirrored);
    /* Turns `count` levels into l', and adds the slots of their spans to the
     * entries of the pattern without HT_TDFED_LEAVES, for .lay(). All arrays
     * may be read and written as far as HT_TDFED_SLACK more. For samples of 16
     * bits and several sizes. */
    void (*span)(const struct ht_tdfed_spans *spans, const int16_t *tone,
                 const uint16_t *pattern, uint32_t count, uint8_t *level,
                 uint16_t *index);
    /* Marks 64 times `words` levels, and goes on behind them; weights
     * (1,-4) may be those of an extremity above `near`. */
    void (*mark)(struct ht_tdfed_marking *to, const uint8_t *level,
                 size_t words, uint8_t near);
    /* Copies `count` numbers, the first or, when `mirrored`, the last one
     * first. */
    void (*copy)(int16_t *to, const int16_t *from, uint32_t count,
                 bool mirrored);
    /*
     * Finds which targets of `count` pixels are toned, in scan order.
     *
     *   toned   [count + 1]  255 where a pixel is toned, elsewhere 0
     *   below   [count + 1]  toned, of the row below and of 4 pixels before
     *
     * and 31 more can be read.
     *
     *   targets [count]     gets enum ht_tdfed_target; 31 more may be written
     *   noisy   [count / 64 + 1]  bits of those that need ht_tdfed_tape.noise,
     *                        the first in the lowest bit of the first word
     */
    void (*find_targets)(uint8_t *targets, const uint8_t *toned,
                         const uint8_t *below, uint32_t count, uint64_t *noisy);
    /* Diffuses the steps of the tapes. */
    void (*run)(const struct ht_tdfed_run *run);
};

#define HT_TDFED_DECLARE(set, text, runs_here)                                 \
    extern const struct ht_tdfed_kernel ht_tdfed_##set;
HT_SETS(HT_TDFED_DECLARE)
#undef HT_TDFED_DECLARE

#endif
