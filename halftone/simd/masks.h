/*
 * masks.h - which lanes of a vector: vec.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#if LANES >= 16 && HT_LANES == 32 /* AVX-512 with BW and VL */
#define MASKS

#if LANES == 32
typedef __mmask32 mask;
typedef __m512i lanes_of_mask;
#define OF_LANES(name) _mm512_##name
#else
typedef __mmask16 mask;
typedef __m256i lanes_of_mask;
#define OF_LANES(name) _mm256_##name
#endif

static inline mask mask_equal(vec a, vec b)
{
    return OF_LANES(cmpeq_epi16_mask)((lanes_of_mask)a, (lanes_of_mask)b);
}

static inline mask mask_greater(vec a, vec b)
{
    return OF_LANES(cmpgt_epi16_mask)((lanes_of_mask)a, (lanes_of_mask)b);
}

static inline mask mask_negative(vec a)
{
    return OF_LANES(movepi16_mask)((lanes_of_mask)a);
}

static inline mask mask_none(void)
{
    return 0;
}

static inline mask mask_has(vec a, int16_t bits)
{
    return OF_LANES(test_epi16_mask)((lanes_of_mask)a,
                                     OF_LANES(set1_epi16)(bits));
}

static inline vec vec_where(mask m, vec a)
{
    return (vec)OF_LANES(maskz_mov_epi16)(m, (lanes_of_mask)a);
}

static inline vec vec_blend(mask m, vec a, vec b)
{
    return (vec)OF_LANES(mask_blend_epi16)(m, (lanes_of_mask)b,
                                           (lanes_of_mask)a);
}

static inline vec vec_plus_where(mask m, vec a, vec b)
{
    return (vec)OF_LANES(mask_add_epi16)((lanes_of_mask)a, m, (lanes_of_mask)a,
                                         (lanes_of_mask)b);
}

static inline vec vec_minus_where(mask m, vec a, vec b)
{
    return (vec)OF_LANES(mask_sub_epi16)((lanes_of_mask)a, m, (lanes_of_mask)a,
                                         (lanes_of_mask)b);
}

static inline vec vec_add_held_where(mask m, vec a, vec b)
{
    return (vec)OF_LANES(mask_adds_epi16)((lanes_of_mask)a, m, (lanes_of_mask)a,
                                          (lanes_of_mask)b);
}

#undef OF_LANES

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
