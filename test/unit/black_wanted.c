/*
 * black_wanted.c - what doc/dev/black.md says, shape by shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "test/unit/black_wanted.h"

const uint8_t rgb_black[MOST_INKS] = {226, 184, 173, 171};

struct toned_sheet copy_sheet(const struct toned_sheet *sheet)
{
    struct toned_sheet copy = new_sheet(
        sheet->inks, sheet->width, sheet->height, sheet->across, sheet->down);

    copy.dpi = sheet->dpi;
    memcpy(copy.samples, sheet->samples,
           (size_t)sheet->inks * sheet->width * sheet->height);
    return copy;
}

bool wanted_black(const struct toned_sheet *sheet, uint32_t x, uint32_t y)
{
    if (sheet->inks == 1)
        return *at(sheet, x, y, 0) == 223;
    for (uint32_t k = 0; k < sheet->inks; k++)
        if (abs(*at(sheet, x, y, k) - rgb_black[k]) > 1)
            return false;
    return true;
}

bool wanted_dark(const struct toned_sheet *sheet, uint32_t x, uint32_t y)
{
    const unsigned k = *at(sheet, x, y, 0);

    if (wanted_black(sheet, x, y))
        return false;
    if (sheet->inks == 1)
        return k > 155;
    return k + *at(sheet, x, y, 1) / 4 + *at(sheet, x, y, 2) / 2 +
               *at(sheet, x, y, 3) / 4 >=
           272;
}

/* Finds the pixels of the shape of one, as far as `rows` of the page are known,
 * [rows][width]. */
static void find_shape(const struct toned_sheet *sheet, uint32_t rows,
                       uint32_t first, bool *shape)
{
    const uint32_t width = sheet->width;
    bool grows = true;

    memset(shape, 0, (size_t)width * rows * sizeof *shape);
    shape[first] = true;
    while (grows) {
        grows = false;
        for (uint32_t i = 0; i < width * rows; i++)
            for (uint32_t j = 0; j < 9 && !shape[i]; j++) {
                const uint32_t nx = i % width + j % 3 - 1,
                               ny = i / width + j / 3 - 1;

                if (nx < width && ny < rows && shape[ny * width + nx] &&
                    wanted_black(sheet, i % width, i / width))
                    grows = shape[i] = true;
            }
    }
}

/* Tells whether the square of four dark pixels from (x, y) on touches a shape.
 */
static bool touches(const struct toned_sheet *sheet, uint32_t rows,
                    const bool *shape, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < 4; i++)
        if (!wanted_dark(sheet, x + i % 2, y + i / 2))
            return false;
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t nx = x + i % 4 - 1, ny = y + i / 4 - 1;

        if (nx < sheet->width && ny < rows && shape[ny * sheet->width + nx])
            return true;
    }
    return false;
}

static bool stays(const struct toned_sheet *sheet, uint32_t rows,
                  const bool *shape)
{
    for (uint32_t y = 0; y + 1 < sheet->height; y++)
        for (uint32_t x = 0; x + 1 < sheet->width; x++)
            if (touches(sheet, rows, shape, x, y))
                return true;
    return false;
}

struct toned_sheet black_wanted(const struct toned_sheet *sheet, size_t wait)
{
    static const uint8_t solid[MOST_INKS] = {255};
    const uint32_t width = sheet->width, height = sheet->height;
    struct toned_sheet out = copy_sheet(sheet);
    bool *shape = malloc((size_t)width * height * sizeof *shape);
    /* The shape that was found last, and how much of the page was known. */
    uint32_t known = 0;
    bool keep = false;

    for (uint32_t y = 0; shape != NULL && y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            /* A row leaves when `wait` rows below it have come, of which all
             * but two are known. */
            const uint32_t rows =
                y + wait >= height ? height : y + (uint32_t)wait - 1;

            if (!wanted_black(sheet, x, y))
                continue;
            if (rows != known || !shape[y * width + x]) {
                find_shape(sheet, rows, y * width + x, shape);
                keep = stays(sheet, rows, shape);
                known = rows;
            }
            if (!keep)
                fill(&out, x, y, 1, 1, solid);
        }
    free(shape);
    return out;
}
