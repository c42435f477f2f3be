/*
 * vec16.h - vectors of 16 numbers with AVX2, and with AVX-512's masks where
 * there are: vec.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <immintrin.h>

#include "halftone/simd/dots.h"

#define LANES 16

typedef int16_t eight __attribute__((vector_size(16)));
typedef int16_t vec __attribute__((vector_size(2 * LANES)));
typedef uint16_t uvec __attribute__((vector_size(2 * LANES)));
typedef uint8_t levels __attribute__((vector_size(2 * LANES)));

/* ---- Arithmetic --------------------------------------------------------- */

static inline vec vec_weighted(vec e, vec w)
{
    return (vec)_mm256_mulhrs_epi16((__m256i)e, (__m256i)w);
}

static inline vec vec_add_held(vec a, vec b)
{
    return (vec)_mm256_adds_epi16((__m256i)a, (__m256i)b);
}

static inline vec vec_sixteenths(vec e, int16_t n)
{
    return vec_weighted(e, (vec){0} + (int16_t)(n * 2048));
}

static inline vec vec_tone(vec sample)
{
    return (vec)_mm256_avg_epu16(_mm256_srli_epi16((__m256i)sample, 1),
                                 _mm256_setzero_si256());
}

static inline vec vec_select(vec mask, vec a, vec b)
{
#if HT_LANES == 32 /* of _mm256_blendv_epi8() gcc makes masks, three cycles    \
                      later */
    enum { FIRST_CHOOSES = 0xca };

    return (vec)_mm256_ternarylogic_epi32((__m256i)mask, (__m256i)a, (__m256i)b,
                                          FIRST_CHOOSES);
#else
    return (vec)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)mask);
#endif
}

static inline vec vec_below(vec a, vec b)
{
    return a < b;
}

static inline vec vec_min(vec a, vec b)
{
    return (vec)_mm256_min_epi16((__m256i)a, (__m256i)b);
}

static inline vec vec_max(vec a, vec b)
{
    return (vec)_mm256_max_epi16((__m256i)a, (__m256i)b);
}

static inline bool vec_any(vec a)
{
    return !_mm256_testz_si256((__m256i)a, (__m256i)a);
}

static inline levels levels_max(levels a, levels b)
{
    return (levels)_mm256_max_epu8((__m256i)a, (__m256i)b);
}

static inline levels levels_min(levels a, levels b)
{
    return (levels)_mm256_min_epu8((__m256i)a, (__m256i)b);
}

static inline levels levels_reversed(levels a)
{
    enum { HALVES_10 = 0x4e };
    const __m256i backwards = _mm256_broadcastsi128_si256(
        _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));

    return (levels)_mm256_permute4x64_epi64(
        _mm256_shuffle_epi8((__m256i)a, backwards), HALVES_10);
}

static inline uint64_t levels_top_bits(levels a)
{
    return (uint32_t)_mm256_movemask_epi8((__m256i)a);
}

static inline uvec vec_of_bytes(const uint8_t *bytes)
{
    return (uvec)_mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)bytes));
}

static inline void vec_to_bytes(uint8_t *bytes, uvec a)
{
    __m128i low = _mm256_castsi256_si128((__m256i)a);
    __m128i high = _mm256_extracti128_si256((__m256i)a, 1);

    _mm_storeu_si128((void *)bytes, _mm_packus_epi16(low, high));
}

static inline uvec vec_high(uvec a, uvec b)
{
    return (uvec)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
}

static inline uvec vec_reversed(uvec a)
{
    enum { HALVES_10 = 0x4e };
    const __m256i backwards = _mm256_broadcastsi128_si256(
        _mm_set_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));

    return (uvec)_mm256_permute4x64_epi64(
        _mm256_shuffle_epi8((__m256i)a, backwards), HALVES_10);
}

/* ---- Lanes --------------------------------------------------------------- */

static inline vec vec_join(eight a, eight b)
{
    return (vec)_mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)a),
                                        (__m128i)b, 1);
}

static inline vec vec_top(vec a, vec b)
{
    return (vec)_mm256_blend_epi16((__m256i)b, (__m256i)a, 0x11);
}

static inline vec vec_bottom(vec a, vec b)
{
    return (vec)_mm256_blend_epi16((__m256i)b, (__m256i)a, 0x88);
}

static inline vec vec_passed_down(vec a, const int16_t *first)
{
    __m256i next = _mm256_castsi128_si256(_mm_loadu_si128((const void *)first));
    __m256i upper = _mm256_permute2x128_si256((__m256i)a, next, 0x21);

    return (vec)_mm256_alignr_epi8(upper, (__m256i)a, sizeof(int16_t));
}

static inline vec vec_passed_up(vec a, const int16_t *first)
{
    __m256i before = _mm256_set1_epi16(*first);
    __m256i lower = _mm256_permute2x128_si256(before, (__m256i)a, 0x20);

    return (vec)_mm256_alignr_epi8((__m256i)a, lower, 14);
}

static inline vec load_eighths(const uint8_t *lane, ptrdiff_t step)
{
    __m128i low = _mm_loadu_si128((const void *)lane);
    __m128i high = _mm_loadu_si128((const void *)(lane + 8 * step));

    return (vec)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline vec low_bytes(vec a, vec b)
{
    return (vec)_mm256_unpacklo_epi8((__m256i)a, (__m256i)b);
}

static inline vec high_bytes(vec a, vec b)
{
    return (vec)_mm256_unpackhi_epi8((__m256i)a, (__m256i)b);
}

static inline vec low_words(vec a, vec b)
{
    return (vec)_mm256_unpacklo_epi16((__m256i)a, (__m256i)b);
}

static inline vec high_words(vec a, vec b)
{
    return (vec)_mm256_unpackhi_epi16((__m256i)a, (__m256i)b);
}

static inline vec low_pairs(vec a, vec b)
{
    return (vec)_mm256_unpacklo_epi32((__m256i)a, (__m256i)b);
}

static inline vec high_pairs(vec a, vec b)
{
    return (vec)_mm256_unpackhi_epi32((__m256i)a, (__m256i)b);
}

/* Each strip is a quarter of a vector. */
enum { FOUR_OF_LAST = 0xff, QUARTERS_0012 = 0x90 };

#if HT_LANES == 32
static inline vec strips_after(vec a, vec b)
{
    return (vec)_mm256_alignr_epi64((__m256i)b, (__m256i)a, 3);
}

static inline vec strips_behind(vec a, vec b)
{
    return (vec)_mm256_mask_permutex_epi64((__m256i)a, 0xe, (__m256i)b,
                                           QUARTERS_0012);
}

static inline vec strips_around(vec a, vec b)
{
    return (vec)_mm256_mask_permutex_epi64((__m256i)b, 1, (__m256i)a,
                                           FOUR_OF_LAST);
}
#else
static inline vec strips_after(vec a, vec b)
{
    __m256i middle = _mm256_permute2x128_si256((__m256i)a, (__m256i)b, 0x21);

    return (vec)_mm256_alignr_epi8((__m256i)b, middle, 8);
}

static inline vec strips_behind(vec a, vec b)
{
    __m256i behind = _mm256_permute4x64_epi64((__m256i)b, QUARTERS_0012);

    return (vec)_mm256_blend_epi32(behind, (__m256i)a, 3);
}

static inline vec strips_around(vec a, vec b)
{
    __m256i last = _mm256_permute4x64_epi64((__m256i)a, FOUR_OF_LAST);

    return (vec)_mm256_blend_epi32((__m256i)b, last, 3);
}
#endif

#include "halftone/simd/masks.h"
