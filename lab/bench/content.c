/*
 * content.c - pages of photos, text, ramps and noise, the same in each run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>

#include "lab/bench/content.h"
#include "lab/bench/noise.h"

const char *const content_names[CONTENTS + 1] = {"photo", "text",  "sharp-text",
                                                 "ramp",  "noise", "rendered"};

/* Like a photo enlarged to the printer's resolution. */
static uint8_t photo(uint32_t x, uint32_t y, uint32_t ink)
{
    uint32_t v = 4 * noise_smooth(x, y, 512, ink) +
                 2 * noise_smooth(x, y, 96, ink + 10) +
                 noise_smooth(x, y, 24, ink + 20) +
                 noise_smooth(x, y, 6, ink + 30);

    return (uint8_t)(v / 8);
}

static uint8_t text(uint32_t x, uint32_t y, uint8_t edge)
{
    uint32_t line = y / 100, letter = x / 50, u = x % 50, v = y % 100;

    if (v >= 50 || x < 500 || x >= PAGE_WIDTH - 500 ||
        noise_hash(line * 997 + letter) % 6 == 0)
        return 0;
    uint32_t stroke = noise_hash(line * 31 + letter) % 30;
    uint32_t distance = u > stroke ? u - stroke : stroke - u;
    return distance < 4 ? 255 : distance == 4 ? edge : 0;
}

uint8_t content_sample(enum content content, uint32_t x, uint32_t y,
                       uint32_t ink)
{
    switch (content) {
    case PHOTO:
        return photo(x, y, ink);
    case TEXT:
        return ink == 0 ? text(x, y, 90) : 0;
    case SHARP:
        return ink == 0 ? text(x, y, 0) : 0;
    case RAMP:
        return (uint8_t)(x * 255 / (PAGE_WIDTH - 1));
    default:
        return (uint8_t)noise_hash(x + y * PAGE_WIDTH + ink * 77777777u);
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
