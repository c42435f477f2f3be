/*
 * rows.cu - what the GPU does pixel by pixel: the error lines in and out,
 * 16-bit samples, and the threshold method.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/band.h"
#include "gpu/ptx.cuh"
#include "halftone/definition.h"

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

__global__ void set_line(uint32_t *line, const int16_t *errors, size_t count,
                         uint32_t strip)
{
    EACH(i, count)
    line[i] = strip << 16 | (errors == NULL ? 0 : errors[i] & 0xffff);
}

__global__ void get_line(const uint32_t *line, int16_t *errors, size_t count)
{
    EACH(i, count)
    errors[i] = (int16_t)line[i];
}

/* Planes first..first+count-1 of rows [planes][width]. */
struct Inks {
    uint32_t planes, first, count, width;

    explicit Inks(const ht_gpu_plan &plan)
        : planes(plan.planes), first(plan.first), count(plan.inks),
          width(plan.width)
    {
    }

    size_t samples(size_t rows) const
    {
        return rows * count * width;
    }
};

/* Where sample `i` of those planes is, and its ink. */
struct Place {
    size_t at;
    uint32_t ink;

    __device__ Place(const Inks &inks, size_t i)
    {
        const uint32_t row = inks.count * inks.width;
        const uint32_t within = (uint32_t)(i % row);

        ink = inks.first + within / inks.width;
        at = (i / row * inks.planes + inks.first) * inks.width + within;
    }
};

__global__ void split(Inks inks, const uint16_t *samples, size_t rows,
                      int16_t *tone, uint8_t *level)
{
    EACH(i, rows * inks.count * inks.width)
    {
        const size_t at = Place(inks, i).at;

        tone[at] = (int16_t)ht_tone_of(samples[at], 65535);
        level[at] = (uint8_t)ht_level_of(samples[at]);
    }
}

__global__ void look_up(Inks inks, const uint8_t *samples,
                        const uint16_t *curves, size_t rows, int16_t *tone,
                        uint8_t *level)
{
    EACH(i, rows * inks.count * inks.width)
    {
        const Place place(inks, i);
        const uint16_t sample =
            curves[place.ink * HT_LEVELS + samples[place.at]];

        tone[place.at] = (int16_t)ht_tone_of(sample, 65535);
        level[place.at] = (uint8_t)ht_level_of(sample);
    }
}

/* A thread makes a byte of dots. */
template <typename Sample>
__global__ void threshold(const Sample *samples, uint8_t *dots, uint32_t width,
                          size_t rows)
{
    const size_t bytes = (width + 7) / 8;
    const uint32_t full = sizeof(Sample) == 1 ? 255 : 65535;

    EACH(i, rows * bytes)
    {
        const Sample *row = samples + i / bytes * width;
        uint32_t x = (uint32_t)(i % bytes * 8);
        uint8_t byte = 0;

        for (uint32_t k = 0; k < 8 && x + k < width; k++)
            if (ht_tone_of(row[x + k], full) >= HT_ONE / 2)
                byte |= (uint8_t)(0x80 >> k);
        dots[i] = byte;
    }
}

} // namespace

cudaError_t ht_gpu_set_line(uint32_t *line, const int16_t *errors, size_t count,
                            uint32_t strip, cudaStream_t stream)
{
    return launch(set_line, blocks_for(count), THREADS, 0, stream, line, errors,
                  count, strip);
}

cudaError_t ht_gpu_get_line(const uint32_t *line, int16_t *errors, size_t count,
                            cudaStream_t stream)
{
    return launch(get_line, blocks_for(count), THREADS, 0, stream, line, errors,
                  count);
}

cudaError_t ht_gpu_split(const struct ht_gpu_plan *plan,
                         const uint16_t *samples, size_t rows, int16_t *tone,
                         uint8_t *level, cudaStream_t stream)
{
    const Inks inks(*plan);

    return launch(split, blocks_for(inks.samples(rows)), THREADS, 0, stream,
                  inks, samples, rows, tone, level);
}

cudaError_t ht_gpu_look_up(const struct ht_gpu_plan *plan,
                           const uint8_t *samples, const uint16_t *curves,
                           size_t rows, int16_t *tone, uint8_t *level,
                           cudaStream_t stream)
{
    const Inks inks(*plan);

    return launch(look_up, blocks_for(inks.samples(rows)), THREADS, 0, stream,
                  inks, samples, curves, rows, tone, level);
}

cudaError_t ht_gpu_threshold(const void *samples, uint32_t bits, uint8_t *dots,
                             uint32_t width, size_t rows, cudaStream_t stream)
{
    unsigned blocks = blocks_for(rows * ((width + 7) / 8));

    if (bits == 8)
        return launch(threshold<uint8_t>, blocks, THREADS, 0, stream,
                      (const uint8_t *)samples, dots, width, rows);
    return launch(threshold<uint16_t>, blocks, THREADS, 0, stream,
                  (const uint16_t *)samples, dots, width, rows);
}
