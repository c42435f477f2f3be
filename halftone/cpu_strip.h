/*
 * cpu_strip.h - some segments of a page, from samples to dots, through a
 * kernel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CPU_STRIP_H
#define HT_CPU_STRIP_H

#include "halftone/cpu.h"

/* What is the same for a whole page. */
struct ht_cpu_page {
    const struct ht_cpu_kernel *kernel;
    uint32_t width, inks, bits;
    bool shared;                       /* threads may share a byte of dots */
    int16_t *error;                    /* [inks][width] */
    const struct ht_cpu_pixel *pixels; /* [HT_CPU_PIXELS] */
    const uint16_t *pattern; /* [2][HT_PATTERN_SIZE][HT_CPU_PATTERN_ROW] */
};

/* A swath that is halftoned now. */
struct ht_cpu_swath {
    const uint8_t *samples[HT_CPU_ROWS]; /* of each row, [inks][width] */
    uint8_t *dots[HT_CPU_ROWS]; /* [inks][(width+7)/8], zeros; NULL: unwanted */
    uint64_t row;               /* number of the first, with the pre-roll */
    uint32_t rows;              /* 1..HT_CPU_ROWS */
    int step;                   /* +1 going right, -1 going left */
};

struct ht_cpu_segment {
    const struct ht_cpu_swath *swath;
    uint32_t begin, end; /* columns begin..end-1 */
    uint32_t inks;       /* by ht_cpu_busy_inks() */
};

/* What a thread needs for itself. */
struct ht_cpu_space {
    struct ht_cpu_tape tape;
    struct ht_cpu_chain chain[HT_MAX_INKS];
    int16_t tone[HT_CPU_STEPS];
    uint8_t level[HT_CPU_STEPS];
};

/*
 * The inks, a bit each, that have work in a segment. The others are nothing
 * but white and solid and inherit no error: their dots, which are then the
 * samples, are put out here, and they leave no error.
 */
uint32_t ht_cpu_busy_inks(const struct ht_cpu_page *page,
                          const struct ht_cpu_segment *segment);

/* Halftones the busy inks of 1..kernel->strips segments, of swaths of the
 * same number of rows. */
void ht_cpu_run_segments(const struct ht_cpu_page *page,
                         const struct ht_cpu_segment *segments, unsigned count,
                         struct ht_cpu_space *space);

#endif
