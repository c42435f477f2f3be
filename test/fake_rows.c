/*
 * fake_rows.c - the launches of gpu/line.cu, tones.cu and threshold.cu, done
 * by the host at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "gpu/band.h"
#include "halftone/definition.h"

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

cudaError_t ht_gpu_threshold(const void *samples, uint32_t bits, uint8_t *dots,
                             uint32_t width, size_t rows, cudaStream_t stream)
{
    const uint8_t *row = samples;

    (void)stream;
    for (size_t y = 0; y < rows; y++) {
        memset(dots, 0, (width + 7) / 8);
        for (uint32_t x = 0; x < width; x++) {
            uint8_t level;
            int16_t tone;

            ht_tones_from_samples(row + x * (bits / 8), bits, 1, &tone, &level);
            if (tone >= HT_ONE / 2)
                dots[x / 8] |= (uint8_t)(0x80 >> x % 8);
        }
        row += width * (bits / 8);
        dots += (width + 7) / 8;
    }
    return cudaSuccess;
}
