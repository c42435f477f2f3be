/*
 * count.c - adds the dots of a column before those of a row: 128 columns
 * at once, bit i of all their sums in a vector of its own, so that an addition
 * is some logic. The sums of the columns left of a knot are then a count of
 * bits for each vector.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "halftone/base/instruction_sets.h"
#include "tools/ink-map/count.h"
#include "tools/ones.h"

#define BITS 8     /* of a column's sum in a batch */
#define AT_ONCE 2u /* words */

typedef uint64_t vector __attribute__((vector_size(8 * AT_ONCE)));

static_assert(INK_BATCH_DOTS < 1u << BITS, "a sum fits");

/* Adds two bits to a third; returns what carries. */
ONES_INLINE vector add_two(vector *sum, vector a, vector b)
{
    vector half = a ^ b, carry = (a & b) | (*sum & half);

    *sum ^= half;
    return carry;
}

/* Adds a bit of weight 2^i. */
ONES_INLINE void add_one(vector sum[BITS], int i, vector carry)
{
    for (; i < BITS; i++) {
        vector next = sum[i] & carry;

        sum[i] ^= carry;
        carry = next;
    }
}

/* The dots of rows of a piece, words `at` and the next, of the counted inks:
 * four additions are two of weight 2 and those one of weight 4. */
ONES_INLINE void add_rows(const struct ink_count *count, const uint64_t *dots,
                          uint32_t rows, vector sum[BITS])
{
    size_t plane = count->words, row = count->inks * plane;
    vector four[4];
    unsigned n = 0;

    for (uint32_t y = 0; y < rows; y++, dots += row)
        for (uint32_t k = 0; k < count->inks; k++) {
            if (!(count->counted >> k & 1))
                continue;
            memcpy(&four[n++], dots + k * plane, sizeof(vector));
            if (n == 4) {
                vector a = add_two(&sum[0], four[0], four[1]);
                vector b = add_two(&sum[0], four[2], four[3]);

                add_one(sum, 2, add_two(&sum[1], a, b));
                n = 0;
            }
        }
    while (n > 0)
        add_one(sum, 0, four[--n]);
}

/* Adds up the columns in `mask`. */
ONES_INLINE uint32_t add_columns(const uint64_t *bits, int most, uint64_t mask,
                                 bool instruction)
{
    uint32_t total = 0;

    for (int i = 0; i < most; i++)
        total += ones(bits[i * (int)AT_ONCE] & mask, instruction) << i;
    return total;
}

/* Counts rows `begin`.. of the piece. */
ONES_INLINE void count_piece(const struct ink_count *count,
                             struct ink_batch *batch, uint32_t r,
                             uint32_t piece, bool instruction)
{
    const struct ink_range *range = &count->range[r];
    uint32_t begin = piece > 0 ? batch->end[piece - 1] : 0;
    uint32_t rows = batch->end[piece] - begin;
    const uint64_t *dots =
        batch->dots + (size_t)begin * count->inks * count->words;
    uint32_t *ranks = batch->ranks + (size_t)piece * count->knots;
    uint32_t knot = range->first, before = 0;

    for (uint32_t at = range->begin; at < range->end; at += AT_ONCE) {
        vector sum[BITS] = {{0}};
        uint64_t bits[BITS * AT_ONCE];
        int most = BITS;

        add_rows(count, dots + at, rows, sum);
        memcpy(bits, sum, sizeof bits);
        while (most > 0 && (bits[most * 2 - 1] | bits[most * 2 - 2]) == 0)
            most--;
        for (uint32_t i = 0; i < AT_ONCE; i++) {
            for (; knot < range->after && count->knot[knot].word == at + i;
                 knot++)
                ranks[knot] =
                    before + add_columns(bits + i, most, count->knot[knot].mask,
                                         instruction);
            before += add_columns(bits + i, most, UINT64_MAX, instruction);
        }
    }
    batch->totals[(size_t)piece * count->ranges + r] = before;
}

ONES_INLINE void count_inks(const struct ink_count *count,
                            struct ink_batch *batch, uint32_t r,
                            bool instruction)
{
    const struct ink_range *range = &count->range[r];
    const uint64_t *plane = batch->dots;

    for (uint32_t y = 0; y < batch->rows; y++)
        for (uint32_t k = 0; k < count->inks; k++, plane += count->words) {
            uint64_t total = 0;

            for (uint32_t at = range->begin; at < range->end; at++)
                total += ones(plane[at], instruction);
            batch->inks[r][k] += total;
        }
}

/* Counts a range, with or without the instruction. */
ONES_INLINE void count_range(const struct ink_count *count,
                             struct ink_batch *batch, uint32_t r, bool pieces,
                             bool instruction)
{
    for (uint32_t piece = 0; pieces && piece < batch->pieces; piece++)
        count_piece(count, batch, r, piece, instruction);
    count_inks(count, batch, r, instruction);
}

ONES_TARGET static void count_range_popcnt(const struct ink_count *count,
                                           struct ink_batch *batch, uint32_t r,
                                           bool pieces)
{
    count_range(count, batch, r, pieces, true);
}

static void choose(const struct ink_count *count, struct ink_batch *batch,
                   uint32_t r, bool pieces)
{
    if (has_popcnt())
        count_range_popcnt(count, batch, r, pieces);
    else
        count_range(count, batch, r, pieces, false);
}

uint32_t ink_count_words(uint32_t width)
{
    return (width / INK_WORD_DOTS / AT_ONCE + 1) * AT_ONCE;
}

void ink_count_range(const struct ink_count *count, struct ink_batch *batch,
                     uint32_t r)
{
    choose(count, batch, r, true);
}

void ink_count_inks(const struct ink_count *count, struct ink_batch *batch,
                    uint32_t r)
{
    choose(count, batch, r, false);
}
