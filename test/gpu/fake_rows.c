/*
 * fake_rows.c - the launches of gpu/cuda/line.cu, tones.cu and compare.cu, done
 * by the host at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "gpu/cuda/band.h"
#include "halftone/definition.h"
#include "halftone/least.h"

cudaError_t ht_gpu_set_line(uint32_t *line, const int16_t *errors, size_t count,
                            uint32_t sweep, cudaStream_t stream)
{
    (void)stream;
    for (size_t i = 0; i < count; i++)
        line[i] = sweep << 16 | (errors == NULL ? 0 : (uint16_t)errors[i]);
    return cudaGetLastError();
}

cudaError_t ht_gpu_get_line(const uint32_t *line, int16_t *errors, size_t count,
                            cudaStream_t stream)
{
    (void)stream;
    for (size_t i = 0; i < count; i++)
        errors[i] = (int16_t)line[i];
    return cudaSuccess;
}

cudaError_t ht_gpu_split(const struct ht_gpu_plan *plan,
                         const uint16_t *samples, size_t rows, int16_t *tone,
                         uint8_t *level, cudaStream_t stream)
{
    (void)stream;
    for (size_t row = 0; row < rows; row++) {
        size_t at = (row * plan->planes + plan->first) * plan->width;

        ht_tones_from_samples(samples + at, 16, plan->inks * plan->width,
                              tone + at, level + at);
    }
    return cudaSuccess;
}

cudaError_t ht_gpu_look_up(const struct ht_gpu_plan *plan,
                           const uint8_t *samples, const uint16_t *curves,
                           size_t rows, int16_t *tone, uint8_t *level,
                           cudaStream_t stream)
{
    (void)stream;
    for (size_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < plan->inks; i++) {
            const size_t ink = plan->first + i;
            const size_t at = (row * plan->planes + ink) * plan->width;

            ht_tones_from_curve(samples + at, curves + ink * HT_LEVELS,
                                plan->width, tone + at, level + at);
        }
    return cudaSuccess;
}

static uint32_t sample_at(const void *samples, uint32_t bits, size_t at)
{
    return bits == 8 ? ((const uint8_t *)samples)[at]
                     : ((const uint16_t *)samples)[at];
}

cudaError_t ht_gpu_compare(const struct ht_gpu_plan *plan, const void *samples,
                           const void *least, uint64_t row, uint32_t rows,
                           uint8_t *dots, cudaStream_t stream)
{
    const uint32_t sizes = plan->sizes.levels - 1, dot = sizes > 1 ? 2 : 1;
    const size_t bytes = (plan->width * dot + 7) / 8;

    (void)stream;
    for (uint32_t i = 0; i < rows * plan->inks; i++) {
        const uint32_t y = i / plan->inks, ink = plan->first + i % plan->inks;
        const size_t plane = (size_t)y * plan->planes + ink;
        const uint64_t tile = ink * HT_SCREEN_SIZE + (row + y) % HT_SCREEN_SIZE;

        memset(dots + plane * bytes, 0, bytes);
        for (uint32_t x = 0; x < plan->width; x++) {
            uint32_t size = 0;

            for (uint32_t n = 0; n < sizes; n++)
                size +=
                    sample_at(samples, plan->bits, plane * plan->width + x) >=
                    sample_at(least, plan->bits,
                              n * plan->planes * HT_TILE_PIXELS +
                                  tile * HT_SCREEN_SIZE + x % HT_SCREEN_SIZE);
            dots[plane * bytes + x * dot / 8] |=
                (uint8_t)(size << (8 - dot - x * dot % 8));
        }
    }
    return cudaSuccess;
}
