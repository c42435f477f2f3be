/*
 * split_plain.c - 16 bytes at a time, in the compiler's vectors, which become
 * SSE2 or NEON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "page/bytes.h"
#include "page/split.h"

#define SPAN 64u

#define EVEN(a, b)                                                             \
    __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,   \
                            24, 26, 28, 30)
#define ODD(a, b)                                                              \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23,   \
                            25, 27, 29, 31)

static inline void put(bytes plane, uint8_t *to, bytes *any)
{
    memcpy(to, &plane, sizeof plane);
    *any |= plane;
}

static inline void split_span(const uint8_t *from, uint8_t *const to[4],
                              size_t at, bytes any[4])
{
    for (const uint8_t *end = from + 4 * SPAN; from < end; from += 64) {
        bytes a = load(from), b = load(from + 16);
        bytes c = load(from + 32), d = load(from + 48);
        bytes even_low = EVEN(a, b), odd_low = ODD(a, b);
        bytes even_high = EVEN(c, d), odd_high = ODD(c, d);

        put(EVEN(even_low, even_high), to[0] + at, &any[0]);
        put(EVEN(odd_low, odd_high), to[1] + at, &any[1]);
        put(ODD(even_low, even_high), to[2] + at, &any[2]);
        put(ODD(odd_low, odd_high), to[3] + at, &any[3]);
        at += 16;
    }
}

#include "page/split_kernel.h"

unsigned split_samples_plain(const uint8_t *from, uint32_t width,
                             uint8_t *const to[4], unsigned zeros)
{
    return split_line(from, width, to, zeros);
}
