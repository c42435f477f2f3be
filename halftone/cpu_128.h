/*
 * cpu_128.h - vectors of eight numbers in what the compiler may use, for
 * cpu_kernel.h and cpu_wavefront_kernel.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdint.h>

#define LANES 8

typedef int16_t vec __attribute__((vector_size(2 * LANES)));
typedef uint16_t uvec __attribute__((vector_size(2 * LANES)));

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
