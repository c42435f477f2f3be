/*
 * cpu_avx2.c - the CPU engine's kernel for AVX2: four strips at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/cpu.h"

#ifdef __AVX2__
#include <immintrin.h>

#define LANES 16

typedef int16_t eight __attribute__((vector_size(16)));
typedef int16_t vec __attribute__((vector_size(2 * LANES)));

static inline vec vec_join(eight a, eight b)
{
    return (vec)_mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)a),
                                        (__m128i)b, 1);
}

static inline vec vec_weighted(vec e, vec w)
{
    return (vec)_mm256_mulhrs_epi16((__m256i)e, (__m256i)w);
}

static inline vec vec_min(vec a, vec b)
{
    return (vec)_mm256_min_epi16((__m256i)a, (__m256i)b);
}

static inline vec vec_max(vec a, vec b)
{
    return (vec)_mm256_max_epi16((__m256i)a, (__m256i)b);
}

static inline vec vec_top(vec a, vec b)
{
    return (vec)_mm256_blend_epi16((__m256i)b, (__m256i)a, 0x11);
}

static inline vec vec_bottom(vec a, vec b)
{
    return (vec)_mm256_blend_epi16((__m256i)b, (__m256i)a, 0x88);
}

/* Unpacking takes the lower four lanes of each half, strips 0 and 2, and the
 * upper ones, strips 1 and 3. */
typedef struct {
    __m256i even, odd;
} wide;

static inline wide wide_load(const char *from)
{
    const __m256i *half = (const __m256i *)(const void *)from;

    return (wide){_mm256_load_si256(half), _mm256_load_si256(half + 1)};
}

static inline void wide_store(char *to, wide a)
{
    __m256i *half = (__m256i *)(void *)to;

    _mm256_store_si256(half, a.even);
    _mm256_store_si256(half + 1, a.odd);
}

static inline wide wide_plus(wide a, vec b)
{
    __m256i sign = (__m256i)(b >> 15);

    return (wide){
        _mm256_add_epi32(a.even, _mm256_unpacklo_epi16((__m256i)b, sign)),
        _mm256_add_epi32(a.odd, _mm256_unpackhi_epi16((__m256i)b, sign))};
}

static inline vec wide_held(wide a)
{
    const vec one = (vec){0} + HT_ONE;

    return vec_max(vec_min((vec)_mm256_packs_epi32(a.even, a.odd), one), -one);
}

static inline vec vec_plus_held(vec a, vec b)
{
    return (vec)_mm256_adds_epi16((__m256i)a, (__m256i)b);
}

enum { ZERO_AND_LOWER_HALF = 0x08 };

static inline vec vec_to_next_strip(vec a)
{
    __m256i lower =
        _mm256_permute2x128_si256((__m256i)a, (__m256i)a, ZERO_AND_LOWER_HALF);

    return (vec)_mm256_alignr_epi8((__m256i)a, lower, 8);
}

static inline wide wide_to_next_strip(wide a)
{
    return (wide){_mm256_permute2x128_si256(a.odd, a.odd, ZERO_AND_LOWER_HALF),
                  a.even};
}

#include "halftone/cpu_kernel.h"
#include "halftone/cpu_lay.h"

const struct ht_cpu_kernel ht_cpu_avx2 = {LANES / HT_CPU_ROWS, lay, run};

#else

const struct ht_cpu_kernel ht_cpu_avx2 = {0, NULL, NULL};

#endif
