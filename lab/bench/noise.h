/*
 * noise.h - numbers that look random and are the same in each run, for pages
 * that are made on the host and, in CUDA, on the device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_NOISE_H
#define BENCH_NOISE_H

#include <stdint.h>

#ifdef __CUDACC__
#define NOISE_FUNCTION static inline __host__ __device__
#else
#define NOISE_FUNCTION static inline
#endif

/* A number made of another, with no pattern in it. */
NOISE_FUNCTION uint32_t noise_hash(uint32_t n)
{
    n = (n ^ n >> 16) * 0x7feb352du;
    n = (n ^ n >> 15) * 0x846ca68bu;
    return n ^ n >> 16;
}

/* Value noise: random values at the corners of cells of `cell` x `cell`
 * pixels, blended between. 0..255. */
NOISE_FUNCTION uint32_t noise_smooth(uint32_t x, uint32_t y, uint32_t cell,
                                     uint32_t seed)
{
    uint32_t fx = x % cell * 256 / cell, fy = y % cell * 256 / cell;
    uint32_t corner[4];

    for (uint32_t i = 0; i < 4; i++)
        corner[i] = noise_hash((x / cell + i % 2) * 7919 +
                               (y / cell + i / 2) * 104729 + seed) &
                    255;
    uint32_t top = corner[0] * (256 - fx) + corner[1] * fx;
    uint32_t bottom = corner[2] * (256 - fx) + corner[3] * fx;
    return (top * (256 - fy) + bottom * fy) >> 16;
}

#endif
