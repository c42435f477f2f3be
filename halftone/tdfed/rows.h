/*
 * rows.h - the page, its swaths and segments; samples and dots of its rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_ROWS_H
#define HT_TDFED_ROWS_H

#include <string.h>

#include "halftone/tdfed/kernel.h"

/* Parameters that an ink's samples select. */
struct ht_tdfed_lookup {
    const struct ht_tdfed_pixel *pixels; /* [HT_TDFED_PIXELS] */
    uint8_t near_extremity;              /* ht_tdfed_near_extremity() */
    int16_t noise[HT_LEVELS]; /* that begins a tint with such a sample (n) */
};

struct ht_tdfed_page {
    const struct ht_tdfed_kernel *kernel;
    uint32_t width, inks, bits;
    const struct ht_sizes *sizes;
    uint32_t dot_bits;  /* of a pixel: ht_dot_bits() */
    uint32_t tape_bits; /* on the tape: 4 for 3 */
    size_t plane;       /* bytes of an ink's dots in a row */
    /* By the size that is left out; NULL unless there are several sizes and 16
     * bits. */
    const struct ht_tdfed_spans *spans;
    int16_t *error;          /* [inks][width] */
    const uint16_t *pattern; /* [2][HT_PATTERN_SIZE][HT_TDFED_PATTERN_ROW] */
    struct ht_tdfed_lookup lookup[HT_MAX_INKS];
    /* V of the inks 1, 2, .., [inks-1][width], and U [width]; NULL unless inks
     * have rules together. */
    struct ht_meeting_rules meeting;
    int16_t *company, *light;
};

/* Marks of an ink in a column of a swath. */
enum ht_tdfed_mark {
    HT_TDFED_HAS_TONED, /* pixels that are neither white nor solid */
    HT_TDFED_HAS_SOLID,
    HT_TDFED_HAS_TONED_BELOW, /* such a pixel in the row below */
    HT_TDFED_HAS_FORCED,      /* white or solid ones, also in the row below */
    HT_TDFED_HAS_FAR,         /* weights (1,-4) there */
    HT_TDFED_MARKS
};

struct ht_tdfed_swath {
    /* Samples of each row and of the row below the last one, [inks][width]. */
    const uint8_t *samples[HT_TDFED_ROWS + 1];
    uint8_t *dots[HT_TDFED_ROWS]; /* [inks][plane], at first those of
                                     solid pixels; NULL in the pre-roll, which
                                     leaves none */
    uint64_t *marks;              /* [inks][HT_TDFED_MARKS][words]: marks.h */
    uint32_t inks;   /* that have samples other than 0, a bit each, in any of
                        these rows or the one below; others have no marks */
    uint32_t whole;  /* that have such samples in each of these rows */
    uint64_t number; /* S */
    uint64_t row;    /* r, of the first row */
    uint32_t rows;   /* 1..HT_TDFED_ROWS */
    int step;        /* +1 going right, -1 going left */
};

struct ht_tdfed_segment {
    const struct ht_tdfed_swath *swath;
    uint32_t begin, end; /* columns begin..end-1; none where they are equal */
    uint32_t inherits;   /* inks that may have errors from the rows above */
    bool together; /* there may be company or light from the rows above; after
                      ht_tdfed_do_blank(): the inks have their rules
                      together, and may leave some */
    /* Found by ht_tdfed_do_blank(), a bit an ink: */
    uint32_t inks;   /* that are not blank */
    uint32_t uneasy; /* that may leave errors */
    uint32_t forced; /* that may have white or solid pixels, also in the row
                        below */
    uint32_t far;    /* that may have weights (1,-4) */
};

/* Returns the samples [width] of an ink in row 0..rows-1 of a swath, or in the
 * row below. */
static inline const uint8_t *
ht_tdfed_samples(const struct ht_tdfed_page *page,
                 const struct ht_tdfed_swath *swath, uint32_t row, uint32_t ink)
{
    return swath->samples[row] + (size_t)ink * page->width * (page->bits / 8);
}

/* Returns the line of an ink's company, NULL of ink 0. */
static inline int16_t *ht_tdfed_company(const struct ht_tdfed_page *page,
                                        uint32_t ink)
{
    return ink > 0 ? page->company + (size_t)(ink - 1) * page->width : NULL;
}

/* Returns what the pattern has in row r of an ink whose ht_copy_of_ink() is
 * `copy`, from a column on. */
static inline const uint16_t *ht_tdfed_pattern(const struct ht_tdfed_page *page,
                                               uint32_t copy, uint64_t row,
                                               uint32_t x)
{
    uint32_t y = (row + copy / 2 * HT_PATTERN_DOWN) % HT_PATTERN_SIZE;

    return page->pattern +
           (copy % 2 * HT_PATTERN_SIZE + y) * HT_TDFED_PATTERN_ROW +
           (x + copy / 2 * HT_PATTERN_RIGHT) % HT_PATTERN_SIZE;
}

/* Returns the level of a sample. */
static inline uint32_t ht_tdfed_level_at(const struct ht_tdfed_page *page,
                                         const uint8_t *samples, uint32_t x)
{
    uint16_t sample;

    if (page->bits == 8)
        return samples[x];
    memcpy(&sample, samples + 2 * (size_t)x, sizeof sample);
    return (uint32_t)ht_level_of(sample);
}

#endif
