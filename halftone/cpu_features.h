/*
 * cpu_features.h - which instruction sets the processor and the system have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CPU_FEATURES_H
#define HT_CPU_FEATURES_H

#include <stdbool.h>

#if defined __x86_64__ || defined __i386__

static inline bool ht_has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static inline bool ht_has_avx512(void) /* with BW and VL */
{
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

#else

static inline bool ht_has_avx2(void)
{
    return false;
}

static inline bool ht_has_avx512(void)
{
    return false;
}

#endif
#endif
