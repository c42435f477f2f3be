/*
 * vec8.h - vectors of eight numbers, in what the compiler may use of any
 * processor: vec.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#if defined __ARM_NEON
#include <arm_neon.h>
#elif defined __SSE2__
#include <emmintrin.h>
#endif

#include "halftone/simd/dots.h"

#define LANES 8

typedef int16_t vec __attribute__((vector_size(2 * LANES)));
typedef uint16_t uvec __attribute__((vector_size(2 * LANES)));
typedef uint8_t levels __attribute__((vector_size(2 * LANES)));
typedef vec eight;

/* ---- Arithmetic --------------------------------------------------------- */

#if defined __ARM_NEON
static inline vec vec_weighted(vec e, vec w)
{
    return (vec)vqrdmulhq_s16((int16x8_t)e, (int16x8_t)w);
}
#elif defined __SSE2__
/* From the two halves of the product. */
static inline vec vec_weighted(vec e, vec w)
{
    vec high = (vec)_mm_mulhi_epi16((__m128i)e, (__m128i)w);
    uvec low = (uvec)e * (uvec)w;

    return high + high + (vec)(((low >> 14) + 1) >> 1);
}
#else
static inline vec vec_weighted(vec e, vec w)
{
    typedef int32_t wide __attribute__((vector_size(4 * LANES)));
    wide product =
        __builtin_convertvector(e, wide) * __builtin_convertvector(w, wide);

    product += 1 << 14;
    return __builtin_convertvector(product >> 15, vec);
}
#endif

/* In 16 bits, which 7 e would leave. */
static inline vec vec_sixteenths(vec e, int16_t n)
{
    return (e >> 4) * n + (((e & 15) * n + 8) >> 4);
}

static inline vec vec_tone(vec sample)
{
    return (vec)((((uvec)sample >> 1) + 1) >> 1);
}

static inline vec vec_select(vec mask, vec a, vec b)
{
    return (a & mask) | (b & ~mask);
}

#if defined __ARM_NEON
static inline vec vec_add_held(vec a, vec b)
{
    return (vec)vqaddq_s16((int16x8_t)a, (int16x8_t)b);
}
#elif defined __SSE2__
static inline vec vec_add_held(vec a, vec b)
{
    return (vec)_mm_adds_epi16((__m128i)a, (__m128i)b);
}
#else
/* The sum has overflowed where both have another sign than it. */
static inline vec vec_add_held(vec a, vec b)
{
    vec sum = (vec)((uvec)a + (uvec)b);
    vec overflown = ((a ^ sum) & (b ^ sum)) >> 15;

    return vec_select(overflown, (sum >> 15) ^ INT16_MIN, sum);
}
#endif

static inline vec vec_below(vec a, vec b)
{
    return a < b;
}

static inline vec vec_min(vec a, vec b)
{
#if defined __SSE2__
    return (vec)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
    return vec_select(a < b, a, b);
#endif
}

static inline vec vec_max(vec a, vec b)
{
#if defined __SSE2__
    return (vec)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    return vec_select(a > b, a, b);
#endif
}

static inline bool vec_any(vec a)
{
    uint64_t half[2];

    memcpy(half, &a, sizeof half);
    return (half[0] | half[1]) != 0;
}

static inline levels levels_max(levels a, levels b)
{
#if defined __SSE2__
    return (levels)_mm_max_epu8((__m128i)a, (__m128i)b);
#elif defined __ARM_NEON
    return (levels)vmaxq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
    levels first = (levels)(a > b);

    return (a & first) | (b & ~first);
#endif
}

static inline levels levels_min(levels a, levels b)
{
#if defined __SSE2__
    return (levels)_mm_min_epu8((__m128i)a, (__m128i)b);
#elif defined __ARM_NEON
    return (levels)vminq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
    return ~levels_max(~a, ~b);
#endif
}

static inline levels levels_reversed(levels a)
{
    ht_words words = ht_reversed((ht_words)a);

    return (levels)(words >> 8 | words << 8);
}

static inline uint64_t levels_top_bits(levels a)
{
    return ht_top_bits(a);
}

static inline uvec vec_of_bytes(const uint8_t *bytes)
{
    typedef uint8_t half __attribute__((vector_size(LANES)));
    half b;

    memcpy(&b, bytes, sizeof b);
    return __builtin_convertvector(b, uvec);
}

static inline void vec_to_bytes(uint8_t *bytes, uvec a)
{
#if defined __SSE2__
    _mm_storel_epi64((void *)bytes, _mm_packus_epi16((__m128i)a, (__m128i)a));
#else
    typedef uint8_t narrow __attribute__((vector_size(LANES)));
    narrow b = __builtin_convertvector(a, narrow);

    memcpy(bytes, &b, sizeof b);
#endif
}

static inline uvec vec_high(uvec a, uvec b)
{
#if defined __SSE2__
    return (uvec)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#else
    typedef uint32_t wide __attribute__((vector_size(4 * LANES)));
    wide product =
        __builtin_convertvector(a, wide) * __builtin_convertvector(b, wide);

    return __builtin_convertvector(product >> 16, uvec);
#endif
}

static inline uvec vec_reversed(uvec a)
{
    return ht_reversed(a);
}

/* ---- Lanes --------------------------------------------------------------- */

static inline vec vec_top(vec a, vec b)
{
    return vec_select((vec){-1, 0, 0, 0, -1, 0, 0, 0}, a, b);
}

static inline vec vec_bottom(vec a, vec b)
{
    return vec_select((vec){0, 0, 0, -1, 0, 0, 0, -1}, a, b);
}

static inline vec vec_passed_down(vec a, const int16_t *first)
{
    a = __builtin_shufflevector(a, (vec){0}, 1, 2, 3, 4, 5, 6, 7, 8);
    a[LANES - 1] = *first;
    return a;
}

static inline vec vec_passed_up(vec a, const int16_t *first)
{
    a = __builtin_shufflevector((vec){0}, a, 0, 8, 9, 10, 11, 12, 13, 14);
    a[0] = *first;
    return a;
}

static inline vec load_eighths(const uint8_t *lane, ptrdiff_t step)
{
    vec row;

    (void)step;
    memcpy(&row, lane, sizeof row);
    return row;
}

static inline vec low_bytes(vec a, vec b)
{
    return (vec)__builtin_shufflevector((levels)a, (levels)b, 0, 16, 1, 17, 2,
                                        18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline vec high_bytes(vec a, vec b)
{
    return (vec)__builtin_shufflevector((levels)a, (levels)b, 8, 24, 9, 25, 10,
                                        26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                        31);
}

static inline vec low_words(vec a, vec b)
{
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

static inline vec high_words(vec a, vec b)
{
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

static inline vec low_pairs(vec a, vec b)
{
    return __builtin_shufflevector(a, b, 0, 1, 8, 9, 2, 3, 10, 11);
}

static inline vec high_pairs(vec a, vec b)
{
    return __builtin_shufflevector(a, b, 4, 5, 12, 13, 6, 7, 14, 15);
}

static inline vec strips_after(vec a, vec b)
{
    return __builtin_shufflevector(a, b, 4, 5, 6, 7, 8, 9, 10, 11);
}

static inline vec strips_behind(vec a, vec b)
{
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
}

static inline vec strips_around(vec a, vec b)
{
    return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

#include "halftone/simd/masks.h"
