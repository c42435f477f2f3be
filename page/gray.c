/*
 * gray.c - grays of a screen in black ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stddef.h>

#include "page/bytes.h"
#include "page/gray.h"

/* The light that a screen shows of an sRGB sample (IEC 61966-2-1), 0..1. */
static double light_of(double sample)
{
    return sample <= 0.04045 ? sample / 12.92
                             : pow((sample + 0.055) / 1.055, 2.4);
}

/* Solid is solid to the last bit. */
double gray_tone(double tone)
{
    if (tone >= 1)
        return 1;
    return (1.8 - sqrt(3.24 - 3.2 * (1 - light_of(1 - tone)))) / 1.6;
}

static void map_bytes(const uint16_t *table, uint8_t *row, size_t width,
                      size_t first, size_t end)
{
    for (size_t x = first; x < end; x++)
        if ((row[width + x] | row[2 * width + x] | row[3 * width + x]) == 0)
            row[x] = (uint8_t)table[row[x]];
}

static void map_words(const uint16_t *table, uint16_t *row, size_t width)
{
    for (size_t x = 0; x < width; x++)
        if ((row[width + x] | row[2 * width + x] | row[3 * width + x]) == 0)
            row[x] = table[row[x]];
}

/* Nearly all pixels of 8 bits are bare paper, solid or of other inks, too. */
void gray_row(const uint16_t *table, void *row, uint32_t width, uint32_t bits)
{
    uint8_t *samples = row;
    size_t x = 0;

    if (bits == 16) {
        map_words(table, row, width);
        return;
    }
    for (; x + BYTES <= width; x += BYTES) {
        const uint8_t *at = samples + x;
        const bytes k = load(at);
        bytes alone = (bytes)((uint8_t)1 + k > (uint8_t)1);

        for (int ink = 1; ink <= 3 && any_bit(alone); ink++)
            alone &= (bytes)(load(at + ink * (size_t)width) == 0);
        if (any_bit(alone))
            map_bytes(table, samples, width, x, x + BYTES);
    }
    map_bytes(table, samples, width, x, width);
}
