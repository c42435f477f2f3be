/*
 * each.cuh - kernels that give each element a thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_EACH_CUH
#define HT_GPU_EACH_CUH

#include "gpu/ptx.cuh"

namespace
{

constexpr unsigned THREADS = 256;
constexpr unsigned MOST_BLOCKS = 65536;

unsigned blocks_for(size_t count)
{
    size_t blocks = (count + THREADS - 1) / THREADS;

    return blocks < MOST_BLOCKS ? (unsigned)blocks : MOST_BLOCKS;
}

/* The loop over elements of a grid of any size. */
#define EACH(i, count)                                                         \
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;  \
         i += (size_t)gridDim.x * blockDim.x)

} // namespace

#endif
