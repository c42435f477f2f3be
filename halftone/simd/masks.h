/*
 * masks.h - masks of the lanes of a vector of 8 or 16 numbers: vec.h.
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

static inline mask mask_none(void)
{
    return 0;
}

static inline mask mask_has(vec a, int16_t bits)
{
    return _mm256_test_epi16_mask((__m256i)a, _mm256_set1_epi16(bits));
}

static inline vec vec_where(mask m, vec a)
{
    return (vec)_mm256_maskz_mov_epi16(m, (__m256i)a);
}

static inline vec vec_blend(mask m, vec a, vec b)
{
    return (vec)_mm256_mask_blend_epi16(m, (__m256i)b, (__m256i)a);
}

static inline vec vec_plus_where(mask m, vec a, vec b)
{
    return (vec)_mm256_mask_add_epi16((__m256i)a, m, (__m256i)a, (__m256i)b);
}

static inline vec vec_minus_where(mask m, vec a, vec b)
{
    return (vec)_mm256_mask_sub_epi16((__m256i)a, m, (__m256i)a, (__m256i)b);
}

static inline vec vec_add_held_where(mask m, vec a, vec b)
{
    return (vec)_mm256_mask_adds_epi16((__m256i)a, m, (__m256i)a, (__m256i)b);
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

static inline mask mask_none(void)
{
    return (mask){0};
}

static inline mask mask_has(vec a, int16_t bits)
{
    return (a & bits) != 0;
}

static inline vec vec_where(mask m, vec a)
{
    return a & m;
}

static inline vec vec_blend(mask m, vec a, vec b)
{
    return vec_select(m, a, b);
}

static inline vec vec_plus_where(mask m, vec a, vec b)
{
    return a + (b & m);
}

static inline vec vec_minus_where(mask m, vec a, vec b)
{
    return a - (b & m);
}

static inline vec vec_add_held_where(mask m, vec a, vec b)
{
    return vec_add_held(a, b & m);
}

#endif
