/*
 * sizes.h - drops of several sizes: doc/dev/halftone.md, "Drop sizes".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_SIZES_H
#define HT_SIZES_H

#include "halftone/definition.h"

/* Between which sizes a pixel of a tone has the choice. */
struct ht_span {
    int32_t low, high; /* areas */
    uint8_t level;     /* l', which chooses the parameters; of a pixel that is
                          not toned its own level */
};

/* Returns the sizes of a page that is valid. */
struct ht_sizes ht_sizes_of(const ht_page_t *page);

/* Returns the size that an ink of a page leaves out on some of its pixels (o):
 * every third ink, magenta among them, not the same as the others. 2 of two
 * sizes is none, since whole dots are never left out. */
uint32_t ht_size_left_out(uint32_t ink, uint32_t inks, uint32_t levels);

/* Says whether the pixel in column x of row r leaves that size out, for an ink
 * that looks at copy j of the pattern [HT_PATTERN_BYTES]. */
bool ht_leaves_out(const struct ht_sizes *sizes, const uint8_t *pattern,
                   uint32_t copy, uint64_t row, uint32_t x);

/* Returns the span of a pixel of that tone (a) and level (l), which leaves out
 * that size, or none (0). */
struct ht_span ht_span_of(const struct ht_sizes *sizes, int32_t tone,
                          uint8_t level, uint32_t left_out);

/* Factors of what a tone is above its span's low size, whose product has 16
 * bits more than a*: a power of two, 2^j, and another one. */
struct ht_share {
    int32_t factor, times;
};

/* Returns that of spans D wide, 1..HT_ONE. */
struct ht_share ht_share_of(int32_t wide);

/* Returns a*, the share of its span that a tone is above the low size,
 * 0..HT_ONE. */
int32_t ht_share_at(const struct ht_span *span, int32_t tone);

/* Returns the noise where a tint of a level begins (n), of the choice that a
 * pixel of that level has. */
int16_t ht_noise_where_begins(const struct ht_sizes *sizes,
                              const ht_table_t *table, uint8_t level);

/* Returns the number, 0.., of a size by its area. */
uint32_t ht_size_of(const struct ht_sizes *sizes, int32_t area);

/* Return the least tone of which a pixel gets size i, or a larger one, of the
 * method Threshold, and of Screen where the pixel has this rank; 0 cells are
 * HT_DEFAULT_CELLS. */
int32_t ht_threshold_tone(const struct ht_sizes *sizes, uint32_t i);
int32_t ht_screen_tone(const struct ht_sizes *sizes, uint32_t cells, uint32_t i,
                       int32_t rank);

/* Returns what of x belongs to an area: all of it to a whole dot. */
static inline int32_t ht_part(int32_t x, int32_t area)
{
    return (2 * x * area + (int32_t)HT_WHOLE_DOT) >> 15;
}

#endif
