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

void ht_cpu_put_line(const struct ht_cpu_page *page,
                     struct ht_cpu_segment *segment, uint32_t row, uint32_t ink,
                     struct ht_cpu_line *line)
{
    uint8_t *to = dots_of(page, segment->swath, row, ink);
    uint8_t *from = line->byte;
    uint32_t base = line->begin / 64 * 8; /* the line's first byte */
    uint32_t first = line->begin / 8, end = (line->end + 7) / 8;

    from[first - base] &= (uint8_t)(0xff >> line->begin % 8);
    if (line->end % 8 != 0) {
        end--;
        from[end - base] &= (uint8_t)(0xff00 >> line->end % 8);
        *edge_or_row(segment, row, ink, to, end) |= from[end - base];
    }
    if (line->begin % 8 != 0 && first < end) {
        *edge_or_row(segment, row, ink, to, first) |= from[first - base];
        first++;
    }
    if (first < end)
        memcpy(to + first, from + (first - base), end - first);
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

typedef uint8_t bytes __attribute__((vector_size(16)));
typedef uint16_t words __attribute__((vector_size(16)));

static inline bool any_bit(bytes v)
{
    uint64_t half[2];

    memcpy(half, &v, sizeof half);
    return (half[0] | half[1]) != 0;
}

/* Of 16 bytes of samples: adds them to `any`, and to `others` ones where they
 * are neither bare paper nor full ink. */
static inline void look(const void *samples, uint32_t bits, bytes *any,
                        bytes *others)
{
    bytes v;

    memcpy(&v, samples, sizeof v);
    words w = (words)v;
    *any |= v;
    *others |= bits == 8 ? (bytes)((v != 0) & (v != 0xff))
                         : (bytes)((w != 0) & (w != 0xffff));
}

/* Whether every sample of `size` bytes is bare paper or full ink; `*some` is
 * made true when one is ink. Mostly the first few already say no. */
static inline __attribute__((always_inline)) bool
only_extremes(const uint8_t *samples, size_t size, uint32_t bits, bool *some)
{
    uint8_t rest[16] = {0};
    bytes any = {0}, others = {0};

    for (; size >= 64; size -= 64, samples += 64) {
        for (unsigned i = 0; i < 64; i += 16)
            look(samples + i, bits, &any, &others);
        if (any_bit(others))
            return false;
    }
    for (; size >= 16; size -= 16, samples += 16)
        look(samples, bits, &any, &others);
    memcpy(rest, samples, size);
    look(rest, bits, &any, &others);
    *some |= any_bit(any);
    return !any_bit(others);
}

bool ht_cpu_no_error(const int16_t *error, uint32_t count)
{
    bytes any = {0}, same = {0};

    for (; count >= 32; count -= 32, error += 32) {
        for (unsigned i = 0; i < 32; i += 8)
            look(error + i, 8, &any, &same);
        if (any_bit(any))
            return false;
    }
    for (; count > 0; count--, error++)
        if (*error != 0)
            return false;
    return true;
}

/* The last bits of eight bytes in the lowest eight, the first byte's on top:
 * the product brings them together. */
static uint64_t last_bits(uint64_t bytes_of_row)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    bytes_of_row = __builtin_bswap64(bytes_of_row);
#endif
    return (bytes_of_row & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

/* Which of the samples at columns x..x+63, up to `end`, are solid, when the
 * others are bare paper. */
static uint64_t solid_64(const uint8_t *samples, uint32_t bits, uint32_t x,
                         uint32_t end)
{
    uint32_t count = end - x < 64 ? end - x : 64, i = 0;
    uint64_t dots = 0;

    samples += (size_t)x * (bits / 8);
    for (; bits == 8 && i + 8 <= count; i += 8) {
        uint64_t word;

        memcpy(&word, samples + i, sizeof word);
        dots |= last_bits(word) << (56 - i);
    }
    for (; i < count; i++)
        if (samples[i * (bits / 8)] != 0)
            dots |= (uint64_t)1 << (63 - i);
    return dots;
}

/* Of a segment whose samples are all white or solid. */
static void put_solid(const struct ht_cpu_page *page,
                      struct ht_cpu_segment *segment, uint32_t row,
                      uint32_t ink)
{
    const uint32_t at_once = 256;
    const uint8_t *samples = ht_cpu_samples(page, segment->swath, row, ink);
    struct ht_cpu_line line = {.end = segment->begin};

    while (line.end < segment->end) {
        line.begin = line.end;
        line.end = line.begin / at_once * at_once + at_once;
        line.end = line.end < segment->end ? line.end : segment->end;
        for (uint32_t x = line.begin / 64 * 64; x < line.end; x += 64)
            ht_cpu_dots_to_bytes(line.byte + (x / 64 - line.begin / 64) * 8,
                                 solid_64(samples, page->bits, x, line.end));
        ht_cpu_put_line(page, segment, row, ink, &line);
    }
}

static bool idle(const struct ht_cpu_page *page, struct ht_cpu_segment *segment,
                 uint32_t ink)
{
    const struct ht_cpu_swath *swath = segment->swath;
    uint32_t begin = segment->begin, end = segment->end;
    size_t size = page->bits / 8;
    bool some = false;

    if (!ht_cpu_no_error(page->error + (size_t)ink * page->width + begin,
                         end - begin))
        return false;
    if ((swath->inks >> ink & 1) == 0)
        return true;
    for (uint32_t row = 0; row < swath->rows; row++) {
        const uint8_t *samples = ht_cpu_samples(page, swath, row, ink);

        samples += begin * size;
        if (!(page->bits == 8
                  ? only_extremes(samples, end - begin, 8, &some)
                  : only_extremes(samples, (end - begin) * size, 16, &some)))
            return false;
    }
    for (uint32_t row = 0; some && row < swath->rows; row++)
        if (swath->dots[row] != NULL)
            put_solid(page, segment, row, ink);
    return true;
}

void ht_cpu_do_idle_inks(const struct ht_cpu_page *page,
                         struct ht_cpu_segment *segment)
{
    segment->inks = 0;
    for (uint32_t ink = 0; ink < page->inks; ink++)
        if ((segment->swath->calm >> ink & 1) == 0 && !idle(page, segment, ink))
            segment->inks |= 1u << ink;
}
