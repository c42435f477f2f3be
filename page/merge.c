/*
 * merge.c - 16 bytes at a time, in the compiler's vectors, which become SSE2
 * or NEON; what is left of a line goes through a padded copy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "page/bytes.h"
#include "page/merge.h"

typedef uint16_t pairs __attribute__((vector_size(BYTES)));

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

#define EVEN_BYTES(a, b)                                                       \
    __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,   \
                            24, 26, 28, 30)
#define ODD_BYTES(a, b)                                                        \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23,   \
                            25, 27, 29, 31)

/* Exchanges the bits of `a` in `mask` with those of `b` that stand `shift`
 * places above them. */
static void exchange(bytes *a, bytes *b, int shift, uint8_t mask)
{
    bytes differ = (*a ^ *b >> shift) & mask;

    *a ^= differ;
    *b ^= differ << shift;
}

/* Makes 64 bytes of 128 pixels of four channels. */
static void merge_block(const bytes channel[4], uint8_t *to)
{
    bytes a = channel[0], b = channel[1], c = channel[2], d = channel[3];

    /* In each half byte a bit is a pixel and a vector a channel; then a
     * vector is a pixel and a bit a channel. */
    exchange(&a, &c, 2, 0x33);
    exchange(&b, &d, 2, 0x33);
    exchange(&a, &b, 1, 0x55);
    exchange(&c, &d, 1, 0x55);

    /* Eight pixels: a has 0 and 4, b 1 and 5, c 2 and 6, d 3 and 7. */
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

    assert(width > 0);
    for (; 4 * (at + BYTES) <= line; at += BYTES) {
        for (int i = 0; i < 4; i++)
            channel[i] = load(from[i] + at);
        merge_block(channel, to + 4 * at);
    }
    if (at < plane) {
        uint8_t block[4 * BYTES];

        memset(channel, 0, sizeof channel);
        for (int i = 0; i < 4; i++)
            memcpy(&channel[i], from[i] + at, plane - at);
        merge_block(channel, block);
        memcpy(to + 4 * at, block, line - 4 * at);
    }
}

/* Makes 128 pixels of four channels of 64 bytes: merge_block() backwards. */
static void part_block(const uint8_t *from, bytes channel[4])
{
    bytes in[4];

    memcpy(in, from, sizeof in);
    bytes even = EVEN_BYTES(in[0], in[1]), odd = ODD_BYTES(in[0], in[1]);
    bytes even2 = EVEN_BYTES(in[2], in[3]), odd2 = ODD_BYTES(in[2], in[3]);
    bytes p01 = EVEN_BYTES(even, even2), p45 = ODD_BYTES(even, even2);
    bytes p23 = EVEN_BYTES(odd, odd2), p67 = ODD_BYTES(odd, odd2);
    bytes a = (p01 & 0xf0) | p45 >> 4, b = p01 << 4 | (p45 & 0x0f);
    bytes c = (p23 & 0xf0) | p67 >> 4, d = p23 << 4 | (p67 & 0x0f);

    exchange(&a, &b, 1, 0x55);
    exchange(&c, &d, 1, 0x55);
    exchange(&a, &c, 2, 0x33);
    exchange(&b, &d, 2, 0x33);
    channel[0] = a;
    channel[1] = b;
    channel[2] = c;
    channel[3] = d;
}

void part_dots(const uint8_t *from, uint32_t width, uint8_t *const to[4])
{
    size_t plane = ((size_t)width + 7) / 8, line = ((size_t)width + 1) / 2;
    bytes channel[4];
    size_t at = 0;

    assert(width > 0);
    for (; 4 * (at + BYTES) <= line; at += BYTES) {
        part_block(from + 4 * at, channel);
        for (int i = 0; i < 4; i++)
            memcpy(to[i] + at, &channel[i], BYTES);
    }
    if (at < plane) {
        uint8_t block[4 * BYTES] = {0};

        memcpy(block, from + 4 * at, line - 4 * at);
        part_block(block, channel);
        for (int i = 0; i < 4; i++)
            memcpy(to[i] + at, &channel[i], plane - at);
    }
    if (width % 8 != 0)
        for (int i = 0; i < 4; i++)
            to[i][plane - 1] &= (uint8_t)(0xff << (8 - width % 8));
}
