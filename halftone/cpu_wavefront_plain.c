/*
 * cpu_wavefront_plain.c - the Floyd-Steinberg kernel for any processor: eight
 * rows at a time, in what vectors the compiler may use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/cpu_wavefront.h"
#include "halftone/cpu_128.h"

typedef uint8_t bytes __attribute__((vector_size(2 * LANES)));

/* By element: compilers know this as a vector multiplication. */
static inline vec vec_weighted(vec e, vec w)
{
    int16_t a[LANES], b[LANES];

    memcpy(a, &e, sizeof a);
    memcpy(b, &w, sizeof b);
    for (unsigned k = 0; k < LANES; k++)
        a[k] = (int16_t)((a[k] * b[k] + (1 << (HT_WEIGHT_BITS - 1))) >>
                         HT_WEIGHT_BITS);
    memcpy(&e, a, sizeof e);
    return e;
}

/* In 16 bits, which 7 e would leave. */
static inline vec vec_sixteenths(vec e, int16_t n)
{
    return (e >> 4) * n + (((e & 15) * n + 8) >> 4);
}

static inline vec vec_tone(vec sample)
{
    return (vec)((((uvec)sample >> 1) + 1) >> 1);
}

static inline bool vec_any(vec a)
{
    uint64_t half[2];

    memcpy(half, &a, sizeof half);
    return (half[0] | half[1]) != 0;
}

static inline vec vec_passed_down(vec a, const int16_t *first)
{
    a = __builtin_shufflevector(a, (vec){0}, 1, 2, 3, 4, 5, 6, 7, 8);
    a[LANES - 1] = *first;
    return a;
}

static inline vec load_eighths(const uint8_t *lane, ptrdiff_t step)
{
    vec row;

    (void)step;
    memcpy(&row, lane, sizeof row);
    return row;
}

static inline vec low_bytes(vec a, vec b)
{
    return (vec)__builtin_shufflevector((bytes)a, (bytes)b, 0, 16, 1, 17, 2, 18,
                                        3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline vec high_bytes(vec a, vec b)
{
    return (vec)__builtin_shufflevector((bytes)a, (bytes)b, 8, 24, 9, 25, 10,
                                        26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                        31);
}

static inline vec low_words(vec a, vec b)
{
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

static inline vec high_words(vec a, vec b)
{
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

#include "halftone/cpu_wavefront_kernel.h"

const struct ht_wavefront_kernel ht_wavefront_plain = {LANES, run};
