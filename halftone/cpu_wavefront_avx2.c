/*
 * cpu_wavefront_avx2.c - the Floyd-Steinberg kernel for AVX2: 16 rows at a
 * time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/cpu_wavefront.h"

#ifdef __AVX2__
#include "halftone/cpu_256.h"

typedef uint16_t uvec __attribute__((vector_size(2 * LANES)));

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
    return (vec)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)mask);
}

static inline bool vec_any(vec a)
{
    return !_mm256_testz_si256((__m256i)a, (__m256i)a);
}

static inline vec vec_passed_down(vec a, const int16_t *first)
{
    __m256i next = _mm256_castsi128_si256(_mm_loadu_si128((const void *)first));
    __m256i upper = _mm256_permute2x128_si256((__m256i)a, next, 0x21);

    return (vec)_mm256_alignr_epi8(upper, (__m256i)a, sizeof(int16_t));
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

#include "halftone/cpu_wavefront_kernel.h"

const struct ht_wavefront_kernel ht_wavefront_avx2 = {LANES, run};

#else

const struct ht_wavefront_kernel ht_wavefront_avx2 = {0, NULL};

#endif
