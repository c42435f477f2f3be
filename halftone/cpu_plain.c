/*
 * cpu_plain.c - the CPU engine's kernel for any processor: two strips at a
 * time, in what vectors the compiler may use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/cpu.h"

#if defined __ARM_NEON
#include <arm_neon.h>
#elif defined __SSE2__
#include <emmintrin.h>
#endif

#define LANES 8

typedef int16_t eight __attribute__((vector_size(16)));
typedef uint16_t words __attribute__((vector_size(16)));
typedef eight vec;

/* Strip 0 and strip 1. */
typedef int16_t half __attribute__((vector_size(8)));
typedef int32_t four __attribute__((vector_size(16)));
typedef struct {
    four strip[2];
} wide;

static inline vec vec_join(half a, half b)
{
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline wide wide_from(vec a)
{
    half low = __builtin_shufflevector(a, a, 0, 1, 2, 3);
    half high = __builtin_shufflevector(a, a, 4, 5, 6, 7);

    return (wide){{__builtin_convertvector(low, four),
                   __builtin_convertvector(high, four)}};
}

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
    words low = (words)(e * w);

    return high + high + (vec)(((low >> 14) + 1) >> 1);
}
#else
static inline half weighted_half(four e, four w)
{
    four product = e * w + (1 << (HT_WEIGHT_BITS - 1));

    return __builtin_convertvector(product >> HT_WEIGHT_BITS, half);
}

static inline vec vec_weighted(vec e, vec w)
{
    wide a = wide_from(e), b = wide_from(w);

    return vec_join(weighted_half(a.strip[0], b.strip[0]),
                    weighted_half(a.strip[1], b.strip[1]));
}
#endif

static inline vec vec_select(vec mask, vec a, vec b)
{
    return (a & mask) | (b & ~mask);
}

static inline vec vec_top(vec a, vec b)
{
    return vec_select((vec){-1, 0, 0, 0, -1, 0, 0, 0}, a, b);
}

static inline vec vec_bottom(vec a, vec b)
{
    return vec_select((vec){0, 0, 0, -1, 0, 0, 0, -1}, a, b);
}

static inline vec vec_min(vec a, vec b)
{
    return vec_select(a < b, a, b);
}

static inline vec vec_max(vec a, vec b)
{
    return vec_select(a > b, a, b);
}

static inline wide wide_load(const char *from)
{
    wide a;

    memcpy(&a.strip[0], from, sizeof a.strip[0]);
    memcpy(&a.strip[1], from + sizeof a.strip[0], sizeof a.strip[1]);
    return a;
}

static inline void wide_store(char *to, wide a)
{
    memcpy(to, &a.strip[0], sizeof a.strip[0]);
    memcpy(to + sizeof a.strip[0], &a.strip[1], sizeof a.strip[1]);
}

static inline wide wide_plus(wide a, vec b)
{
    wide c = wide_from(b);

    return (wide){{a.strip[0] + c.strip[0], a.strip[1] + c.strip[1]}};
}

static inline half held_half(four a)
{
    const four one = (four){0} + HT_ONE;
    four over = a > one, under = a < -one;
    four held = (a & ~over & ~under) | (one & over) | (-one & under);

    return __builtin_convertvector(held, half);
}

static inline vec wide_held(wide a)
{
    return vec_join(held_half(a.strip[0]), held_half(a.strip[1]));
}

static inline wide wide_to_next_strip(wide a)
{
    return (wide){{(four){0}, a.strip[0]}};
}

#if defined __ARM_NEON
static inline vec vec_plus_held(vec a, vec b)
{
    return (vec)vqaddq_s16((int16x8_t)a, (int16x8_t)b);
}
#elif defined __SSE2__
static inline vec vec_plus_held(vec a, vec b)
{
    return (vec)_mm_adds_epi16((__m128i)a, (__m128i)b);
}
#else
/* A sum has left 16 bits when its sign is neither number's. */
static inline vec vec_plus_held(vec a, vec b)
{
    vec sum = a + b, left = ((a ^ sum) & (b ^ sum)) >> 15;

    return vec_select(left, a >> 15 ^ INT16_MAX, sum);
}
#endif

static inline vec vec_to_next_strip(vec a)
{
    return __builtin_shufflevector((vec){0}, a, 0, 1, 2, 3, 8, 9, 10, 11);
}

#include "halftone/cpu_kernel.h"
#include "halftone/cpu_lay.h"

const struct ht_cpu_kernel ht_cpu_plain = {LANES / HT_CPU_ROWS, lay, run};
