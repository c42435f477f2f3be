/*
 * cpu_256.h - vectors of 16 numbers with AVX2, for cpu_kernel.h and
 * cpu_wavefront_kernel.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
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

static inline vec vec_abs(vec a)
{
    return (vec)_mm256_abs_epi16((__m256i)a);
}

static inline vec vec_top(vec a, vec b)
{
    return (vec)_mm256_blend_epi16((__m256i)b, (__m256i)a, 0x11);
}

static inline vec vec_bottom(vec a, vec b)
{
    return (vec)_mm256_blend_epi16((__m256i)b, (__m256i)a, 0x88);
}

enum { ZERO_AND_LOWER_HALF = 0x08 };

static inline vec vec_to_next_strip(vec a)
{
    __m256i lower =
        _mm256_permute2x128_si256((__m256i)a, (__m256i)a, ZERO_AND_LOWER_HALF);

    return (vec)_mm256_alignr_epi8((__m256i)a, lower, 8);
}
