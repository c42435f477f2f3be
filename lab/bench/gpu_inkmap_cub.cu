/*
 * gpu_inkmap_cub.cu - the scan of CUB, which reads and writes each number once,
 * whatever the lines: it begins anew where the key, the line, changes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "lab/bench/gpu_inkmap.h"

namespace
{

/* The line of a number. */
struct Line {
    uint32_t pitch;

    __host__ __device__ uint32_t operator()(uint32_t i) const
    {
        return i / pitch;
    }
};

/* Value of the table at an index before summing up: 1 for a pixel of the bin.
 */
struct Pixel {
    const uint8_t *image;
    uint32_t size, bins; /* pixels of the image, with those of the pitch */

    __host__ __device__ uint32_t operator()(uint32_t i) const
    {
        return (uint32_t)image[i % size] * bins >> 8 == i / size;
    }
};

struct Same {
    __host__ __device__ bool operator()(uint32_t a, uint32_t b) const
    {
        return a == b;
    }
};

template <class Values>
cudaError_t scan(Values values, uint32_t count, uint32_t pitch, void *scratch,
                 size_t bytes, uint32_t *out, cudaStream_t stream)
{
    auto lines = thrust::make_transform_iterator(
        thrust::counting_iterator<uint32_t>(0), Line{pitch});
    size_t needed = 0;
    cudaError_t error = cub::DeviceScan::InclusiveSumByKey(
        nullptr, needed, lines, values, out, count, Same(), stream);

    if (error == cudaSuccess && needed > bytes)
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = cub::DeviceScan::InclusiveSumByKey(
            scratch, needed, lines, values, out, count, Same(), stream);
    return error;
}

} // namespace

cudaError_t inkmap_cub(const struct ht_sums *s, const uint8_t *image,
                       void *scratch, uint32_t *table, cudaStream_t stream)
{
    const uint32_t down = inkmap_down(s->height), size = s->height * s->pitch;
    const size_t turned = (size_t)s->planes * s->width * down;
    uint32_t *columns = (uint32_t *)scratch;
    void *rest = columns + turned;
    const size_t bytes = inkmap_scratch(s) - turned * sizeof *columns;
    cudaError_t error = scan(
        thrust::make_transform_iterator(thrust::counting_iterator<uint32_t>(0),
                                        Pixel{image, size, s->planes}),
        s->planes * size, s->pitch, rest, bytes, table, stream);

    if (error == cudaSuccess)
        error = inkmap_transpose(table, s->planes, s->width, s->height,
                                 s->pitch, down, columns, stream);
    if (error == cudaSuccess)
        error = scan((const uint32_t *)columns, (uint32_t)turned, down, rest,
                     bytes, columns, stream);
    if (error == cudaSuccess)
        error = inkmap_transpose(columns, s->planes, s->height, s->width, down,
                                 s->pitch, table, stream);
    return error;
}
