/*
 * words.cuh - samples from any address.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_WORDS_CUH
#define HT_GPU_WORDS_CUH

#include <stdint.h>

namespace
{

/* Bytes from any address, `BYTES` of them, a multiple of 8. Up to 7 bytes
 * before and behind them are read, too. */
template <int BYTES> struct Window {
    uint2 pair[BYTES / 8 + 1];
    unsigned shift; /* bytes */

    __device__ void load(const void *from)
    {
        uintptr_t at = (uintptr_t)from;
        const uint2 *aligned = (const uint2 *)(at & ~(uintptr_t)7);

        shift = at & 7;
#pragma unroll
        for (int i = 0; i <= BYTES / 8; i++)
            pair[i] = __ldg(aligned + i);
    }

    __device__ void get(uint32_t *words) const
    {
        const uint32_t selector = 0x3210 + 0x1111 * (shift & 3);
        const bool odd = shift & 4;

#pragma unroll
        for (int i = 0; i < BYTES / 8; i++) {
            uint32_t low = odd ? pair[i].y : pair[i].x;
            uint32_t middle = odd ? pair[i + 1].x : pair[i].y;
            uint32_t high = odd ? pair[i + 1].y : pair[i + 1].x;
            words[2 * i] = __byte_perm(low, middle, selector);
            words[2 * i + 1] = __byte_perm(middle, high, selector);
        }
    }
};

} // namespace

#endif
