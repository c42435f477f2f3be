/*
 * pixel_curve.c - a tone curve of whole pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>

#include "page/pixel_curve.h"

/* Returns a sample scaled as `most` to table[most]. */
static uint32_t scaled(const uint16_t *table, uint32_t sample, uint32_t most)
{
    return (uint32_t)(((uint64_t)sample * table[most] + most / 2) / most);
}

static inline uint32_t sample_at(const void *row, uint32_t bits, size_t at)
{
    return bits == 8 ? ((const uint8_t *)row)[at] : ((const uint16_t *)row)[at];
}

void pixel_curve_row(const uint16_t *table, void *row, uint32_t inks,
                     uint32_t width, uint32_t bits)
{
    for (size_t x = 0; x < width; x++) {
        uint32_t most = 0;

        for (size_t k = 0; k < inks; k++) {
            const uint32_t sample = sample_at(row, bits, k * width + x);

            most = sample > most ? sample : most;
        }
        for (size_t at = x; table[most] != most && at < (size_t)inks * width;
             at += width) {
            const uint32_t now = scaled(table, sample_at(row, bits, at), most);

            if (bits == 8)
                ((uint8_t *)row)[at] = (uint8_t)now;
            else
                ((uint16_t *)row)[at] = (uint16_t)now;
        }
    }
}
