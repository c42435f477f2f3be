/*
 * hang.cu - a kernel that runs until it is told to stop, or for ever: for tests
 * of a device that hangs. The emulator leaves it out, since nobody could stop
 * it there. One block of one thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/cuda/band.h"
#include "gpu/cuda/ptx.cuh"

namespace
{

__global__ void hang(const int *stop)
{
    while (stop == nullptr || *(const volatile int *)stop == 0)
        ;
}

} // namespace

cudaError_t ht_gpu_hang(const int *stop, cudaStream_t stream)
{
    return launch(hang, 1, 1, 0, stream, stop);
}
