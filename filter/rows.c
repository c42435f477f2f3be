/*
 * rows.c - between the raster's lines and the engine's rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "filter/rows.h"

/* Takes every `step`-th sample; light is turned into ink. */
static void gather_8(const uint8_t *from, size_t step, uint32_t width,
                     uint8_t flip, uint8_t *ink)
{
    for (uint32_t x = 0; x < width; x++)
        ink[x] = from[x * step] ^ flip;
}

static void gather_16(const uint16_t *from, size_t step, uint32_t width,
                      uint16_t flip, uint16_t *ink)
{
    for (uint32_t x = 0; x < width; x++)
        ink[x] = from[x * step] ^ flip;
}

void rows_to_ink(const struct layout *layout, const uint8_t *line,
                 size_t plane_bytes, uint8_t *ink)
{
    size_t sample = layout->bits / 8;
    size_t plane = layout->width * sample;
    size_t step = layout->order == CUPS_ORDER_CHUNKED ? layout->inks : 1;
    size_t channel_bytes = layout->order == CUPS_ORDER_CHUNKED  ? sample
                           : layout->order == CUPS_ORDER_BANDED ? plane
                                                                : plane_bytes;

    for (uint32_t i = 0; i < layout->inks; i++, ink += plane) {
        const uint8_t *from = line + layout->channel[i] * channel_bytes;

        if (sample == 1)
            gather_8(from, step, layout->width, layout->additive ? 0xff : 0,
                     ink);
        else
            gather_16((const uint16_t *)(const void *)from, step, layout->width,
                      layout->additive ? 0xffff : 0, (uint16_t *)(void *)ink);
    }
}

/* Bit i of a byte goes to bit 4 i. */
static uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 12) & 0x000f000f;
    bits = (bits | bits << 6) & 0x03030303;
    return (bits | bits << 3) & 0x11111111;
}

/* Four inks: eight pixels of one bit an ink become four bytes, channel 0 in
 * the top bit of each half byte. */
static void chunk_4(const struct layout *layout, const uint8_t *dots,
                    uint8_t *line)
{
    size_t plane = (layout->width + 7) / 8, bytes = layout->out_line_bytes;

    for (size_t i = 0; i < plane; i++) {
        uint32_t pixels = 0;

        for (uint32_t k = 0; k < 4; k++)
            pixels |= spread(dots[k * plane + i]) << (3 - layout->channel[k]);
        for (size_t byte = 0; byte < 4 && 4 * i + byte < bytes; byte++)
            line[4 * i + byte] = (uint8_t)(pixels >> (24 - 8 * byte));
    }
}

void rows_to_line(const struct layout *layout, const uint8_t *dots,
                  uint8_t *line)
{
    size_t plane = (layout->width + 7) / 8;

    if (layout->chunked && layout->inks == 4) {
        chunk_4(layout, dots, line);
        return;
    }
    for (uint32_t i = 0; i < layout->inks; i++)
        memcpy(line + layout->channel[i] * plane, dots + i * plane, plane);
    if (layout->white_dots)
        for (size_t i = 0; i < layout->out_line_bytes; i++)
            line[i] = (uint8_t)~line[i];
}

void rows_blank(const struct layout *layout, uint8_t *line, size_t bytes)
{
    memset(line, layout->white_dots ? 0xff : 0, bytes);
}
