/*
 * lookup.h - the choices of pixels when drops have several sizes,
 * doc/dev/halftone.md "Drop sizes", in the form that the kernel looks up.
 *
 * A pixel gets as many sizes up as u is above limits. Each choice has a limit
 * for each size, and a pixel the choice of this number:
 *
 *   how many of the sizes its tone reaches, the largest apart,
 *   and HT_FLOYD_LEAVES on top if it leaves one out
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_FLOYD_LOOKUP_H
#define HT_FLOYD_LOOKUP_H

#include "halftone/definition.h"
#include "halftone/floyd/floyd.h"

#define HT_FLOYD_SIZES (HT_MAX_LEVELS - 1)
#define HT_FLOYD_CHOICES 8 /* of which 5 are in use, 6 if sizes are mixed */
#define HT_FLOYD_LEAVES 3

/* Places of the two bytes of choice 0's number, for shuffles; each choice adds
 * HT_FLOYD_STEP. */
#define HT_FLOYD_PLACES (HT_FLOYD_CHOICES << 8)
#define HT_FLOYD_STEP 0x0101

/* The numbers of each choice, by sizes. Limits that every u exceeds are
 * INT16_MIN, those that none does INT16_MAX. */
struct ht_floyd_choices {
    int16_t base[HT_FLOYD_SIZES][HT_FLOYD_CHOICES];  /* the limit, .. */
    int16_t minus[HT_FLOYD_SIZES][HT_FLOYD_CHOICES]; /* .. plus R(-t, this): -2
                                                        D where T is the limit,
                                                        elsewhere 0 */
    int16_t alone[HT_FLOYD_SIZES][HT_FLOYD_CHOICES]; /* that of t = ONE/2 */
    int16_t both[HT_FLOYD_CHOICES];                  /* lo + hi - 1 */
    int16_t low[HT_FLOYD_CHOICES];                   /* lo */
    int16_t less[HT_FLOYD_CHOICES];   /* what -2 g is below for hi and more */
    int16_t factor[HT_FLOYD_CHOICES]; /* struct ht_share, */
    int16_t times[HT_FLOYD_CHOICES];  /* of 16 bits without a sign */
};

/* Columns of a row of ht_floyd_sizes.leaves: any row of the pattern can be the
 * first of a sweep. */
#define HT_FLOYD_LEAVES_ROW (HT_PATTERN_SIZE + HT_FLOYD_MAX_LANES)

/* Tables for a page of several sizes. */
struct ht_floyd_sizes {
    uint32_t sizes;    /* 2 to 5 */
    uint32_t dot_bits; /* of a pixel in the making: 4 if there are 4 or 5 */
    bool mixes;        /* some pixels leave a size out */
    /* One less than the sizes, INT16_MAX for the largest and behind it. */
    int16_t reaches[HT_FLOYD_SIZES - 1];
    int16_t more[HT_FLOYD_SIZES];      /* of a size than the one before; or 0 */
    struct ht_floyd_choices choice[2]; /* of inks that leave out size 1; 2 */
    /* The places of the least choice of pixels, HT_FLOYD_LEAVES where these
     * leave a size out and else 0, of copies 0 and 1 of the pattern. Pixels of
     * a sweep's step lie side by side: that of row r and column x, both counted
     * in the pattern, in row x + HT_FLOYD_LAG r and column HT_FLOYD_LEAVES_ROW
     * - 1 - r, and again HT_PATTERN_SIZE columns before, if that is there. */
    int16_t leaves[2][HT_PATTERN_SIZE][HT_FLOYD_LEAVES_ROW];
};

/* Fills `sizes` for a page of more than 2 levels. */
void ht_floyd_fill_sizes(const ht_page_t *page, struct ht_floyd_sizes *sizes);

#endif
