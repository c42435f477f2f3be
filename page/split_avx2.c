/*
 * split_avx2.c - 32 bytes at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "page/split.h"

#ifdef __AVX2__
#include <immintrin.h>

#define BYTES 32
#include "page/bytes.h"

#define SPAN 64u

/* Loads eight pixels. Each half has four samples of channel 0, then four of
 * channel 1, and so on. */
static inline __m256i load_by_channel(const uint8_t *from)
{
    const __m128i order =
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);

    return _mm256_shuffle_epi8((__m256i)load(from),
                               _mm256_broadcastsi128_si256(order));
}

/* Stores samples of a channel, whose groups of four lie in the order 0 2 4 6 1
 * 3 5 7. */
static inline void put(__m256i groups, uint8_t *to, bytes *any)
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    bytes plane = (bytes)_mm256_permutevar8x32_epi32(groups, order);

    memcpy(to, &plane, sizeof plane);
    *any |= plane;
}

static inline void split_span(const uint8_t *from, uint8_t *const to[4],
                              size_t at, bytes any[4])
{
    for (const uint8_t *end = from + 4 * SPAN; from < end; from += 128) {
        __m256i a = load_by_channel(from), b = load_by_channel(from + 32);
        __m256i c = load_by_channel(from + 64), d = load_by_channel(from + 96);
        __m256i ab01 = _mm256_unpacklo_epi32(a, b);
        __m256i ab23 = _mm256_unpackhi_epi32(a, b);
        __m256i cd01 = _mm256_unpacklo_epi32(c, d);
        __m256i cd23 = _mm256_unpackhi_epi32(c, d);

        put(_mm256_unpacklo_epi64(ab01, cd01), to[0] + at, &any[0]);
        put(_mm256_unpackhi_epi64(ab01, cd01), to[1] + at, &any[1]);
        put(_mm256_unpacklo_epi64(ab23, cd23), to[2] + at, &any[2]);
        put(_mm256_unpackhi_epi64(ab23, cd23), to[3] + at, &any[3]);
        at += 32;
    }
}

#include "page/split_kernel.h"

unsigned split_samples_avx2(const uint8_t *from, uint32_t width,
                            uint8_t *const to[4], unsigned zeros)
{
    return split_line(from, width, to, zeros);
}

#else

unsigned split_samples_avx2(const uint8_t *from, uint32_t width,
                            uint8_t *const to[4], unsigned zeros)
{
    return split_samples_plain(from, width, to, zeros);
}

#endif
