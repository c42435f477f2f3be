/*
 * strokes_wanted.c - what page/black/strokes.h says, pixel by pixel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "page/color/color.h"
#include "test/unit/strokes_wanted.h"

static bool is_marked(const struct toned_sheet *sheet, uint32_t x, uint32_t y)
{
    for (uint32_t k = 0; k < sheet->inks; k++)
        if (*at(sheet, x, y, k) > 5)
            return true;
    return false;
}

/* Tells whether a rectangle has marked pixels alone; the page goes on beyond
 * its edges as it is there. */
static bool all_marked(const struct toned_sheet *sheet, int left, int top)
{
    for (int y = top; y < top + (int)sheet->down; y++)
        for (int x = left; x < left + (int)sheet->across; x++)
            if (!is_marked(sheet, onto(x, sheet->width),
                           onto(y, sheet->height)))
                return false;
    return true;
}

/* Whether no rectangle of marked pixels has the pixel. */
static bool is_thin(const struct toned_sheet *sheet, uint32_t x, uint32_t y)
{
    const int right = (int)x, bottom = (int)y;

    for (int top = bottom + 1 - (int)sheet->down; top <= bottom; top++)
        for (int left = right + 1 - (int)sheet->across; left <= right; left++)
            if (all_marked(sheet, left, top))
                return false;
    return true;
}

enum { PAPER, WIDE, STROKE };

static bool is_one_tone(const struct toned_sheet *sheet, uint32_t x, uint32_t y,
                        uint32_t x2, uint32_t y2)
{
    for (uint32_t k = 0; k < sheet->inks; k++)
        if (abs(*at(sheet, x, y, k) - *at(sheet, x2, y2, k)) > 8)
            return false;
    return true;
}

/* Tells whether a pixel is beside or below a wide one of its tone. */
static bool hangs_on(const struct toned_sheet *sheet, const uint8_t *kinds,
                     uint32_t x, uint32_t y)
{
    static const int near[][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}};

    for (size_t i = 0; i < 5; i++) {
        const uint32_t nx = x + (uint32_t)near[i][0],
                       ny = y + (uint32_t)near[i][1];

        if (nx < sheet->width && ny < sheet->height &&
            kinds[ny * sheet->width + nx] == WIDE &&
            is_one_tone(sheet, x, y, nx, ny))
            return true;
    }
    return false;
}

/* Returns the first pixel behind a run of paper, or of what is none. */
static uint32_t run_end(const struct toned_sheet *sheet, const uint8_t *row,
                        uint32_t x)
{
    const bool paper = row[x] == PAPER;

    while (x < sheet->width && (row[x] == PAPER) == paper)
        x++;
    return x;
}

/* Looks for a wide run right of the one that ends at `end`, and makes what lies
 * between them wide. */
static void enclose(const struct toned_sheet *sheet, uint8_t *kinds, uint32_t y,
                    uint32_t end)
{
    uint8_t *row = kinds + (size_t)y * sheet->width;
    uint32_t last = end; /* of the run before */
    bool below = false;

    while (last < sheet->width) {
        const uint32_t first = run_end(sheet, row, last);

        if (first == sheet->width || first - last > sheet->across ||
            !is_one_tone(sheet, last - 1, y, first, y))
            return;
        const uint32_t stop = run_end(sheet, row, first);
        if (row[first] == WIDE) {
            for (uint32_t x = end; below && x < first; x++)
                row[x] = row[x] == PAPER ? PAPER : WIDE;
            return;
        }
        for (uint32_t x = first; x < stop; x++)
            for (uint32_t up = 1; up <= 255 && up <= y; up++)
                below |= kinds[(y - up) * sheet->width + x] == WIDE;
        if (row[stop - 1] == WIDE)
            return;
        last = stop;
    }
}

/* Finds the kinds of all pixels, [height][width]. */
static uint8_t *find_kinds(const struct toned_sheet *sheet)
{
    const uint32_t width = sheet->width;
    uint8_t *kinds = calloc(width, sheet->height);

    if (kinds == NULL)
        abort();
    for (uint32_t y = 0; y < sheet->height; y++) {
        uint8_t *row = kinds + (size_t)y * width;
        bool grows = true;

        for (uint32_t x = 0; x < width; x++)
            row[x] = !is_marked(sheet, x, y) ? PAPER
                     : is_thin(sheet, x, y)  ? STROKE
                                             : WIDE;
        while (grows) {
            grows = false;
            for (uint32_t x = 0; x < width; x++)
                if (row[x] == STROKE && hangs_on(sheet, kinds, x, y)) {
                    row[x] = WIDE;
                    grows = true;
                }
        }
        for (uint32_t x = 0, end; x < width; x = end) {
            end = run_end(sheet, row, x);
            if (row[x] != PAPER && row[end - 1] == WIDE)
                enclose(sheet, kinds, y, end);
        }
    }
    return kinds;
}

static unsigned dots_at(const struct toned_sheet *sheet,
                        const struct two_level *dots, uint32_t x, uint32_t y)
{
    uint8_t sample[MOST_INKS] = {0};

    for (uint32_t k = 0; k < sheet->inks; k++)
        sample[k] = *at(sheet, x, y, k);
    return two_level_dots(dots, sample);
}

static bool is_gray(const struct toned_sheet *sheet, uint32_t x, uint32_t y)
{
    double area[COLOR_INKS] = {0}, xyz[3], lab[3];

    for (uint32_t k = 0; k < sheet->inks; k++)
        area[(k + (sheet->inks == 3)) % COLOR_INKS] =
            *at(sheet, x, y, k) / 255.0;
    color_of_areas(area, xyz);
    color_lab(xyz, lab);
    return sheet->inks == 1 || hypot(lab[1], lab[2]) <= 8;
}

/* The solid inks of a pixel, or that it becomes; cuts[height][width]. */
static uint8_t *find_cuts(const struct toned_sheet *sheet,
                          const struct two_level *dots, const uint8_t *kinds)
{
    const unsigned black = sheet->inks == 3 ? 7 : 1;
    uint8_t *cuts = calloc(sheet->width, sheet->height);

    if (cuts == NULL)
        abort();
    for (uint32_t y = 0; y < sheet->height; y++)
        for (uint32_t x = 0; x < sheet->width; x++) {
            unsigned inks = 0;
            bool solid = is_marked(sheet, x, y);

            for (uint32_t k = 0; k < sheet->inks; k++) {
                const uint8_t v = *at(sheet, x, y, k);

                solid = solid && (v <= 5 || v >= 230);
                inks |= (unsigned)(v >= 230) << k;
            }
            if (!solid)
                inks = kinds[y * sheet->width + x] == STROKE &&
                               dots_at(sheet, dots, x, y) == black &&
                               is_gray(sheet, x, y)
                           ? black
                           : 0;
            cuts[y * sheet->width + x] = (uint8_t)inks;
        }
    return cuts;
}

static bool touches(const struct toned_sheet *sheet, const uint8_t *cuts,
                    uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < 9; i++) {
        uint32_t nx = x + i % 3 - 1, ny = y + i / 3 - 1;

        if (nx < sheet->width && ny < sheet->height &&
            cuts[ny * sheet->width + nx] != 0)
            return true;
    }
    return false;
}

static bool fades(const struct toned_sheet *sheet, uint32_t x, uint32_t y,
                  unsigned solid)
{
    if (solid == (sheet->inks == 3 ? 7 : 1))
        return is_gray(sheet, x, y);
    for (uint32_t k = 0; k < sheet->inks; k++)
        if ((solid >> k & 1) == 0 && *at(sheet, x, y, k) > 5)
            return false;
    return true;
}

/* Returns the inks that the pixel is an edge of; 0 = it is none. */
static unsigned edge_of(const struct toned_sheet *sheet, const uint8_t *cuts,
                        uint32_t x, uint32_t y)
{
    unsigned solid = 0;
    bool paper = false;

    for (uint32_t i = 0; i < 9; i++) {
        uint32_t nx = x + i % 3 - 1, ny = y + i / 3 - 1;

        if (nx >= sheet->width || ny >= sheet->height)
            continue;
        const unsigned cut = cuts[ny * sheet->width + nx];
        if (!is_marked(sheet, nx, ny))
            paper = true;
        else if (cut == 0 && !touches(sheet, cuts, nx, ny))
            return 0;
        else if (cut != 0 && solid == 0 && fades(sheet, x, y, cut))
            solid = cut;
    }
    return paper ? solid : 0;
}

/* Returns the inks that a pixel is printed with, solid; or -1: it stays. */
static int printed(const struct toned_sheet *sheet,
                   const struct two_level *dots, const uint8_t *kinds,
                   const uint8_t *cuts, uint32_t x, uint32_t y)
{
    const unsigned cut = cuts[y * sheet->width + x];

    if (!is_marked(sheet, x, y))
        return -1;
    if (cut != 0)
        return kinds[y * sheet->width + x] == STROKE ? (int)cut : -1;
    const unsigned edge = edge_of(sheet, cuts, x, y);
    const unsigned here = dots_at(sheet, dots, x, y);
    return edge != 0 && (here == 0 || here == edge) ? (int)here : -1;
}

int *strokes_wanted(const struct toned_sheet *sheet,
                    const struct two_level *dots)
{
    const size_t pixels = (size_t)sheet->width * sheet->height;
    uint8_t *kinds = find_kinds(sheet);
    uint8_t *cuts = find_cuts(sheet, dots, kinds);
    int *wanted = malloc(pixels * sizeof *wanted);

    if (wanted == NULL)
        abort();
    for (uint32_t i = 0; i < pixels; i++)
        wanted[i] = printed(sheet, dots, kinds, cuts, i % sheet->width,
                            i / sheet->width);
    free(cuts);
    free(kinds);
    return wanted;
}
