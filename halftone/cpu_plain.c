/*
 * cpu_plain.c - the CPU engine's kernel for any processor: two strips at a
 * time, in what vectors the compiler may use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/cpu.h"

#define LANES 8

typedef int16_t eight __attribute__((vector_size(16)));
typedef eight vec;
typedef int32_t wide __attribute__((vector_size(4 * LANES)));

static inline vec vec_weighted(vec e, vec w)
{
    wide p =
        __builtin_convertvector(e, wide) * __builtin_convertvector(w, wide);

    return __builtin_convertvector(
        (p + (1 << (HT_WEIGHT_BITS - 1))) >> HT_WEIGHT_BITS, vec);
}

static inline vec vec_select(vec mask, vec a, vec b)
{
    return (a & mask) | (b & ~mask);
}

static inline vec vec_min(vec a, vec b)
{
    return vec_select(a < b, a, b);
}

static inline vec vec_max(vec a, vec b)
{
    return vec_select(a > b, a, b);
}

static inline wide wide_load(const int32_t *from)
{
    wide a;

    memcpy(&a, from, sizeof a);
    return a;
}

static inline void wide_store(int32_t *to, wide a)
{
    memcpy(to, &a, sizeof a);
}

static inline wide wide_plus(wide a, vec b)
{
    return a + __builtin_convertvector(b, wide);
}

static inline vec wide_held(wide a)
{
    const wide one = (wide){0} + HT_ONE;
    wide over = a > one, under = a < -one;
    wide held = (a & ~over & ~under) | (one & over) | (-one & under);

    return __builtin_convertvector(held, vec);
}

static inline wide wide_to_next_strip(wide a)
{
    const wide none = {0};

    return __builtin_shufflevector(none, a, 0, 1, 2, 3, 8, 9, 10, 11);
}

#include "halftone/cpu_kernel.h"

const struct ht_cpu_kernel ht_cpu_plain = {LANES / HT_CPU_ROWS, run};
