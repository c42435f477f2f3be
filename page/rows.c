/*
 * rows.c - between the raster's lines and the engine's rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "page/merge.h"
#include "page/rows.h"
#include "page/split.h"

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

/* The bytes of a row, [inks][width] samples. */
static size_t ink_bytes(const struct layout *layout)
{
    return (size_t)layout->inks * layout->width * (layout->bits / 8);
}

/* Returns the bytes of a row of one ink's dots. */
static size_t plane_bytes_of(const struct layout *layout)
{
    return ((size_t)layout->width * layout->dot_bits + 7) / 8;
}

size_t rows_dot_bytes(const struct layout *layout)
{
    return layout->out_inks * plane_bytes_of(layout);
}

bool rows_are_ink(const struct layout *layout)
{
    bool in_order = layout->inks == 1 || layout->order == CUPS_ORDER_BANDED;

    for (uint32_t i = 0; i < layout->inks; i++)
        in_order = in_order && layout->channel[i] == i;
    return in_order;
}

/* Whether all samples of a row are bare paper. Ends early: most lines of text
 * are so from side to side, in others this ends at the first ink. */
static bool is_blank(const struct layout *layout, const uint8_t *line,
                     size_t plane_bytes, uint8_t paper)
{
    uint32_t parts = layout->order == CUPS_ORDER_PLANAR ? layout->inks : 1;
    size_t bytes = ink_bytes(layout) / parts;

    for (uint32_t i = 0; i < parts; i++) {
        const uint8_t *part = line + i * plane_bytes;

        if (part[0] != paper || memcmp(part, part + 1, bytes - 1) != 0)
            return false;
    }
    return true;
}

static void gather_all(const struct layout *layout, const uint8_t *line,
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

/* Takes four chunked channels apart. */
static uint16_t split(const struct layout *layout, const uint8_t *line,
                      uint8_t *ink, uint16_t inked)
{
    uint8_t *planes[4];
    unsigned zeros = 0, channels;
    uint16_t now = 0;

    for (uint32_t i = 0; i < 4; i++) {
        planes[layout->channel[i]] = ink + (size_t)i * layout->width;
        if ((inked >> i & 1) == 0)
            zeros |= 1u << layout->channel[i];
    }
    channels = split_samples(line, layout->width, planes, zeros);
    for (uint32_t i = 0; i < 4; i++)
        now |= (uint16_t)((channels >> layout->channel[i] & 1) << i);
    return now;
}

/* Makes the planes of some inks bare paper. */
static void clear_inks(const struct layout *layout, uint8_t *ink, uint16_t inks)
{
    size_t plane = (size_t)layout->width * (layout->bits / 8);

    for (uint32_t i = 0; i < layout->inks; i++)
        if ((inks >> i & 1) != 0)
            memset(ink + i * plane, 0, plane);
}

uint16_t rows_to_ink(const struct layout *layout, const uint8_t *line,
                     size_t plane_bytes, uint8_t *ink, uint16_t inked)
{
    size_t bytes = ink_bytes(layout);
    uint8_t paper = layout->additive ? 0xff : 0;
    bool in_place = line == ink;

    assert(layout->bits > 1 && (!in_place || rows_are_ink(layout)));
    if (is_blank(layout, line, plane_bytes, paper)) {
        if (!in_place || paper != 0)
            clear_inks(layout, ink, in_place ? UINT16_MAX : inked);
        return 0;
    }
    if (rows_are_ink(layout)) {
        if (!in_place || paper != 0)
            for (size_t i = 0; i < bytes; i++)
                ink[i] = line[i] ^ paper;
    } else if (layout->order == CUPS_ORDER_CHUNKED && layout->inks == 4 &&
               layout->bits == 8) {
        return split(layout, line, ink, inked);
    } else {
        gather_all(layout, line, plane_bytes, ink);
    }
    return UINT16_MAX;
}

/* Gives dots of three bits four. */
static void widen_dots(const uint8_t *threes, uint32_t width, uint8_t *fours)
{
    memset(fours, 0, ((size_t)width + 1) / 2);
    for (uint32_t x = 0; x < width; x++)
        fours[x / 2] |= (uint8_t)(ht_size_at(threes, HT_MAX_LEVELS, x)
                                  << (x % 2 == 0 ? 4 : 0));
}

void rows_to_line(const struct layout *layout, const uint8_t *dots,
                  uint8_t *line)
{
    size_t plane = plane_bytes_of(layout);
    const uint8_t *planes[HT_MAX_INKS];

    for (uint32_t i = 0; i < layout->out_inks; i++)
        planes[layout->plane[i]] = dots + i * plane;
    if (layout->chunked && layout->inks == 4) {
        merge_dots(planes, layout->width, line);
        return;
    }
    for (uint32_t i = 0; i < layout->out_inks; i++)
        if (layout->dot_bits == 3)
            widen_dots(planes[i], layout->width,
                       line + i * (layout->out_line_bytes / layout->out_inks));
        else
            memcpy(line + i * plane, planes[i], plane);
}

void rows_blank(const struct layout *layout, uint8_t *line, size_t bytes)
{
    memset(line, layout->white_dots ? 0xff : 0, bytes);
}
