/*
 * lookup.h - the parameters of a pixel, in the form in which the kernel fetches
 * them: 16 bytes, found by its level, the pattern and its position in a
 * segment.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_LOOKUP_H
#define HT_TDFED_LOOKUP_H

#include "halftone/sizes.h"
#include "halftone/tdfed/tdfed.h"

enum ht_tdfed_field {
    HT_TDFED_RIGHT, /* weight (0,+1) */
    HT_TDFED_P1,    /* weights (1,+1), (1,-1), (1,-2) */
    HT_TDFED_M1,
    HT_TDFED_M2,
    HT_TDFED_FAR,   /* 2 h, or minus the weight (1,-4) */
    HT_TDFED_LIMIT, /* t - 1 with no dot before and above, of rows that others
                       of their swath are above: a dot where u is greater.
                       Forced pixels have one of the next two. With several
                       sizes of drops -t, of forced pixels any */
    HT_TDFED_NEARNESS, /* (a - z) 2^(i+1), held to 0 .. 32767; of 16-bit samples
                          0. Of forced pixels -1. With several sizes of drops
                          ht_tdfed_span() instead */
    HT_TDFED_TONE,     /* a, of 8-bit samples */
    HT_TDFED_FIELDS,
    HT_TDFED_SPAN = HT_TDFED_NEARNESS
};

#define HT_TDFED_WHITE 32767    /* no u exceeds it, held to 16 bits */
#define HT_TDFED_SOLID (-32768) /* every u exceeds it */

/* Weights of shares that would leave the segment are 0. */
struct ht_tdfed_pixel {
    _Alignas(16) int16_t field[HT_TDFED_FIELDS];
};

/*
 * The index of a pixel in the table of pixels is counted in four fields. It is
 * the sum of
 *
 *   HT_TDFED_LEVEL times its level
 *   HT_TDFED_PATTERN, if the pattern has a dot there
 *   HT_TDFED_LAST, times 1 if it is the last of a segment of inks alone, 2 of
 *       inks that meet
 *   HT_TDFED_FIRST, times 1 if it is the first of its segment, 2 if it is the
 *       second, HT_TDFED_FIRSTS if it is another of the first HT_TDFED_REACH
 *   HT_TDFED_LEAVES, if it leaves a size out; of 16 bits HT_TDFED_SLOT times
 *       the slot of its span, spans.h
 *
 * where the level is a sample of 8 bits, or of one of 16 bits the level that
 * chooses the parameters (l').
 */
#define HT_TDFED_UNIT 4
#define HT_TDFED_LEVEL (HT_TDFED_FIELDS / HT_TDFED_UNIT)
#define HT_TDFED_PATTERN (HT_TDFED_LEVEL * HT_LEVELS)
#define HT_TDFED_LAST (2 * HT_TDFED_PATTERN)
#define HT_TDFED_FIRST (3 * HT_TDFED_LAST)
#define HT_TDFED_FIRSTS 3
#define HT_TDFED_LEAVES ((1 + HT_TDFED_FIRSTS) * HT_TDFED_FIRST)
#define HT_TDFED_SLOT HT_TDFED_LEAVES
#define HT_TDFED_PIXELS (HT_TDFED_LEAVES / HT_TDFED_LEVEL)

/* A white pixel that gives nothing to others. */
#define HT_TDFED_NOTHING (HT_TDFED_FIRST + HT_TDFED_LAST)

/* Inputs of a pixel's parameters. */
struct ht_tdfed_source {
    const ht_table_t *table;
    uint32_t bits;         /* of samples, 8 or 16 */
    const uint16_t *curve; /* [256] of samples of 8 bits, or NULL */
    const struct ht_sizes *sizes;
    uint32_t left_out;   /* of these; 0: none */
    struct ht_span span; /* of several sizes and 16 bits: all pixels have it */
};

/*
 * Spans have numbers: 0, 1, .. 4 are those from size 0, 1, .. 4 to the next
 * one; if sizes may be mixed, 3 and 4 are those from 0 to 2 and from 1 to 3.
 * White pixels have HT_TDFED_SPAN_WHITE, from none to none, and solid pixels
 * the one behind it.
 */
#define HT_TDFED_SPAN_WHITE 5
#define HT_TDFED_SPANS 8

/* The sizes between which a span lies. */
struct ht_tdfed_ends {
    uint32_t low, high;
};

/* Returns the ends of span number `span`, on a page of `levels` levels; any
 * span's if the page has no such number. */
static inline struct ht_tdfed_ends ht_tdfed_ends(uint32_t span, uint32_t levels)
{
    const uint32_t largest = levels - 1;
    const bool over = levels <= HT_MIXED_LEVELS && span >= 3;
    uint32_t low = over ? span - 3 : span, high = low + (over ? 2 : 1);

    if (span == HT_TDFED_SPAN_WHITE)
        low = high = 0;
    else if (span > HT_TDFED_SPAN_WHITE)
        low = high = largest;
    return (struct ht_tdfed_ends){low < largest ? low : largest,
                                  high < largest ? high : largest};
}

/*
 * Returns the field HT_TDFED_SPAN of pixels of a level that have this span:
 * TABLE_AT() its number, and in bits that tables leave free its sizes, from the
 * bits HT_TDFED_SPAN_LOW and HT_TDFED_SPAN_HIGH on.
 */
int16_t ht_tdfed_span(const struct ht_sizes *sizes, uint8_t level,
                      const struct ht_span *span);
#define HT_TDFED_SPAN_LOW 4
#define HT_TDFED_SPAN_HIGH 12

/* Fills `pixels` [HT_TDFED_PIXELS]. */
void ht_tdfed_fill_pixels(const struct ht_tdfed_source *source,
                          struct ht_tdfed_pixel *pixels);

/* Fills `noise` [HT_LEVELS] with that of the table where such samples, or
 * levels of 16 bits, begin a tint. */
void ht_tdfed_fill_noise(const struct ht_tdfed_source *source, int16_t *noise);

/* Columns of a row of the pattern: those from 128 on repeat the row, so that so
 * many can be read from any column on. */
#define HT_TDFED_AT_ONCE 384u
#define HT_TDFED_PATTERN_ROW (HT_PATTERN_SIZE + HT_TDFED_AT_ONCE + 32)

/* Fills `pattern` [2][HT_PATTERN_SIZE][HT_TDFED_PATTERN_ROW], first for the
 * copies 0, 2, .., then for 1, 3, ..: with HT_TDFED_PATTERN for a dot and 0 for
 * none, and with HT_TDFED_LEAVES. */
void ht_tdfed_fill_pattern(const struct ht_tdfed_source *source,
                           uint16_t *pattern);

/* ---- Kinds of levels --------------------------------------------------- */

/* Returns how near a level is to white or solid: 128..255, which these have. */
static inline uint8_t ht_tdfed_extremity(uint8_t level)
{
    return level < 128 ? (uint8_t)~level : level;
}

/* Returns the greatest extremity up to which no level has a weight at column
 * -4; 127 if some of extremity 128 have. 255 with several sizes, whose
 * kernels do not ask. */
uint8_t ht_tdfed_near_extremity(const struct ht_tdfed_source *source);

#endif
