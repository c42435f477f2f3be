/*
 * line.cu - the error lines from and to the host: the errors of a page's state
 * become words for a sweep, and words become errors (line.cuh).
 *
 * Both kernels: each.cuh's grid, a thread for each word, no shared memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/cuda/band.h"
#include "gpu/cuda/each.cuh"

namespace
{

__global__ void set_line(uint32_t *line, const int16_t *errors, size_t count,
                         uint32_t sweep)
{
    EACH(i, count)
    line[i] = sweep << 16 | (errors == NULL ? 0 : errors[i] & 0xffff);
}

__global__ void get_line(const uint32_t *line, int16_t *errors, size_t count)
{
    EACH(i, count)
    errors[i] = (int16_t)line[i];
}

} // namespace

cudaError_t ht_gpu_set_line(uint32_t *line, const int16_t *errors, size_t count,
                            uint32_t sweep, cudaStream_t stream)
{
    return launch(set_line, blocks_for(count), THREADS, 0, stream, line, errors,
                  count, sweep);
}

cudaError_t ht_gpu_get_line(const uint32_t *line, int16_t *errors, size_t count,
                            cudaStream_t stream)
{
    return launch(get_line, blocks_for(count), THREADS, 0, stream, line, errors,
                  count);
}
