/*
 * dots.h - vectors of 16 bytes, and 64 dots in a word.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_SIMD_DOTS_H
#define HT_SIMD_DOTS_H

#include <stdint.h>
#include <string.h>

#if defined __SSE2__
#include <emmintrin.h>
#endif

typedef uint8_t ht_bytes __attribute__((vector_size(16)));
typedef uint16_t ht_words __attribute__((vector_size(16)));

/* Returns the words in reverse order: in two steps, for which processors have
 * instructions. */
static inline ht_words ht_reversed(ht_words v)
{
    v = __builtin_shufflevector(v, v, 3, 2, 1, 0, 7, 6, 5, 4);
    return __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
}

/* Returns 16 dots of four bits in reverse order. */
static inline uint64_t ht_mirrored_fours(uint64_t v)
{
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(v);
}

/* Returns 32 dots of two bits in reverse order. */
static inline uint64_t ht_mirrored_pairs(uint64_t v)
{
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    return ht_mirrored_fours(v);
}

/* Returns 64 dots in reverse order. */
static inline uint64_t ht_mirrored(uint64_t v)
{
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    return ht_mirrored_pairs(v);
}

/* Returns 32 dots of one bit as dots of two, 0 or 1. */
static inline uint64_t ht_pairs(uint32_t dots)
{
    uint64_t v = dots;

    v = (v | v << 16) & 0x0000ffff0000ffff;
    v = (v | v << 8) & 0x00ff00ff00ff00ff;
    v = (v | v << 4) & 0x0f0f0f0f0f0f0f0f;
    v = (v | v << 2) & 0x3333333333333333;
    return (v | v << 1) & 0x5555555555555555;
}

/* Returns 16 dots of four bits as dots of three in the top 48 bits. */
static inline uint64_t ht_threes_of_fours(uint64_t v)
{
    v = (v >> 1 & 0x3838383838383838) | (v & 0x0707070707070707);
    v = (v >> 2 & 0x0fc00fc00fc00fc0) | (v & 0x003f003f003f003f);
    v = (v >> 4 & 0x00fff00000fff000) | (v & 0x00000fff00000fff);
    return (v >> 32 << 40) | (v & 0xffffff) << 16;
}

/* Writes 64 bits of dots, the leftmost in the top bits, to eight bytes of a
 * row. */
static inline void ht_dots_to_bytes(uint8_t *bytes, uint64_t dots)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    dots = __builtin_bswap64(dots);
#endif
    memcpy(bytes, &dots, sizeof dots);
}

/* Writes 16 dots of four bits, the leftmost in the top bits, to six bytes of a
 * row as dots of three. */
static inline void ht_put_threes(uint8_t *bytes, uint64_t fours)
{
    uint8_t packed[8];

    ht_dots_to_bytes(packed, ht_threes_of_fours(fours));
    memcpy(bytes, packed, 6);
}

/* Returns the top bits of 16 bytes, the first in the lowest bit. */
static inline uint64_t ht_top_bits(ht_bytes v)
{
#if defined __SSE2__
    return (uint64_t)_mm_movemask_epi8((__m128i)v);
#else
    const uint64_t top = 0x8080808080808080, gather = 0x0002040810204081;
    uint64_t half[2];

    memcpy(half, &v, sizeof half);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    half[0] = __builtin_bswap64(half[0]);
    half[1] = __builtin_bswap64(half[1]);
#endif
    return ((half[0] & top) * gather) >> 56 |
           ((half[1] & top) * gather) >> 56 << 8;
#endif
}

/* Joins two vectors of masks, each element 0 or 65535, to one of bytes, 0 or
 * 255. */
static inline ht_bytes ht_join_masks(ht_words first, ht_words second)
{
#if defined __SSE2__
    return (ht_bytes)_mm_packs_epi16((__m128i)first, (__m128i)second);
#else
    typedef uint8_t half __attribute__((vector_size(8)));
    half a = __builtin_convertvector(first, half);
    half b = __builtin_convertvector(second, half);
    ht_bytes joined;

    memcpy(&joined, &a, sizeof a);
    memcpy((uint8_t *)&joined + sizeof a, &b, sizeof b);
    return joined;
#endif
}

/* Packs 64 bytes, each 0..3, to two bits each, the first in the top bits. */
static inline ht_bytes ht_packed_pairs(const ht_bytes v[4])
{
#if defined __SSE2__
    /* For four bytes a to d, as two words, this sum has 64 a + 16 b + 4 c + d
     * in bits 8 to 15, and nothing is carried into these. */
    const __m128i places = _mm_set1_epi32(1025 << 16 | 16400);
    const __m128i low = _mm_set1_epi32(255);
    __m128i four[4];

#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        four[i] = _mm_and_si128(
            _mm_srli_epi32(_mm_madd_epi16((__m128i)v[i], places), 8), low);
    return (ht_bytes)_mm_packus_epi16(_mm_packs_epi32(four[0], four[1]),
                                      _mm_packs_epi32(four[2], four[3]));
#else
    const uint8_t *from = (const uint8_t *)v;
    ht_bytes packed;

    for (int i = 0; i < 16; i++)
        packed[i] = (uint8_t)(from[4 * i] << 6 | from[4 * i + 1] << 4 |
                              from[4 * i + 2] << 2 | from[4 * i + 3]);
    return packed;
#endif
}

#endif
