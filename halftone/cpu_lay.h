/*
 * cpu_lay.h - samples to a tape of the CPU engine, included once an
 * instruction set, behind cpu_kernel.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "halftone/cpu.h"

#define AT_ONCE 16 /* columns */

typedef uint8_t levels __attribute__((vector_size(AT_ONCE)));
typedef uint16_t indices __attribute__((vector_size(2 * AT_ONCE)));

#if LANES == 16 /* AVX2 */
static inline indices widened(levels v)
{
    return (indices)_mm256_cvtepu8_epi16((__m128i)v);
}

static inline indices mirrored_indices(indices v)
{
    return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5,
                                   4, 3, 2, 1, 0);
}
#else
static inline indices widened(levels v)
{
    return __builtin_convertvector(v, indices);
}

typedef uint16_t half_indices __attribute__((vector_size(AT_ONCE)));

/* In two steps, for which processors have instructions. */
static inline half_indices mirrored_half(half_indices v)
{
    v = __builtin_shufflevector(v, v, 3, 2, 1, 0, 7, 6, 5, 4);
    return __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
}

static inline indices mirrored_indices(indices v)
{
    struct {
        half_indices left, right;
    } h, m;

    memcpy(&h, &v, sizeof h);
    m.left = mirrored_half(h.right);
    m.right = mirrored_half(h.left);
    memcpy(&v, &m, sizeof v);
    return v;
}
#endif

static inline levels larger(levels a, levels b)
{
#if defined __SSE2__
    return (levels)_mm_max_epu8((__m128i)a, (__m128i)b);
#elif defined __ARM_NEON
    return (levels)vmaxq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
    levels first = (levels)(a > b);

    return (a & first) | (b & ~first);
#endif
}

static inline indices look_up(const uint8_t *level, const uint16_t *pattern,
                              levels *extreme)
{
    levels l;
    indices extra;

    memcpy(&l, level, sizeof l);
    memcpy(&extra, pattern, sizeof extra);
    *extreme = larger(*extreme, larger(l, ~l));
    return widened(l) * HT_CPU_LEVEL + extra;
}

static inline uint8_t largest(levels v)
{
    uint8_t byte[AT_ONCE], most = 0;

    memcpy(byte, &v, sizeof byte);
    for (unsigned i = 0; i < AT_ONCE; i++)
        most = byte[i] > most ? byte[i] : most;
    return most;
}

/* ht_cpu_kernel.lay */
static uint8_t lay(uint16_t *index, const uint8_t *level,
                   const uint16_t *pattern, uint32_t at, uint32_t count,
                   bool mirrored)
{
    levels extreme = {0};
    uint32_t i = 0;

    pattern += at % HT_PATTERN_SIZE;
    for (; !mirrored && i + AT_ONCE <= count; i += AT_ONCE) {
        indices v = look_up(level + i, pattern + i, &extreme);

        memcpy(index + i, &v, sizeof v);
    }
    for (; i + AT_ONCE <= count; i += AT_ONCE) {
        indices v = look_up(level + i, pattern + i, &extreme);

        v = mirrored_indices(v);
        memcpy(index + count - AT_ONCE - i, &v, sizeof v);
    }
    for (; i < count; i++) {
        uint8_t l = level[i];

        index[mirrored ? count - 1 - i : i] =
            (uint16_t)(l * HT_CPU_LEVEL + pattern[i]);
        extreme[0] =
            ht_cpu_extremity(l) > extreme[0] ? ht_cpu_extremity(l) : extreme[0];
    }
    return largest(extreme);
}
