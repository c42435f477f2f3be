/*
 * toned_sheet.h - a page of tones for tests that look at it pixel by pixel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_TONED_SHEET_H
#define TEST_TONED_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define MOST_INKS 4u

/* A page of 8 bits, [height][inks][width]. */
struct toned_sheet {
    uint32_t inks, width, height;
    uint32_t across, down; /* pixels from which on nothing is thin */
    uint8_t *samples;
    uint32_t dpi; /* where a test needs it */
};

static inline uint8_t *at(const struct toned_sheet *sheet, uint32_t x,
                          uint32_t y, uint32_t k)
{
    return &sheet->samples[((size_t)y * sheet->inks + k) * sheet->width + x];
}

/* Makes a page of bare paper; its samples are to be freed. */
static inline struct toned_sheet new_sheet(uint32_t inks, uint32_t width,
                                           uint32_t height, uint32_t across,
                                           uint32_t down)
{
    struct toned_sheet sheet = {inks, width, height, across, down, NULL, 0};

    sheet.samples = calloc((size_t)inks * width, height);
    if (sheet.samples == NULL)
        abort();
    return sheet;
}

/* Draws a box, as far as it is on the page. `pixel` is [inks]. */
static inline void fill(const struct toned_sheet *sheet, uint32_t left,
                        uint32_t top, uint32_t width, uint32_t height,
                        const uint8_t *pixel)
{
    for (uint32_t y = top; y < top + height && y < sheet->height; y++)
        for (uint32_t x = left; x < left + width && x < sheet->width; x++)
            for (uint32_t k = 0; k < sheet->inks; k++)
                *at(sheet, x, y, k) = pixel[k];
}

/* Returns the pixel's place on the page: beyond its edges it goes on as it is
 * there. */
static inline uint32_t onto(int at, uint32_t size)
{
    return at < 0 ? 0 : (uint32_t)at >= size ? size - 1 : (uint32_t)at;
}

#endif
