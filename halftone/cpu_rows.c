/*
 * cpu_rows.c - dots into rows, and segments with nothing but white and solid.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/cpu_rows.h"

const uint8_t *ht_cpu_samples(const struct ht_cpu_page *page,
                              const struct ht_cpu_swath *swath, uint32_t row,
                              uint32_t ink)
{
    return swath->samples[row] + (size_t)ink * page->width * (page->bits / 8);
}

static uint8_t *dots_of(const struct ht_cpu_page *page,
                        const struct ht_cpu_swath *swath, uint32_t row,
                        uint32_t ink)
{
    return swath->dots[row] + ink * (((size_t)page->width + 7) / 8);
}

/* ---- Dots into rows ---------------------------------------------------- */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LEFTMOST_FIRST(word) __builtin_bswap64(word)
#else
#define LEFTMOST_FIRST(word) (word)
#endif

/* Where the dots of a byte go that has others than the segment's. */
static uint8_t *edge_or_row(struct ht_cpu_segment *segment, uint32_t row,
                            uint32_t ink, uint8_t *dots, uint32_t byte)
{
    if (byte == segment->begin / 8)
        return &segment->edge[0][row][ink];
    if (byte == segment->end / 8)
        return &segment->edge[1][row][ink];
    return dots + byte;
}

void ht_cpu_put_64(const struct ht_cpu_page *page,
                   struct ht_cpu_segment *segment, uint32_t row, uint32_t ink,
                   uint32_t x, uint64_t dots, uint32_t begin, uint32_t end)
{
    uint8_t *to = dots_of(page, segment->swath, row, ink);
    uint64_t mask = UINT64_MAX;

    if (x < begin)
        mask >>= begin - x;
    if (end - x < 64)
        mask &= ~(UINT64_MAX >> (end - x));
    if (mask == UINT64_MAX) {
        dots = LEFTMOST_FIRST(dots);
        memcpy(to + x / 8, &dots, sizeof dots);
        return;
    }
    dots &= mask;
    for (uint32_t byte = x / 8; mask != 0; byte++, mask <<= 8, dots <<= 8) {
        if (mask >> 56 == 0xff)
            to[byte] = (uint8_t)(dots >> 56);
        else if (mask >> 56 != 0)
            *edge_or_row(segment, row, ink, to, byte) |= (uint8_t)(dots >> 56);
    }
}

void ht_cpu_join_edges(const struct ht_cpu_page *page,
                       const struct ht_cpu_segment *segment)
{
    const struct ht_cpu_swath *swath = segment->swath;

    if (swath->dots[0] == NULL)
        return;
    for (uint32_t row = 0; row < swath->rows; row++)
        for (uint32_t ink = 0; ink < page->inks; ink++) {
            uint8_t *dots = dots_of(page, swath, row, ink);

            if (segment->edge[0][row][ink] != 0)
                dots[segment->begin / 8] |= segment->edge[0][row][ink];
            if (segment->edge[1][row][ink] != 0)
                dots[segment->end / 8] |= segment->edge[1][row][ink];
        }
}

/* ---- Nothing but white and solid --------------------------------------- */

/* Four words of memory, or less at its end, the rest zeros. */
struct words_4 {
    uint64_t word[4];
};

static inline struct words_4 read_words(const void *from, size_t size)
{
    struct words_4 w = {{0}};

    if (size >= sizeof w)
        memcpy(&w, from, sizeof w);
    else
        memcpy(&w, from, size);
    return w;
}

static inline bool all_zero(const struct words_4 *w)
{
    return (w->word[0] | w->word[1] | w->word[2] | w->word[3]) == 0;
}

/* Whether every sample of `size` bytes is bare paper or full ink; `*some` is
 * made true when one is ink. */
static bool only_extremes(const uint8_t *samples, size_t size, uint32_t bits,
                          bool *some)
{
    const uint64_t full = bits == 8 ? 0xff : 0xffff;
    const uint64_t lowest_bits = UINT64_MAX / full;

    for (size_t i = 0; i < size; i += sizeof(struct words_4)) {
        struct words_4 w = read_words(samples + i, size - i);

        if (all_zero(&w))
            continue;
        *some = true;
        for (unsigned k = 0; k < 4; k++)
            if (w.word[k] != (w.word[k] & lowest_bits) * full)
                return false;
    }
    return true;
}

static bool no_error(const int16_t *error, uint32_t count)
{
    const size_t size = count * sizeof *error;

    for (size_t i = 0; i < size; i += sizeof(struct words_4)) {
        struct words_4 w = read_words((const char *)error + i, size - i);

        if (!all_zero(&w))
            return false;
    }
    return true;
}

/* Which of the samples at columns x..x+63, up to `end`, are solid, when the
 * others are bare paper. */
static uint64_t solid_64(const uint8_t *samples, uint32_t bits, uint32_t x,
                         uint32_t end)
{
    uint32_t count = end - x < 64 ? end - x : 64, i = 0;
    uint64_t dots = 0;

    samples += (size_t)x * (bits / 8);
    /* Each of eight bytes leaves its last bit, and the product brings these
     * together in the top byte, the first byte's on top. */
    for (; bits == 8 && i + 8 <= count; i += 8) {
        uint64_t word;

        memcpy(&word, samples + i, sizeof word);
        word = LEFTMOST_FIRST(word) & 0x0101010101010101;
        dots |= word * 0x0102040810204080 >> 56 << (56 - i);
    }
    for (; i < count; i++)
        if (samples[i * (bits / 8)] != 0)
            dots |= (uint64_t)1 << (63 - i);
    return dots;
}

static bool idle(const struct ht_cpu_page *page, struct ht_cpu_segment *segment,
                 uint32_t ink)
{
    const struct ht_cpu_swath *swath = segment->swath;
    uint32_t begin = segment->begin, end = segment->end, bytes = page->bits / 8;
    bool some = false;

    if (!no_error(page->error + (size_t)ink * page->width + begin, end - begin))
        return false;
    for (uint32_t row = 0; row < swath->rows; row++) {
        const uint8_t *samples = ht_cpu_samples(page, swath, row, ink);

        if (!only_extremes(samples + (size_t)begin * bytes,
                           (size_t)(end - begin) * bytes, page->bits, &some))
            return false;
    }
    for (uint32_t row = 0; some && row < swath->rows; row++) {
        const uint8_t *samples = ht_cpu_samples(page, swath, row, ink);

        for (uint32_t x = begin & ~63u; swath->dots[row] && x < end; x += 64)
            ht_cpu_put_64(page, segment, row, ink, x,
                          solid_64(samples, page->bits, x, end), begin, end);
    }
    return true;
}

void ht_cpu_do_idle_inks(const struct ht_cpu_page *page,
                         struct ht_cpu_segment *segment)
{
    segment->inks = 0;
    for (uint32_t ink = 0; ink < page->inks; ink++)
        if (!idle(page, segment, ink))
            segment->inks |= 1u << ink;
}
