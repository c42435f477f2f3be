/*
 * cpu_avx512.c - the CPU engine's kernel for AVX-512 with BW and VL: four
 * strips at a time, as with AVX2, but masks and twice the registers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/cpu.h"

#if defined __AVX512BW__ && defined __AVX512VL__
#include "halftone/cpu_256.h"

#define MASKS

typedef __mmask16 mask;

static inline mask mask_equal(vec a, vec b)
{
    return _mm256_cmpeq_epi16_mask((__m256i)a, (__m256i)b);
}

static inline mask mask_greater(vec a, vec b)
{
    return _mm256_cmpgt_epi16_mask((__m256i)a, (__m256i)b);
}

static inline mask mask_negative(vec a)
{
    return _mm256_movepi16_mask((__m256i)a);
}

static inline vec vec_plus_where(mask m, vec a, vec b)
{
    return (vec)_mm256_mask_add_epi16((__m256i)a, m, (__m256i)a, (__m256i)b);
}

static inline vec vec_minus_where(mask m, vec a, vec b)
{
    return (vec)_mm256_mask_sub_epi16((__m256i)a, m, (__m256i)a, (__m256i)b);
}

#include "halftone/cpu_kernel.h"
#include "halftone/cpu_lay.h"

const struct ht_cpu_kernel ht_cpu_avx512 = {LANES / HT_CPU_ROWS, lay, run};

#else

const struct ht_cpu_kernel ht_cpu_avx512 = {0, NULL, NULL};

#endif
