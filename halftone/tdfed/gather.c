/*
 * gather.c - finds the columns of segments that have to be diffused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/simd/dots.h"
#include "halftone/tdfed/gather.h"
#include "halftone/tdfed/marks.h"

/* Idle columns that are diffused, too, because a further stretch would cost
 * more. */
#define FEW 12

/* Columns of a segment, the first in the lowest bit of the first word; with
 * those that come into the gaps behind them. */
#define WORDS ((HT_TDFED_GATHER_FROM + FEW) / 64 + 1)

#define AT_ONCE 16u /* errors */

/* Says which of some errors are not 0. */
static inline uint64_t some_errors(const int16_t *error)
{
    ht_words first, second;

    memcpy(&first, error, sizeof first);
    memcpy(&second, error + AT_ONCE / 2, sizeof second);
    return ht_top_bits(
        ~ht_join_masks((ht_words)(first == 0), (ht_words)(second == 0)));
}

/* Adds the columns of `count` errors that are not 0. */
static void add_errors(uint64_t *word, const int16_t *error, uint32_t count)
{
    uint32_t at = 0;

    for (; at + AT_ONCE <= count; at += AT_ONCE)
        word[at / 64] |= some_errors(error + at) << at % 64;
    for (; at < count; at++)
        word[at / 64] |= (uint64_t)(error[at] != 0) << at % 64;
}

/* Returns 64 marks from a column on; reads a word behind the line of the last
 * ones, where there is another line. */
static inline uint64_t marks_at(const uint64_t *line, uint32_t x)
{
    line += x / 64;
    return line[0] >> x % 64 | line[1] << 1 << (63 - x % 64);
}

/* Finds the columns that have toned pixels, also below, or errors. */
static void find_busy(const struct ht_tdfed_page *page,
                      const struct ht_tdfed_segment *segment, uint32_t ink,
                      uint64_t word[WORDS])
{
    const struct ht_tdfed_swath *swath = segment->swath;
    const uint32_t length = segment->end - segment->begin;

    memset(word, 0, WORDS * sizeof *word);
    if ((swath->inks >> ink & 1) != 0) {
        const uint64_t *toned =
            ht_tdfed_line_of(page, swath, ink, HT_TDFED_HAS_TONED);
        const uint64_t *below =
            ht_tdfed_line_of(page, swath, ink, HT_TDFED_HAS_TONED_BELOW);

        for (uint32_t at = 0; at < length; at += 64)
            word[at / 64] = marks_at(toned, segment->begin + at) |
                            marks_at(below, segment->begin + at);
        if (length % 64 != 0)
            word[length / 64] &= ~(~(uint64_t)0 << length % 64);
    }
    if ((segment->inherits >> ink & 1) != 0)
        add_errors(word,
                   page->error + (size_t)ink * page->width + segment->begin,
                   length);
}

/* Adds `more` columns behind each one. */
static inline void widen(uint64_t word[WORDS], uint32_t words, unsigned more)
{
    uint64_t before = 0;

    for (uint32_t i = 0; i < words; i++) {
        uint64_t own = word[i];

        word[i] |= own << more | before >> (64 - more);
        before = own;
    }
}

/* Adds FEW columns behind each one, which closes the gaps. */
static void close_gaps(uint64_t word[WORDS], uint32_t words)
{
    _Static_assert(FEW == 1 + 2 + 4 + 5, "in so many steps");
    widen(word, words, 1);
    widen(word, words, 2);
    widen(word, words, 4);
    widen(word, words, 5);
}

/* Returns the first column from `from` on that is, or else is not, in a set;
 * 64 * WORDS if none is. */
static uint32_t next_column(const uint64_t word[WORDS], uint32_t from, bool in)
{
    while (from < 64 * WORDS) {
        uint64_t left = (in ? word[from / 64] : ~word[from / 64]) >> from % 64;

        if (left != 0)
            return from + (uint32_t)__builtin_ctzll(left);
        from = from / 64 * 64 + 64;
    }
    return 64 * WORDS;
}

unsigned ht_tdfed_gather(const struct ht_tdfed_page *page,
                         const struct ht_tdfed_segment *segment, uint32_t ink,
                         struct ht_tdfed_columns *stretches)
{
    const uint32_t length = segment->end - segment->begin;
    uint64_t word[WORDS];
    unsigned count = 0;
    uint32_t end = 0;

    if (length > HT_TDFED_GATHER_FROM) {
        stretches[0].begin = segment->begin;
        stretches[0].end = segment->end;
        return 1;
    }
    find_busy(page, segment, ink, word);
    close_gaps(word, (length + FEW + 63) / 64);
    for (;;) {
        uint32_t begin = next_column(word, end, true);

        if (begin == 64 * WORDS)
            return count;
        end = next_column(word, begin, false);
        stretches[count].begin = segment->begin + begin;
        stretches[count++].end = segment->begin + end - FEW;
    }
}
