/*
 * sharpen.h - the kernels of ht_sharpen(), one an instruction set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_SHARPEN_H
#define HT_SHARPEN_H

#include <stdint.h>

#include "halftone/simd/sets.h"

/* Do what ht_sharpen() does, with rows that are never NULL and the strength in
 * place of the sharpness, 1/64. */
#define HT_DECLARE_SHARPEN(set, text, runs_here)                               \
    void ht_sharpen_##set(const void *above, const void *row,                  \
                          const void *below, uint32_t bits, uint32_t width,    \
                          int16_t strength, void *out);
HT_SETS(HT_DECLARE_SHARPEN)
#undef HT_DECLARE_SHARPEN

#endif
