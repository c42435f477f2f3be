/*
 * picture_lines.c - enlarges a picture, line by line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "printer-app/picture/picture_lines.h"

#define ONE 256 /* column or row of the picture */

static int64_t within(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Where pixel `i` of `many` is among `few`: its middle, in 1/256, or the middle
 * of the nearest one. A place has less than 2^32 pixels, a picture 2^20. */
static int64_t position(int64_t i, int64_t many, int64_t few, bool smooth)
{
    if (!smooth)
        return (2 * i + 1) * few / (2 * many) * ONE;
    return within((2 * i + 1) * few * (ONE / 2) / many - ONE / 2, 0,
                  (few - 1) * ONE);
}

bool picture_lines_open(struct picture_lines *lines,
                        const struct picture *picture,
                        const struct rip_place *place,
                        const struct rip_sheet *sheet, bool smooth)
{
    const int64_t width = sheet->width, height = sheet->height;

    *lines = (struct picture_lines){
        .picture = picture,
        .place = place,
        .left = within(place->x, 0, width),
        .right = within(place->x + place->width, 0, width),
        .top = within(place->y, 0, height),
        .bottom = within(place->y + place->height, 0, height),
        .width = sheet->width,
        .smooth = smooth};
    lines->at = calloc(sheet->width, sizeof *lines->at);
    if (lines->at == NULL)
        return false;
    for (int64_t x = lines->left; x < lines->right; x++)
        lines->at[x - lines->left] =
            position(x - place->x, place->width, picture->width, smooth);
    return true;
}

void picture_lines_close(struct picture_lines *lines)
{
    free(lines->at);
    lines->at = NULL;
}

static unsigned mix(unsigned a, unsigned b, unsigned share)
{
    return a * (ONE - share) + b * share;
}

/* Fills in a line between two rows of the picture, `share` below the upper
 * one. */
static void interpolate(const struct picture_lines *lines, const uint8_t *upper,
                        const uint8_t *lower, unsigned share, uint8_t *to)
{
    const uint32_t depth = lines->picture->depth;
    const size_t last = lines->picture->width - 1;

    for (int64_t i = 0; i < lines->right - lines->left; i++) {
        const size_t x = (size_t)(lines->at[i] / ONE);
        const unsigned right = (unsigned)(lines->at[i] % ONE);
        const size_t a = x * depth, b = (x < last ? x + 1 : x) * depth;

        for (uint32_t c = 0; c < depth; c++)
            *to++ =
                (uint8_t)((mix(mix(upper[a + c], upper[b + c], right),
                               mix(lower[a + c], lower[b + c], right), share) +
                           ONE * ONE / 2) /
                          (ONE * ONE));
    }
}

static void repeat(const struct picture_lines *lines, const uint8_t *row,
                   uint8_t *to)
{
    const uint32_t depth = lines->picture->depth;

    const int64_t count = lines->right - lines->left;

    for (int64_t i = 0; depth == 1 && i < count; i++)
        to[i] = row[lines->at[i] / ONE];
    for (int64_t i = 0; depth == 3 && i < count; i++)
        memcpy(to + 3 * i, row + lines->at[i] / ONE * 3, 3);
}

/* Whether each pixel of the picture is one of the sheet. */
static bool is_as_large(const struct picture_lines *lines)
{
    return lines->place->width == lines->picture->width &&
           lines->place->height == lines->picture->height;
}

void picture_lines_fill(const struct picture_lines *lines, int64_t y,
                        uint8_t *line)
{
    const struct picture *picture = lines->picture;
    const size_t bytes = (size_t)picture->width * picture->depth;

    memset(line, UINT8_MAX, (size_t)lines->width * picture->depth);
    if (y < lines->top || y >= lines->bottom)
        return;

    const int64_t at = position(y - lines->place->y, lines->place->height,
                                picture->height, lines->smooth);
    const uint8_t *row = picture->pixels + (size_t)(at / ONE) * bytes;
    uint8_t *to = line + (size_t)lines->left * picture->depth;

    if (is_as_large(lines))
        memcpy(to,
               row + (size_t)(lines->left - lines->place->x) * picture->depth,
               (size_t)(lines->right - lines->left) * picture->depth);
    else if (lines->smooth)
        interpolate(lines, row,
                    at / ONE + 1 < picture->height ? row + bytes : row,
                    (unsigned)(at % ONE), to);
    else
        repeat(lines, row, to);
}
