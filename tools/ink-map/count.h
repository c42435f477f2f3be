/*
 * count.h - counts the dots of some rows left of given columns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INK_MAP_COUNT_H
#define INK_MAP_COUNT_H

#include <stdint.h>

#define INK_MAP_INKS 15u

/* At most; the dots of a column in the rows of all inks fit 8 bits. */
#define INK_BATCH_ROWS 63u
#define INK_BATCH_DOTS 255u

/* A row's plane is words of 64 dots, of which two are added at once. */
#define INK_WORD_DOTS 64u

/* A column before which dots are counted: in which word it is, and the dots of
 * that word before it, in the order of memory. */
struct ink_knot {
    uint64_t mask;
    uint32_t word, column;
};

/* The words and knots that one call counts. */
struct ink_range {
    uint32_t begin, end;   /* words, even */
    uint32_t first, after; /* knots in them */
};

/* Rows that are counted at once, in pieces that end where windows begin or
 * end. */
struct ink_batch {
    uint32_t rows, pieces;
    uint32_t end[INK_BATCH_ROWS]; /* of a piece: the row behind it */
    uint64_t *dots;   /* [INK_BATCH_ROWS][inks][words], 16-byte aligned */
    uint32_t *ranks;  /* [INK_BATCH_ROWS][knots]: dots of a piece from the
                         beginning of the knot's range to the knot */
    uint32_t *totals; /* [INK_BATCH_ROWS][ranges]: dots of a piece */
    uint64_t (*inks)[INK_MAP_INKS]; /* [ranges]: dots of each ink */
};

/* Returns the words of a row's plane. */
uint32_t ink_count_words(uint32_t width);

/* Parameters that all batches of a page share. */
struct ink_count {
    uint32_t inks, words, knots, ranges;
    unsigned counted; /* the inks that ranks and totals count, a bit each */
    const struct ink_knot *knot;   /* [knots], from left to right */
    const struct ink_range *range; /* [ranges] */
};

/* Counts what range `r` has of the batch: its ranks, totals and inks. Calls for
 * several ranges may run at the same time. */
void ink_count_range(const struct ink_count *count, struct ink_batch *batch,
                     uint32_t r);

/* Counts its inks alone. */
void ink_count_inks(const struct ink_count *count, struct ink_batch *batch,
                    uint32_t r);

#endif
