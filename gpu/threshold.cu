/*
 * threshold.cu - the method Threshold: a dot where the tone is 1/2 or more.
 *
 * The kernel: each.cuh's grid, a thread for each byte of dots, no shared
 * memory. Reads samples [rows][width], writes dots [rows][(width+7)/8].
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/band.h"
#include "gpu/each.cuh"
#include "halftone/definition.h"

namespace
{

/* A thread compares up to eight samples and writes their byte of dots. */
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

cudaError_t ht_gpu_threshold(const void *samples, uint32_t bits, uint8_t *dots,
                             uint32_t width, size_t rows, cudaStream_t stream)
{
    assert(bits == 8 || bits == 16);
    unsigned blocks = blocks_for(rows * ((width + 7) / 8));

    if (bits == 8)
        return launch(threshold<uint8_t>, blocks, THREADS, 0, stream,
                      (const uint8_t *)samples, dots, width, rows);
    return launch(threshold<uint16_t>, blocks, THREADS, 0, stream,
                  (const uint16_t *)samples, dots, width, rows);
}
