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

static void change_bytes(const uint16_t *table, uint8_t *pixel, uint32_t inks,
                         size_t width)
{
    uint32_t most = 0;

    for (uint32_t k = 0; k < inks; k++)
        most = pixel[k * width] > most ? pixel[k * width] : most;
    for (uint32_t k = 0; k < inks && table[most] != most; k++)
        pixel[k * width] = (uint8_t)scaled(table, pixel[k * width], most);
}

static void change_words(const uint16_t *table, uint16_t *pixel, uint32_t inks,
                         size_t width)
{
    uint32_t most = 0;

    for (uint32_t k = 0; k < inks; k++)
        most = pixel[k * width] > most ? pixel[k * width] : most;
    for (uint32_t k = 0; k < inks && table[most] != most; k++)
        pixel[k * width] = (uint16_t)scaled(table, pixel[k * width], most);
}

void pixel_curve_row(const uint16_t *table, void *row, uint32_t inks,
                     uint32_t width, uint32_t bits)
{
    for (uint32_t x = 0; x < width; x++)
        if (bits == 8)
            change_bytes(table, (uint8_t *)row + x, inks, width);
        else
            change_words(table, (uint16_t *)row + x, inks, width);
}
