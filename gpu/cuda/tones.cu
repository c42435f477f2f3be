/*
 * tones.cu - samples to tones and levels, doc/dev/halftone.md "Tones": where
 * samples have 16 bits, and where those of 8 bits have curves.
 *
 * Both kernels: each.cuh's grid, a thread for each sample of the inks that are
 * diffused, no shared memory. They read samples [rows][planes][width] and write
 * tone and level, of the same shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/cuda/band.h"
#include "gpu/cuda/each.cuh"
#include "halftone/definition.h"

namespace
{

/* Planes first..first+count-1 of rows [planes][width]: the inks that are
 * diffused. */
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

/* Sample `i` of those planes: its index in rows [planes][width], and its
 * ink. */
struct Element {
    size_t at;
    uint32_t ink;

    __device__ Element(const Inks &inks, size_t i)
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
        const size_t at = Element(inks, i).at;

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
        const Element element(inks, i);
        const uint16_t sample =
            curves[element.ink * HT_LEVELS + samples[element.at]];

        tone[element.at] = (int16_t)ht_tone_of(sample, 65535);
        level[element.at] = (uint8_t)ht_level_of(sample);
    }
}

} // namespace

cudaError_t ht_gpu_split(const struct ht_gpu_plan *plan,
                         const uint16_t *samples, size_t rows, int16_t *tone,
                         uint8_t *level, cudaStream_t stream)
{
    assert(plan->bits == 16); /* the kernels shall use the tones */
    const Inks inks(*plan);

    return launch(split, blocks_for(inks.samples(rows)), THREADS, 0, stream,
                  inks, samples, rows, tone, level);
}

cudaError_t ht_gpu_look_up(const struct ht_gpu_plan *plan,
                           const uint8_t *samples, const uint16_t *curves,
                           size_t rows, int16_t *tone, uint8_t *level,
                           cudaStream_t stream)
{
    assert(plan->bits == 16); /* the kernels shall use the tones */
    const Inks inks(*plan);

    return launch(look_up, blocks_for(inks.samples(rows)), THREADS, 0, stream,
                  inks, samples, curves, rows, tone, level);
}
