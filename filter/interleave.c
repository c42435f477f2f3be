/*
 * interleave.c - 16 bytes at a time, in the compiler's vectors, which become
 * SSE2 or NEON; what is left of a line goes through a padded copy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "filter/interleave.h"

#define LANES 16u
#define SPAN 64u /* pixels that are looked at together */

typedef uint8_t bytes __attribute__((vector_size(LANES)));
typedef uint16_t pairs __attribute__((vector_size(LANES)));

#define EVEN(a, b)                                                             \
    __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,   \
                            24, 26, 28, 30)
#define ODD(a, b)                                                              \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23,   \
                            25, 27, 29, 31)
#define ZIP_LOW_BYTES(a, b)                                                    \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, \
                            22, 7, 23)
#define ZIP_HIGH_BYTES(a, b)                                                   \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,    \
                            29, 14, 30, 15, 31)
#define ZIP_LOW_PAIRS(a, b)                                                    \
    __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH_PAIRS(a, b)                                                   \
    __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)

static bytes load(const uint8_t *from)
{
    bytes v;

    memcpy(&v, from, sizeof v);
    return v;
}

static inline void put(bytes plane, uint8_t *to, bytes *any)
{
    memcpy(to, &plane, sizeof plane);
    *any |= plane;
}

/* Sixteen pixels; adds the samples of each channel to `any`. */
static inline void split_block(const uint8_t *from, uint8_t *const to[4],
                               size_t at, bytes any[4])
{
    bytes a = load(from), b = load(from + LANES);
    bytes c = load(from + 2 * LANES), d = load(from + 3 * LANES);
    bytes even_low = EVEN(a, b), odd_low = ODD(a, b);
    bytes even_high = EVEN(c, d), odd_high = ODD(c, d);

    put(EVEN(even_low, even_high), to[0] + at, &any[0]);
    put(EVEN(odd_low, odd_high), to[1] + at, &any[1]);
    put(ODD(even_low, even_high), to[2] + at, &any[2]);
    put(ODD(odd_low, odd_high), to[3] + at, &any[3]);
}

static bool is_zero(bytes v)
{
    uint64_t half[2];

    memcpy(half, &v, sizeof half);
    return (half[0] | half[1]) == 0;
}

/* SPAN pixels. */
static bool all_zero(const uint8_t *from)
{
    bytes any = {0};

    for (unsigned i = 0; i < 4 * SPAN; i += LANES)
        any |= load(from + i);
    return is_zero(any);
}

/* SPAN pixels of the channels that are not `zeros` already. */
static void clear_span(uint8_t *const to[4], size_t at, unsigned zeros)
{
    for (unsigned i = 0; i < 4; i++)
        if ((zeros >> i & 1) == 0)
            memset(to[i] + at, 0, SPAN);
}

unsigned split_samples(const uint8_t *from, uint32_t width,
                       uint8_t *const to[4], unsigned zeros)
{
    bytes any[4] = {{0}};
    uint8_t rest[4] = {0};
    unsigned inked = 0;
    uint32_t x = 0;

    for (; width - x >= SPAN; x += SPAN, from += 4 * SPAN) {
        if (zeros != 0 && all_zero(from)) {
            clear_span(to, x, zeros);
            continue;
        }
        for (unsigned i = 0; i < SPAN; i += LANES)
            split_block(from + 4 * i, to, x + i, any);
    }
    for (; x < width; x++, from += 4)
        for (unsigned i = 0; i < 4; i++) {
            to[i][x] = from[i];
            rest[i] |= from[i];
        }
    for (unsigned i = 0; i < 4; i++)
        inked |= (is_zero(any[i]) && rest[i] == 0 ? 0u : 1u) << i;
    return inked;
}

/* The bits of `a` that `mask` shows change places with those of `b` that
 * stand `shift` places above them. */
static void exchange(bytes *a, bytes *b, int shift, uint8_t mask)
{
    bytes differ = (*a ^ *b >> shift) & mask;

    *a ^= differ;
    *b ^= differ << shift;
}

/* 128 pixels of four channels become 64 bytes. */
static void merge_block(const bytes channel[4], uint8_t *to)
{
    bytes a = channel[0], b = channel[1], c = channel[2], d = channel[3];

    /* In each half byte a bit is a pixel and a vector a channel; then a
     * vector is a pixel and a bit a channel. */
    exchange(&a, &c, 2, 0x33);
    exchange(&b, &d, 2, 0x33);
    exchange(&a, &b, 1, 0x55);
    exchange(&c, &d, 1, 0x55);

    /* Of eight pixels, a has 0 and 4, b 1 and 5, c 2 and 6, d 3 and 7. */
    bytes p01 = (a & 0xf0) | b >> 4, p45 = a << 4 | (b & 0x0f);
    bytes p23 = (c & 0xf0) | d >> 4, p67 = c << 4 | (d & 0x0f);
    pairs left = (pairs)ZIP_LOW_BYTES(p01, p23);
    pairs right = (pairs)ZIP_LOW_BYTES(p45, p67);
    pairs out[4] = {ZIP_LOW_PAIRS(left, right), ZIP_HIGH_PAIRS(left, right)};

    left = (pairs)ZIP_HIGH_BYTES(p01, p23);
    right = (pairs)ZIP_HIGH_BYTES(p45, p67);
    out[2] = ZIP_LOW_PAIRS(left, right);
    out[3] = ZIP_HIGH_PAIRS(left, right);
    memcpy(to, out, sizeof out);
}

void merge_dots(const uint8_t *const from[4], uint32_t width, uint8_t *to)
{
    size_t plane = ((size_t)width + 7) / 8, line = ((size_t)width + 1) / 2;
    bytes channel[4];
    size_t at = 0;

    for (; 4 * (at + LANES) <= line; at += LANES) {
        for (int i = 0; i < 4; i++)
            channel[i] = load(from[i] + at);
        merge_block(channel, to + 4 * at);
    }
    if (at < plane) {
        uint8_t block[4 * LANES];

        memset(channel, 0, sizeof channel);
        for (int i = 0; i < 4; i++)
            memcpy(&channel[i], from[i] + at, plane - at);
        merge_block(channel, block);
        memcpy(to + 4 * at, block, line - 4 * at);
    }
}
