/*
 * each.cuh - kernels without order: a thread takes every element that lies a
 * whole grid behind the one before.
 *
 * Grid: as many blocks as give each element a thread, at most MOST_BLOCKS;
 * block: THREADS; no shared memory; nobody waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_EACH_CUH
#define HT_GPU_EACH_CUH

#include <assert.h>

#include "gpu/cuda/ptx.cuh"

namespace
{

constexpr unsigned THREADS = 256;
constexpr unsigned MOST_BLOCKS = 65536;

unsigned blocks_for(size_t count)
{
    assert(count > 0); /* a grid has a block */
    size_t blocks = (count + THREADS - 1) / THREADS;

    return blocks < MOST_BLOCKS ? (unsigned)blocks : MOST_BLOCKS;
}

/* Runs the statement behind it for the elements 0..count-1 that are this
 * thread's, in a grid of any size. */
#define EACH(i, count)                                                         \
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;  \
         i += (size_t)gridDim.x * blockDim.x)

} // namespace

#endif
