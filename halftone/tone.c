/*
 * tone.c - samples to tones: doc/halftone.md, "Tones".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/internal.h"

static void tones_from_8_bits(const uint8_t *sample, uint32_t width,
                              int16_t *tone, uint8_t *level)
{
    for (uint32_t x = 0; x < width; x++) {
        tone[x] = (int16_t)((sample[x] * (2u * HT_ONE) + 255) / 510);
        level[x] = sample[x];
    }
}

/* Only bare paper and solid ink have level 0 and 255, which force the dot:
 * the faintest tint still prints its share of dots. */
static void tones_from_16_bits(const uint16_t *sample, uint32_t width,
                               int16_t *tone, uint8_t *level)
{
    for (uint32_t x = 0; x < width; x++) {
        uint32_t v = sample[x];
        uint32_t nearest = (v * 510 + 65535) / 131070;
        tone[x] = (int16_t)((v * (2u * HT_ONE) + 65535) / 131070);
        if (nearest == 0 && v != 0)
            nearest = 1;
        if (nearest == 255 && v != 65535)
            nearest = 254;
        level[x] = (uint8_t)nearest;
    }
}

void ht_tones_from_samples(const void *samples, uint32_t bits, uint32_t width,
                           int16_t *tone, uint8_t *level)
{
    if (bits == 8)
        tones_from_8_bits(samples, width, tone, level);
    else
        tones_from_16_bits(samples, width, tone, level);
}
