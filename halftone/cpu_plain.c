/*
 * cpu_plain.c - the CPU engine's kernel for any processor: two strips at a
 * time, in what vectors the compiler may use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/cpu.h"
#include "halftone/cpu_128.h"

#if defined __ARM_NEON
#include <arm_neon.h>
#elif defined __SSE2__
#include <emmintrin.h>
#endif

typedef vec eight;

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
    uvec low = (uvec)(e * w);

    return high + high + (vec)(((low >> 14) + 1) >> 1);
}
#else
typedef int32_t wide __attribute__((vector_size(32)));

static inline vec vec_weighted(vec e, vec w)
{
    wide product =
        __builtin_convertvector(e, wide) * __builtin_convertvector(w, wide);

    product += 1 << (HT_WEIGHT_BITS - 1);
    return __builtin_convertvector(product >> HT_WEIGHT_BITS, vec);
}
#endif

static inline vec vec_top(vec a, vec b)
{
    return vec_select((vec){-1, 0, 0, 0, -1, 0, 0, 0}, a, b);
}

static inline vec vec_bottom(vec a, vec b)
{
    return vec_select((vec){0, 0, 0, -1, 0, 0, 0, -1}, a, b);
}

static inline vec vec_abs(vec a)
{
    return vec_max(a, -a);
}

static inline vec vec_to_next_strip(vec a)
{
    return __builtin_shufflevector((vec){0}, a, 0, 1, 2, 3, 8, 9, 10, 11);
}

#include "halftone/cpu_kernel.h"
#include "halftone/cpu_lay.h"

const struct ht_cpu_kernel ht_cpu_plain = {LANES / HT_CPU_ROWS, lay, run};
