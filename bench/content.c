/*
 * content.c - pages of photos, text, ramps and noise, the same in each run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>

#include "bench/content.h"

const char *const content_names[CONTENTS] = {"photo", "text", "ramp", "noise"};

uint32_t content_hash(uint32_t n)
{
    n = (n ^ n >> 16) * 0x7feb352du;
    n = (n ^ n >> 15) * 0x846ca68bu;
    return n ^ n >> 16;
}

/* Value noise: random lattice values, blended between. 0..255. */
static uint32_t smooth_noise(uint32_t x, uint32_t y, uint32_t cell,
                             uint32_t seed)
{
    uint32_t fx = x % cell * 256 / cell, fy = y % cell * 256 / cell;
    uint32_t corner[4];

    for (uint32_t i = 0; i < 4; i++)
        corner[i] = content_hash((x / cell + i % 2) * 7919 +
                                 (y / cell + i / 2) * 104729 + seed) &
                    255;
    uint32_t top = corner[0] * (256 - fx) + corner[1] * fx;
    uint32_t bottom = corner[2] * (256 - fx) + corner[3] * fx;
    return (top * (256 - fy) + bottom * fy) >> 16;
}

/* Like a photo enlarged to the printer's resolution. */
static uint8_t photo(uint32_t x, uint32_t y, uint32_t ink)
{
    uint32_t v = 4 * smooth_noise(x, y, 512, ink) +
                 2 * smooth_noise(x, y, 96, ink + 10) +
                 smooth_noise(x, y, 24, ink + 20) +
                 smooth_noise(x, y, 6, ink + 30);

    return (uint8_t)(v / 8);
}

static uint8_t text(uint32_t x, uint32_t y)
{
    uint32_t line = y / 100, letter = x / 50, u = x % 50, v = y % 100;

    if (v >= 50 || x < 500 || x >= PAGE_WIDTH - 500 ||
        content_hash(line * 997 + letter) % 6 == 0)
        return 0;
    uint32_t stroke = content_hash(line * 31 + letter) % 30;
    uint32_t distance = u > stroke ? u - stroke : stroke - u;
    return distance < 4 ? 255 : distance == 4 ? 90 : 0;
}

uint8_t content_sample(enum content content, uint32_t x, uint32_t y,
                       uint32_t ink)
{
    switch (content) {
    case PHOTO:
        return photo(x, y, ink);
    case TEXT:
        return ink == 0 ? text(x, y) : 0;
    case RAMP:
        return (uint8_t)(x * 255 / (PAGE_WIDTH - 1));
    default:
        return (uint8_t)content_hash(x + y * PAGE_WIDTH + ink * 77777777u);
    }
}

uint8_t *content_make(enum content content, uint32_t inks)
{
    uint8_t *samples = malloc((size_t)CONTENT_ROWS * inks * PAGE_WIDTH);
    size_t i = 0;

    if (samples == NULL)
        return NULL;
    for (uint32_t y = 0; y < CONTENT_ROWS; y++)
        for (uint32_t ink = 0; ink < inks; ink++)
            for (uint32_t x = 0; x < PAGE_WIDTH; x++)
                samples[i++] = content_sample(content, x, y, ink);
    return samples;
}

double content_coverage(const uint8_t *samples, uint32_t inks)
{
    size_t count = (size_t)CONTENT_ROWS * inks * PAGE_WIDTH;
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += samples[i];
    return (double)sum / 255 / (double)count;
}
