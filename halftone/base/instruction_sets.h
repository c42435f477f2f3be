/*
 * instruction_sets.h - tells which instruction sets the processor and the
 * system have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BASE_INSTRUCTION_SETS_H
#define BASE_INSTRUCTION_SETS_H

#include <stdbool.h>

static inline bool has_popcnt(void) /* an instruction that counts bits */
{
#if defined __x86_64__ || defined __i386__
    return __builtin_cpu_supports("popcnt");
#else
    return true;
#endif
}

static inline bool has_avx2(void)
{
#if defined __x86_64__ || defined __i386__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

static inline bool has_avx512(void) /* with BW and VL */
{
#if defined __x86_64__ || defined __i386__
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

#endif
