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

static int depth(const struct toned_sheet *sheet, uint32_t x, uint32_t y)
{
    const uint32_t c = sheet->inks == 4;
    int sum = sheet->inks == 3 ? 0 : *at(sheet, x, y, 0);

    if (sheet->inks > 1)
        sum += *at(sheet, x, y, c) / 4 + *at(sheet, x, y, c + 1) / 2 +
               *at(sheet, x, y, c + 2) / 4;
    return sum < 255 ? sum : 255;
}

static bool same(const struct toned_sheet *sheet, uint32_t x, uint32_t y,
                 uint32_t x2, uint32_t y2)
{
    for (uint32_t k = 0; k < sheet->inks; k++)
        if (*at(sheet, x, y, k) != *at(sheet, x2, y2, k))
            return false;
    return true;
}

/* All of a page that a pixel is looked at with. */
struct view {
    const struct toned_sheet *sheet;
    const uint8_t *kinds, *cuts;
    uint32_t reach, hairline;
};

static bool on_page(const struct view *v, uint32_t x, uint32_t y)
{
    return x < v->sheet->width && y < v->sheet->height;
}

static unsigned cut_at(const struct view *v, uint32_t x, uint32_t y)
{
    return v->cuts[y * v->sheet->width + x];
}

/* Tells whether 2 r pixels are equal from one on, on a way. */
static bool flat(const struct view *v, uint32_t x, uint32_t y, uint32_t dx,
                 uint32_t dy)
{
    for (uint32_t i = 1; i < 2 * v->reach; i++)
        if (!on_page(v, x + i * dx, y + i * dy) ||
            !same(v->sheet, x, y, x + i * dx, y + i * dy))
            return false;
    return true;
}

/* Returns the steps to the paper, `sign` -1, or to the dark end, 1; or 0. */
static uint32_t steps_to_end(const struct view *v, uint32_t x, uint32_t y,
                             uint32_t dx, uint32_t dy, int sign)
{
    for (uint32_t i = 1; i <= v->reach; i++) {
        const uint32_t nx = x + i * dx, ny = y + i * dy;

        if (!on_page(v, nx, ny))
            return 0;
        if (!is_marked(v->sheet, nx, ny))
            return sign < 0 ? i : 0;
        if (sign * depth(v->sheet, nx, ny) <
            sign * depth(v->sheet, nx - dx, ny - dy))
            return 0;
        if (sign > 0 && depth(v->sheet, nx, ny) > depth(v->sheet, x, y) &&
            (cut_at(v, nx, ny) != 0 ||
             (depth(v->sheet, nx, ny) >= 64 && flat(v, nx, ny, dx, dy))))
            return i;
    }
    return 0;
}

/* Tells whether a pixel is the darkest across a thin gray line. */
static bool is_hairline(const struct view *v, uint32_t x, uint32_t y)
{
    const struct toned_sheet *sheet = v->sheet;

    if (v->kinds[y * sheet->width + x] != STROKE || depth(sheet, x, y) < 64 ||
        !is_gray(sheet, x, y))
        return false;
    for (uint32_t down = 0; down < 2; down++) {
        uint32_t pixels = 1;
        bool line = true;

        for (uint32_t back = 0; back < 2; back++) {
            const uint32_t one = back ? UINT32_MAX : 1;
            uint32_t nx = x, ny = y;

            for (;;) {
                nx += down ? 0 : one;
                ny += down ? one : 0;
                line = line && on_page(v, nx, ny) && pixels <= v->hairline;
                if (!line || !is_marked(sheet, nx, ny))
                    break;
                line = cut_at(v, nx, ny) == 0 &&
                       depth(sheet, nx, ny) <= depth(sheet, x, y);
                pixels++;
            }
        }
        if (line && pixels <= v->hairline)
            return true;
    }
    return false;
}

/* Returns the inks of an outline, if a white letter lies beside a pixel as dark
 * as the panel (px, py); or 0. */
static int outline(const struct view *v, uint32_t x, uint32_t y, uint32_t px,
                   uint32_t py)
{
    const struct toned_sheet *sheet = v->sheet;
    int inks = 0;
    bool letter = false;

    for (uint32_t way = 0; way < 4; way++) {
        const uint32_t one = way % 2 == 0 ? 1 : UINT32_MAX;
        const uint32_t dx = way < 2 ? one : 0, dy = way < 2 ? 0 : one;
        uint32_t paper = 0, i = 1;
        int before = depth(sheet, px, py);

        for (; i <= v->reach + 1 && on_page(v, x + i * dx, y + i * dy); i++) {
            const uint32_t nx = x + i * dx, ny = y + i * dy;
            const bool bare = !is_marked(sheet, nx, ny);
            const int here = bare ? 0 : depth(sheet, nx, ny);

            if (!bare && paper > 0) {
                letter = true;
                break;
            }
            paper += bare;
            if (here > before ||
                (i == 1 && !bare && 2 * here >= depth(sheet, px, py)))
                break;
            before = here;
        }
    }
    if (!letter)
        return 0;
    if (is_gray(sheet, px, py))
        return sheet->inks == 3 ? 7 : 1;
    for (uint32_t k = 0; k < sheet->inks; k++)
        inks |= (*at(sheet, px, py, k) >= 64) << k;
    return inks;
}

/* Finds what a pixel is printed as. */
static void print(const struct view *v, const struct two_level *dots,
                  uint32_t x, uint32_t y, struct strokes_pixel *to)
{
    const struct toned_sheet *sheet = v->sheet;
    const unsigned cut = cut_at(v, x, y), here = dots_at(sheet, dots, x, y);

    *to = (struct strokes_pixel){-1, x, y};
    if (!is_marked(sheet, x, y))
        return;
    if (cut != 0) {
        if (v->kinds[y * sheet->width + x] == STROKE)
            to->inks = (int)cut;
        return;
    }
    static const int ways[][2] = {{1, 0}, {0, 1},  {-1, 0}, {0, -1},
                                  {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    uint32_t least = 0, dx = 0, dy = 0;

    for (int i = 0; i < 8; i++) {
        const uint32_t steps = steps_to_end(v, x, y, (uint32_t)ways[i][0],
                                            (uint32_t)ways[i][1], 1);

        if (steps == 0 || (least > 0 && steps >= least))
            continue;
        least = steps;
        dx = (uint32_t)ways[i][0];
        dy = (uint32_t)ways[i][1];
    }
    if (least > 0 && steps_to_end(v, x, y, -dx, -dy, -1) > 0) {
        const uint32_t ex = x + least * dx, ey = y + least * dy;
        const unsigned solid = cut_at(v, ex, ey);

        if (solid == 0 && 2 * depth(sheet, x, y) >= depth(sheet, ex, ey))
            *to = outline(v, x, y, ex, ey) != 0
                      ? (struct strokes_pixel){outline(v, x, y, ex, ey), x, y}
                      : (struct strokes_pixel){-1, ex, ey};
        else if (solid == 0)
            to->inks = 0;
        else if (fades(sheet, x, y, solid) && (here == 0 || here == solid))
            to->inks = (int)here;
        return;
    }
    if (is_hairline(v, x, y))
        to->inks = sheet->inks == 3 ? 7 : 1;
    else if (v->kinds[y * sheet->width + x] == WIDE &&
             depth(sheet, x, y) >= 64 && outline(v, x, y, x, y) != 0)
        to->inks = outline(v, x, y, x, y);
}

struct strokes_pixel *strokes_wanted(const struct toned_sheet *sheet,
                                     const struct two_level *dots)
{
    const size_t pixels = (size_t)sheet->width * sheet->height;
    uint8_t *kinds = find_kinds(sheet);
    uint8_t *cuts = find_cuts(sheet, dots, kinds);
    struct strokes_pixel *wanted = malloc(pixels * sizeof *wanted);
    const uint32_t side =
        sheet->across < sheet->down ? sheet->across : sheet->down;
    const struct view view = {sheet, kinds, cuts, (side + 1) / 2,
                              ((side + 1) / 2 + 2) / 3};

    if (wanted == NULL)
        abort();
    for (uint32_t i = 0; i < pixels; i++)
        print(&view, dots, i % sheet->width, i / sheet->width, &wanted[i]);
    free(cuts);
    free(kinds);
    return wanted;
}
