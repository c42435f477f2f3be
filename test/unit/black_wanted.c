/*
 * black_wanted.c - what page/black/black_text.h says, shape by shape.
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

static bool is_dark(const struct toned_sheet *sheet, uint32_t x, uint32_t y)
{
    const unsigned k = *at(sheet, x, y, 0);

    if (sheet->inks == 1)
        return k > 155;
    return k + *at(sheet, x, y, 1) / 4 + *at(sheet, x, y, 2) / 2 +
               *at(sheet, x, y, 3) / 4 >=
           200;
}

static bool is_near(const struct toned_sheet *sheet, uint32_t x, uint32_t y)
{
    if (sheet->inks == 1)
        return *at(sheet, x, y, 0) >= 219 && *at(sheet, x, y, 0) < 255;
    for (uint32_t k = 0; k < MOST_INKS; k++)
        if (abs(*at(sheet, x, y, k) - rgb_black[k]) > 40)
            return false;
    return true;
}

static bool equal(const struct toned_sheet *sheet, uint32_t x, uint32_t y,
                  uint32_t x2, uint32_t y2)
{
    for (uint32_t k = 0; k < sheet->inks; k++)
        if (*at(sheet, x, y, k) != *at(sheet, x2, y2, k))
            return false;
    return true;
}

/* Finds the pixels of the shape of one, [height][width], by looking at all
 * pixels again and again. */
static void find_shape(const struct toned_sheet *sheet, uint32_t x, uint32_t y,
                       bool *shape)
{
    const uint32_t width = sheet->width, height = sheet->height;
    bool grows = true;

    memset(shape, 0, (size_t)width * height * sizeof *shape);
    shape[y * width + x] = true;
    while (grows) {
        grows = false;
        for (uint32_t i = 0; i < width * height; i++)
            for (uint32_t j = 0; j < 9 && !shape[i]; j++) {
                const uint32_t nx = i % width + j % 3 - 1,
                               ny = i / width + j / 3 - 1;

                if (nx < width && ny < height && shape[ny * width + nx] &&
                    is_dark(sheet, i % width, i / width))
                    grows = shape[i] = true;
            }
    }
}

/* Tells whether the shape has a square that ends at (right, bottom), where the
 * page goes on beyond its edges as it is there. */
static bool has_square(const struct toned_sheet *sheet, const bool *shape,
                       int right, int bottom)
{
    const int side = (int)sheet->across;

    for (int y = bottom - side + 1; y <= bottom; y++)
        for (int x = right - side + 1; x <= right; x++)
            if (!shape[onto(y, sheet->height) * sheet->width +
                       onto(x, sheet->width)])
                return false;
    return true;
}

static bool is_wide(const struct toned_sheet *sheet, const bool *shape,
                    int below)
{
    const int side = (int)sheet->across;

    for (int y = 0; y < (int)sheet->height + below; y++)
        for (int x = 0; x < (int)sheet->width + side; x++)
            if (has_square(sheet, shape, x, y))
                return true;
    return false;
}

/* Counts the tones, up to 3, that the ends of the shape's stretches touch. */
struct grounds {
    uint32_t x[3], y[3];
    unsigned count;
};

static void see(const struct toned_sheet *sheet, struct grounds *grounds,
                uint32_t x, uint32_t y)
{
    if (x >= sheet->width || y >= sheet->height || is_dark(sheet, x, y))
        return;
    for (unsigned i = 0; i < grounds->count; i++)
        if (equal(sheet, x, y, grounds->x[i], grounds->y[i]))
            return;
    if (grounds->count == 3)
        return;
    grounds->x[grounds->count] = x;
    grounds->y[grounds->count++] = y;
}

static unsigned count_grounds(const struct toned_sheet *sheet,
                              const bool *shape)
{
    struct grounds grounds = {.count = 0};

    for (uint32_t y = 0; y < sheet->height; y++)
        for (uint32_t x = 0; x < sheet->width; x++) {
            const bool *row = shape + (size_t)y * sheet->width;

            if (!row[x])
                continue;
            const bool first = x == 0 || !row[x - 1];
            const bool last = x + 1 == sheet->width || !row[x + 1];

            for (uint32_t ny = y - 1; ny != y + 2; ny++) {
                if (first || last)
                    see(sheet, &grounds, x, ny);
                if (first)
                    see(sheet, &grounds, x - 1, ny);
                if (last)
                    see(sheet, &grounds, x + 1, ny);
            }
        }
    return grounds.count;
}

/* Squares may end `below` rows below the page. */
static bool is_text(const struct toned_sheet *sheet, const bool *shape,
                    uint32_t x, uint32_t y, int below)
{
    const uint32_t width = sheet->width;

    if (!is_near(sheet, x, y))
        return false;
    if (width == 0)
        abort();
    for (uint32_t i = 0; i < width * sheet->height; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
        if (shape[i] && !equal(sheet, x, y, i % width, i / width))
            return false;
    return !is_wide(sheet, shape, below) && count_grounds(sheet, shape) <= 2;
}

/* A stretch of dark pixels in a row. */
struct dark_stretch {
    uint32_t first, end;
    bool text; /* as far as the rows down to this one say */
};

static bool touches(const struct toned_sheet *sheet, const bool *shape,
                    const bool *stays)
{
    for (uint32_t i = 0; i < sheet->width * sheet->height; i++)
        if (shape[i] && stays[i])
            return true;
    return false;
}

static bool is_text_by(const struct toned_sheet *sheet, const bool *stays,
                       uint32_t x, uint32_t y)
{
    struct toned_sheet upper = *sheet;
    bool *shape = malloc((size_t)sheet->width * sheet->height * sizeof *shape);

    if (shape == NULL)
        abort();
    upper.height = y + 1;
    find_shape(&upper, x, y, shape);
    const bool text =
        !touches(&upper, shape, stays) && is_text(&upper, shape, x, y, 0);
    free(shape);
    return text;
}

static bool are_near(const struct toned_sheet *sheet,
                     const struct dark_stretch *left, uint32_t y)
{
    return left[1].first - left->end <= sheet->across &&
           equal(sheet, left->end - 1, y, left[1].first, y);
}

/* Marks what lies between the last of the stretches, which is no text, and the
 * next one that is none before it. */
static void mark_between(const struct toned_sheet *sheet,
                         const struct dark_stretch *first,
                         const struct dark_stretch *last, uint32_t y,
                         bool *stays)
{
    const struct dark_stretch *stretch = last;

    while (stretch > first && are_near(sheet, stretch - 1, y) &&
           (--stretch)->text)
        ;
    if (stretch == last || stretch->text)
        return;
    for (stretch++; stretch < last; stretch++)
        stays[y * sheet->width + stretch->first] = true;
}

/* Marks a pixel of each shape, [height][width], that lies in a panel. */
static void find_enclosed(const struct toned_sheet *sheet, bool *stays)
{
    struct dark_stretch stretches[64];

    for (uint32_t y = 0; y < sheet->height; y++) {
        unsigned count = 0;

        for (uint32_t x = 0; x < sheet->width; x++)
            if (!is_dark(sheet, x, y))
                continue;
            else if (x > 0 && is_dark(sheet, x - 1, y))
                stretches[count - 1].end = x + 1;
            else
                stretches[count++] = (struct dark_stretch){x, x + 1, false};
        for (unsigned i = 0; i < count; i++) {
            if ((i > 0 && are_near(sheet, &stretches[i - 1], y)) ||
                (i + 1 < count && are_near(sheet, &stretches[i], y)))
                stretches[i].text =
                    is_text_by(sheet, stays, stretches[i].first, y);
            if (!stretches[i].text)
                mark_between(sheet, stretches, &stretches[i], y, stays);
        }
    }
}

struct toned_sheet black_wanted(const struct toned_sheet *sheet)
{
    const uint32_t width = sheet->width;
    const size_t pixels = (size_t)width * sheet->height;
    struct toned_sheet out = copy_sheet(sheet);
    bool *shape = malloc(pixels * sizeof *shape);
    bool *seen = calloc(pixels, sizeof *seen);
    bool *stays = calloc(pixels, sizeof *stays);

    if (shape == NULL || seen == NULL || stays == NULL)
        abort();
    find_enclosed(sheet, stays);
    if (width == 0)
        abort();
    for (uint32_t i = 0; i < pixels; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
        const uint32_t x = i % width, y = i / width;

        if (seen[i] || !is_dark(sheet, x, y))
            continue;
        find_shape(sheet, x, y, shape);
        const bool text = is_text(sheet, shape, x, y, (int)sheet->across) &&
                          !touches(sheet, shape, stays);
        for (uint32_t j = 0; j < pixels; j++) {
            seen[j] |= shape[j];
            for (uint32_t k = 0; text && shape[j] && k < sheet->inks; k++)
                /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
                *at(&out, j % width, j / width, k) = k == 0 ? 255 : 0;
        }
    }
    free(shape);
    free(seen);
    free(stays);
    return out;
}
