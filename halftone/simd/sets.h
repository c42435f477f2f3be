/*
 * sets.h - the ladder of instruction sets that kernels are compiled for.
 *
 * A kernel's source, tdfed/kernel.c, floyd/kernel.c and sharpen_kernel.c, is
 * compiled once a set: Makefile.am says with which flags, HT_SET, the set's
 * name here, and HT_LANES, the most lanes of its vectors. configure says which
 * sets the compiler knows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_SIMD_SETS_H
#define HT_SIMD_SETS_H

#include "halftone/base/instruction_sets.h"

#ifdef HAVE_AVX2
#define HT_SET_AVX2(SET) SET(avx2, "cpu-avx2", has_avx2())
#else
#define HT_SET_AVX2(SET)
#endif

#ifdef HAVE_AVX512
#define HT_SET_AVX512(SET) SET(avx512, "cpu-avx512", has_avx512())
#else
#define HT_SET_AVX512(SET)
#endif

/* Expands SET(name, name of its engines, whether this processor has it) for
 * each set, from slow to fast. */
#define HT_SETS(SET)                                                           \
    SET(plain, "cpu-plain", true)                                              \
    HT_SET_AVX2(SET)                                                           \
    HT_SET_AVX512(SET)

/* The symbol of a method's kernel for the set that is being compiled. */
#define HT_KERNEL_OF(method, set) ht_##method##_##set
#define HT_KERNEL_FOR(method, set) HT_KERNEL_OF(method, set)
#define HT_KERNEL(method) HT_KERNEL_FOR(method, HT_SET)

#endif
