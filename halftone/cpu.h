/*
 * cpu.h - between the parts of the fast CPU engine: cpu.c takes rows in and
 * hands swaths to cpu_band.c, which says what segments may run; cpu_strip.c
 * lays segments out for a kernel (cpu_kernel.h, one an instruction set).
 *
 * A strip is what one ink has in one segment of one swath: four rows of a
 * few hundred columns. Its rows are four neighbouring lanes of a vector; each
 * runs five columns behind the row above, so that what a row inherits comes
 * out of the lane beside it just in time. A vector holds several strips:
 * segments, or inks of the same segment.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CPU_H
#define HT_CPU_H

#include "halftone/definition.h"

#define HT_CPU_ROWS 4  /* of a strip: lanes */
#define HT_CPU_REACH 4 /* columns -4..+1 of the next row */
#define HT_CPU_LAG (HT_CPU_REACH + 1)
#define HT_CPU_MAX_STRIPS 4
#define HT_CPU_MAX_LANES (HT_CPU_MAX_STRIPS * HT_CPU_ROWS)
#define HT_CPU_BLOCK 16 /* columns: their dots fill 16 bits */
#define HT_CPU_STEPS                                                           \
    288 /* most at a time: 256 columns and the lags of rows and inks */
#define HT_CPU_WORDS ((HT_CPU_STEPS + 63) / 64) /* of dots */
#define HT_CPU_INK_LAG 4 /* columns between inks that run side by side */

typedef uint16_t ht_cpu_words __attribute__((vector_size(16)));

/* The last first: in two steps, for which processors have instructions. */
static inline ht_cpu_words ht_cpu_reversed(ht_cpu_words v)
{
    v = __builtin_shufflevector(v, v, 3, 2, 1, 0, 7, 6, 5, 4);
    return __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
}

/* ---- What a pixel needs ------------------------------------------------ */

enum ht_cpu_field {
    HT_CPU_RIGHT, /* weight (0,+1) */
    HT_CPU_P1,    /* weights (1,+1), (1,-1), (1,-2) */
    HT_CPU_M1,
    HT_CPU_M2,
    HT_CPU_FAR,    /* weight (1,-3), or (1,-4) made negative */
    HT_CPU_MARGIN, /* t - 1 - a: a dot where left + E is greater. Of 16-bit
                      samples: t - 1. Forced pixels: one of the next two. */
    HT_CPU_AVOID,
    HT_CPU_TONE, /* a, of 8-bit samples */
    HT_CPU_FIELDS
};

#define HT_CPU_WHITE 32767    /* what no left + E exceeds */
#define HT_CPU_SOLID (-32768) /* what each exceeds; t - 1 is -ONE then */

/* By sample of 8 bits, or level, by what it looks at, and by the pixel's place:
 * what would leave the segment is not split off. */
struct ht_cpu_pixel {
    _Alignas(16) int16_t field[HT_CPU_FIELDS];
};

/* Where a pixel lies in the table of pixels, counted in fields, sums of: */
#define HT_CPU_LEVEL HT_CPU_FIELDS             /* times its level, */
#define HT_CPU_VIEW (HT_CPU_LEVEL * HT_LEVELS) /* and its enum ht_view */
#define HT_CPU_LAST (HT_VIEWS * HT_CPU_VIEW)   /* last of its segment */
#define HT_CPU_FIRST (2 * HT_CPU_LAST) /* first; second: twice; and so on */
#define HT_CPU_PIXELS ((1 + HT_CPU_REACH) * HT_CPU_FIRST / HT_CPU_LEVEL)
#define HT_CPU_NOTHING (HT_CPU_FIRST + HT_CPU_LAST) /* white, gives nothing */

/*
 * Fills the table of pixels [HT_CPU_PIXELS], for samples of `bits`, those of 8
 * with a `curve` [256] unless that is NULL, and the pattern
 * [2][HT_PATTERN_SIZE][HT_CPU_PATTERN_ROW]: HT_DOT or HT_NO_DOT, what copies 0,
 * 2, .. and copies 1, 3, .. have there, columns 128 and on being 0 and on
 * again.
 */
#define HT_CPU_PATTERN_ROW (HT_PATTERN_SIZE + HT_CPU_STEPS)
void ht_cpu_fill_pixels(const ht_table_t *table, uint32_t bits,
                        const uint16_t *curve, struct ht_cpu_pixel *pixels);
void ht_cpu_fill_pattern(const ht_table_t *table, uint8_t *pattern);

/* From here on "levels" are samples of 8 bits, or the levels of 16. How near
 * one is to white or solid: 128..255, which these have. */
static inline uint8_t ht_cpu_extremity(uint8_t level)
{
    return level < 128 ? (uint8_t)~level : level;
}

/* Levels of this extremity, and of less, have no weight at columns -3 and
 * -4; 127 if some of extremity 128 have. */
uint8_t ht_cpu_near_extremity(const ht_table_t *table, const uint16_t *curve);

/* Levels first..first+more. */
struct ht_cpu_levels {
    uint8_t first, more;
};

/* Those of the table's middle, of which 0 may be one. */
struct ht_cpu_levels ht_cpu_middle(const ht_table_t *table,
                                   const uint16_t *curve);

/* ---- What a kernel runs over ------------------------------------------- */

/* Columns of up to HT_CPU_MAX_STRIPS strips, in scan order, a column of each
 * lane at a step. Lane 4 s + r is row r of strip s. The kernel fetches one
 * pixel more, which may be any. */
struct ht_cpu_tape {
    _Alignas(64) uint16_t
        index[HT_CPU_MAX_LANES][HT_CPU_STEPS + 8];    /* fields into pixels */
    int16_t tone[HT_CPU_MAX_LANES][HT_CPU_STEPS + 8]; /* of 16-bit samples */
    /* What a strip's first row inherits; afterwards what the last has left,
     * HT_CPU_LAG * ht_cpu_run.rows steps later. */
    _Alignas(64) int16_t error[HT_CPU_MAX_STRIPS][HT_CPU_STEPS];
    /* Each lane's dots, first in the top bit; a word to read over at both
     * ends. */
    _Alignas(64) uint64_t dots[1 + HT_CPU_WORDS + 1][HT_CPU_MAX_LANES];
    /* What lay() says of each lane. */
    uint8_t forced[HT_CPU_MAX_LANES][HT_CPU_STEPS];
    /* B: what the inks before have put too much, a number a lane. */
    _Alignas(
        64) int16_t before[HT_CPU_STEPS + HT_CPU_INK_LAG][HT_CPU_MAX_LANES];
};

/* What the next pixels of the lanes have got so far, the kernel's own. Zeros
 * before the first column. */
struct ht_cpu_chain {
    _Alignas(64) int16_t part[7][HT_CPU_MAX_LANES];
};

enum ht_cpu_inks {
    HT_CPU_INK_ALONE,  /* looks at no ink, and none looks at it */
    HT_CPU_INK_FIRST,  /* looks at no ink, and begins `before` */
    HT_CPU_INK_LATER,  /* looks at `before`, and adds itself */
    HT_CPU_INKS_BESIDE /* a strip is an ink, HT_CPU_INK_LAG columns behind
                          the strip before, and looks at those before */
};

struct ht_cpu_run {
    /* Of each strip, [HT_CPU_PIXELS]. */
    const struct ht_cpu_pixel *pixels[HT_CPU_MAX_STRIPS];
    uint32_t steps; /* a multiple of HT_CPU_ROWS */
    uint32_t rows;  /* of the swath */
    bool deep;      /* tones come from the tape */
    bool forced;    /* there may be white or solid pixels */
    bool far;       /* there may be weights HT_CPU_FAR */
    enum ht_cpu_inks inks;
};

struct ht_cpu_kernel {
    unsigned strips; /* side by side; 0: not compiled in */
    /* Makes indices of `count` levels, the leftmost first or, when `mirrored`,
     * last. The leftmost's place in `pattern`, a row of ht_cpu_fill_pattern(),
     * is `at`, modulo HT_PATTERN_SIZE. `forced_before` [count] is 255 where all
     * inks before are forced, white or solid, and else less; NULL if there are
     * none. `forced` [count], NULL if nobody asks, gets the same with this ink;
     * it may be `forced_before`. Pixels outside the `middle` look at the inks
     * before. Returns the greatest extremity. */
    uint8_t (*lay)(uint16_t *index, const uint8_t *level,
                   const uint8_t *pattern, uint32_t at,
                   const uint8_t *forced_before, uint8_t *forced,
                   struct ht_cpu_levels middle, uint32_t count, bool mirrored);
    void (*run)(const struct ht_cpu_run *run, struct ht_cpu_tape *tape,
                struct ht_cpu_chain *chain);
};

extern const struct ht_cpu_kernel ht_cpu_plain;
extern const struct ht_cpu_kernel ht_cpu_avx2;
extern const struct ht_cpu_kernel ht_cpu_avx512;

#endif
