/*
 * vec32.h - vectors of 32 numbers with AVX-512 with BW and VL: vec.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <immintrin.h>

#define LANES 32

typedef int16_t vec __attribute__((vector_size(2 * LANES)));
typedef uint16_t uvec __attribute__((vector_size(2 * LANES)));
typedef uint8_t levels __attribute__((vector_size(2 * LANES)));

static inline uvec vec_high(uvec a, uvec b)
{
    return (uvec)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
}

static inline vec vec_weighted(vec e, vec w)
{
    return (vec)_mm512_mulhrs_epi16((__m512i)e, (__m512i)w);
}

static inline vec vec_sixteenths(vec e, int16_t n)
{
    return vec_weighted(e, (vec){0} + (int16_t)(n * 2048));
}

static inline vec vec_tone(vec sample)
{
    return (vec)_mm512_avg_epu16(_mm512_srli_epi16((__m512i)sample, 1),
                                 _mm512_setzero_si512());
}

static inline vec vec_select(vec mask, vec a, vec b)
{
    return (vec)_mm512_ternarylogic_epi32((__m512i)mask, (__m512i)a, (__m512i)b,
                                          0xca);
}

static inline vec vec_below(vec a, vec b)
{
    return (a - b) >> 15;
}

static inline vec vec_min(vec a, vec b)
{
    return (vec)_mm512_min_epi16((__m512i)a, (__m512i)b);
}

static inline vec vec_max(vec a, vec b)
{
    return (vec)_mm512_max_epi16((__m512i)a, (__m512i)b);
}

static inline vec vec_add_held(vec a, vec b)
{
    return (vec)_mm512_adds_epi16((__m512i)a, (__m512i)b);
}

static inline bool vec_any(vec a)
{
    return _mm512_test_epi32_mask((__m512i)a, (__m512i)a) != 0;
}

static inline levels levels_max(levels a, levels b)
{
    return (levels)_mm512_max_epu8((__m512i)a, (__m512i)b);
}

static inline levels levels_min(levels a, levels b)
{
    return (levels)_mm512_min_epu8((__m512i)a, (__m512i)b);
}

static inline vec vec_passed_down(vec a, const int16_t *first)
{
    __m512i next = _mm512_castsi128_si512(_mm_loadu_si128((const void *)first));
    __m512i upper = _mm512_alignr_epi64(next, (__m512i)a, 2);

    return (vec)_mm512_alignr_epi8(upper, (__m512i)a, sizeof(int16_t));
}

static inline vec vec_passed_up(vec a, const int16_t *first)
{
    __m512i before = _mm512_set1_epi16(*first);
    __m512i lower = _mm512_alignr_epi64((__m512i)a, before, 6);

    return (vec)_mm512_alignr_epi8((__m512i)a, lower, 14);
}

static inline vec load_eighths(const uint8_t *lane, ptrdiff_t step)
{
    __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const void *)lane));

    v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(lane + 8 * step)),
                           1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(lane + 16 * step)),
                           2);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(lane + 24 * step)),
                           3);
    return (vec)v;
}

static inline vec low_bytes(vec a, vec b)
{
    return (vec)_mm512_unpacklo_epi8((__m512i)a, (__m512i)b);
}

static inline vec high_bytes(vec a, vec b)
{
    return (vec)_mm512_unpackhi_epi8((__m512i)a, (__m512i)b);
}

static inline vec low_words(vec a, vec b)
{
    return (vec)_mm512_unpacklo_epi16((__m512i)a, (__m512i)b);
}

static inline vec high_words(vec a, vec b)
{
    return (vec)_mm512_unpackhi_epi16((__m512i)a, (__m512i)b);
}

static inline vec low_pairs(vec a, vec b)
{
    return (vec)_mm512_unpacklo_epi32((__m512i)a, (__m512i)b);
}

static inline vec high_pairs(vec a, vec b)
{
    return (vec)_mm512_unpackhi_epi32((__m512i)a, (__m512i)b);
}

/* ---- Masks --------------------------------------------------------------- */

typedef __mmask32 mask;

static inline mask mask_greater(vec a, vec b)
{
    return _mm512_cmpgt_epi16_mask((__m512i)a, (__m512i)b);
}

static inline mask mask_negative(vec a)
{
    return _mm512_movepi16_mask((__m512i)a);
}

static inline vec vec_plus_where(mask m, vec a, vec b)
{
    return (vec)_mm512_mask_add_epi16((__m512i)a, m, (__m512i)a, (__m512i)b);
}

static inline vec vec_minus_where(mask m, vec a, vec b)
{
    return (vec)_mm512_mask_sub_epi16((__m512i)a, m, (__m512i)a, (__m512i)b);
}
