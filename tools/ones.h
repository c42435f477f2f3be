/*
 * ones.h - counts bits, by the processor's instruction or without: a caller is
 * compiled for both, and asks has_popcnt() which to use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_ONES_H
#define TOOLS_ONES_H

#include <stdbool.h>
#include <stdint.h>

#define ONES_INLINE static inline __attribute__((always_inline))

/* Other processors have it in their least instruction set. */
#if defined __x86_64__ || defined __i386__
#define ONES_TARGET __attribute__((target("popcnt")))
#else
#define ONES_TARGET
#endif

ONES_INLINE uint32_t ones(uint64_t bits, bool instruction)
{
    if (instruction)
        return (uint32_t)__builtin_popcountll(bits);
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (uint32_t)(bits * 0x0101010101010101 >> 56);
}

#endif
