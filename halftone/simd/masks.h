/*
 * masks.h - which lanes of a vector of 8 or 16 numbers: vec.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#if LANES == 16 && HT_LANES == 32 /* AVX-512 with BW and VL */
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

#else

typedef vec mask; /* -1 in some lanes, 0 in the others */

static inline mask mask_equal(vec a, vec b)
{
    return a == b;
}

static inline mask mask_greater(vec a, vec b)
{
    return a > b;
}

static inline mask mask_negative(vec a)
{
    return a >> 15;
}

static inline vec vec_plus_where(mask m, vec a, vec b)
{
    return a + (b & m);
}

static inline vec vec_minus_where(mask m, vec a, vec b)
{
    return a - (b & m);
}

#endif
