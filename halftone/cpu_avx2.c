/*
 * cpu_avx2.c - the CPU engine's kernel for AVX2: four strips at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/cpu.h"

#ifdef __AVX2__
#include "halftone/cpu_256.h"
#include "halftone/cpu_kernel.h"
#include "halftone/cpu_lay.h"

const struct ht_cpu_kernel ht_cpu_avx2 = {LANES / HT_CPU_ROWS, lay, run};

#else

const struct ht_cpu_kernel ht_cpu_avx2 = {0, NULL, NULL};

#endif
