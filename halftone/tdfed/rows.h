/*
 * rows.h - the page, its swaths and segments; samples and dots of its rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_ROWS_H
#define HT_TDFED_ROWS_H

#include "halftone/tdfed/kernel.h"

/* What an ink's samples stand for. */
struct ht_tdfed_lookup {
    const struct ht_tdfed_pixel *pixels; /* [HT_TDFED_PIXELS] */
    uint8_t near_extremity;              /* ht_tdfed_near_extremity() */
    int16_t noise[HT_LEVELS]; /* that begins a tint with such a sample (n) */
};

struct ht_tdfed_page {
    const struct ht_tdfed_kernel *kernel;
    uint32_t width, inks, bits;
    int16_t *error;          /* [inks][width] */
    const uint16_t *pattern; /* [2][HT_PATTERN_SIZE][HT_TDFED_PATTERN_ROW] */
    struct ht_tdfed_lookup lookup[HT_MAX_INKS];
    /* Of inks with rules together: V of the inks 1, 2, .., [inks-1][width], and
     * U [width]; else NULL. */
    const struct ht_meeting_rules *meeting;
    int16_t *company, *light;
    const struct ht_tdfed_gathered *gathered; /* that it is of; NULL: none */
};

struct ht_tdfed_swath {
    /* Of each row, [inks][width], and of the row below the last one. */
    const uint8_t *samples[HT_TDFED_ROWS + 1];
    uint8_t *dots[HT_TDFED_ROWS]; /* [inks][(width+7)/8], zeros at first; NULL
                                     in the pre-roll, which leaves none */
    uint32_t inks;                /* that may have samples other than 0, a bit
                                     each, in these rows and the one below */
    uint64_t number;              /* S */
    uint64_t row;                 /* r, of the first row */
    uint32_t rows;                /* 1..HT_TDFED_ROWS */
    int step;                     /* +1 going right, -1 going left */
};

struct ht_tdfed_segment {
    const struct ht_tdfed_swath *swath;
    uint32_t begin, end; /* columns begin..end-1; none where they are equal */
    uint32_t calm; /* inks without samples other than 0 and without errors */
    bool together; /* there may be company or light from the rows above; after
                      ht_tdfed_do_blank(): the inks run with their rules
                      together, and may leave some */
    /* Of ht_tdfed_do_blank(), a bit an ink: */
    uint32_t inks;   /* that are not blank */
    uint32_t uneasy; /* that may leave errors */
    uint32_t forced; /* that may have white or solid pixels, also in the row
                        below */
    uint32_t far;    /* that may have weights HT_TDFED_FAR */
    /* The dots in the first and last byte, which neighbours share: held back
     * for ht_tdfed_join_edges(). Zeros at first. */
    uint8_t edge[HT_MAX_INKS][2][HT_TDFED_ROWS];
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

/* Dots of a row at columns begin..end-1, at least one. The first byte holds the
 * columns from begin / 64 * 64 on; bits beside begin..end-1 may be anything. */
struct ht_tdfed_line {
    uint8_t byte[(HT_TDFED_STEPS / 64 + 2) * 8];
    uint32_t begin, end;
};

/* Puts dots of a segment into an ink's row, where there are none yet. Clears
 * the line's bits beside its own. */
void ht_tdfed_put_line(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *segment, uint32_t row,
                       uint32_t ink, struct ht_tdfed_line *line);

/* Puts the dots that were held back. If rows are `shared`, other threads may do
 * this at the same time with segments that share a byte. */
void ht_tdfed_join_edges(const struct ht_tdfed_page *page,
                         const struct ht_tdfed_segment *segment, bool shared);

#endif
