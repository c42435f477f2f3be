/*
 * test_strokes.c - pages through strokes.c, compared with what its header says,
 * pixel by pixel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page/strokes.h"
#include "test/cases.h"
#include "test/pages.h"

#define MOST_INKS 4u

/* A page of 8 bits, [height][inks][width]. */
struct sheet {
    uint32_t inks, width, height, across, down;
    uint8_t *samples;
};

static uint8_t *at(const struct sheet *sheet, uint32_t x, uint32_t y,
                   uint32_t k)
{
    return &sheet->samples[(y * sheet->inks + k) * sheet->width + x];
}

static struct sheet new_sheet(uint32_t inks, uint32_t width, uint32_t height,
                              uint32_t across, uint32_t down)
{
    struct sheet sheet = {inks, width, height, across, down, NULL};

    sheet.samples = calloc((size_t)inks * width, height);
    assert_non_null(sheet.samples);
    return sheet;
}

static void fill(const struct sheet *sheet, uint32_t left, uint32_t top,
                 uint32_t width, uint32_t height, const uint8_t *pixel)
{
    for (uint32_t y = top; y < top + height && y < sheet->height; y++)
        for (uint32_t x = left; x < left + width && x < sheet->width; x++)
            for (uint32_t k = 0; k < sheet->inks; k++)
                *at(sheet, x, y, k) = pixel[k];
}

/* Draws bars of any size and tone over each other, some of them bare paper. */
static void draw(const struct sheet *sheet, uint64_t *seed)
{
    static const uint8_t tones[] = {0,   0,   5,   6,   60, 109,
                                    110, 160, 229, 230, 255};
    uint32_t bars = sheet->width * sheet->height / 60 + 1;

    for (uint32_t i = 0; i < bars; i++) {
        uint8_t pixel[MOST_INKS];
        bool bare = random_below(seed, 3) == 0;

        for (uint32_t k = 0; k < MOST_INKS; k++)
            pixel[k] = bare ? 0 : tones[random_below(seed, sizeof tones)];
        fill(sheet, (uint32_t)random_below(seed, sheet->width),
             (uint32_t)random_below(seed, sheet->height),
             1 + (uint32_t)random_below(seed, 2 * sheet->across),
             1 + (uint32_t)random_below(seed, 2 * sheet->down), pixel);
    }
}

/* ---- What the header says -------------------------------------------------
 */

static bool is_marked(const struct sheet *sheet, uint32_t x, uint32_t y)
{
    for (uint32_t k = 0; k < sheet->inks; k++)
        if (*at(sheet, x, y, k) > 5)
            return true;
    return false;
}

static bool all_marked(const struct sheet *sheet, uint32_t left, uint32_t top)
{
    if (left + sheet->across > sheet->width ||
        top + sheet->down > sheet->height)
        return false;
    for (uint32_t y = top; y < top + sheet->down; y++)
        for (uint32_t x = left; x < left + sheet->across; x++)
            if (!is_marked(sheet, x, y))
                return false;
    return true;
}

/* Whether no rectangle of marked pixels has the pixel. */
static bool is_thin(const struct sheet *sheet, uint32_t x, uint32_t y)
{
    uint32_t left = x + 1 > sheet->across ? x + 1 - sheet->across : 0;
    uint32_t first = y + 1 > sheet->down ? y + 1 - sheet->down : 0;

    for (uint32_t top = first; top <= y; top++)
        for (uint32_t i = left; i <= x; i++)
            if (all_marked(sheet, i, top))
                return false;
    return true;
}

static unsigned dots_at(const struct sheet *sheet, const struct two_level *dots,
                        uint32_t x, uint32_t y)
{
    uint8_t sample[MOST_INKS] = {0};

    for (uint32_t k = 0; k < sheet->inks; k++)
        sample[k] = *at(sheet, x, y, k);
    return two_level_dots(dots, sample);
}

struct beside {
    bool paper, dots, solid;
};

static struct beside beside(const struct sheet *sheet,
                            const struct two_level *dots, uint32_t x,
                            uint32_t y)
{
    struct beside beside = {.paper = false};

    for (uint32_t i = 0; i < 9; i++) {
        uint32_t nx = x + i % 3 - 1, ny = y + i / 3 - 1;

        if (i == 4 || nx >= sheet->width || ny >= sheet->height)
            continue;
        if (!is_marked(sheet, nx, ny)) {
            beside.paper = true;
            continue;
        }
        beside.dots |= dots_at(sheet, dots, nx, ny) != 0;
        for (uint32_t k = 0; k < sheet->inks; k++)
            beside.solid |= *at(sheet, nx, ny, k) >= 230;
    }
    return beside;
}

/* The sample that is to leave. */
static uint8_t wanted(const struct sheet *sheet, const struct two_level *dots,
                      uint32_t x, uint32_t y, uint32_t k)
{
    struct beside around = beside(sheet, dots, x, y);
    unsigned here = dots_at(sheet, dots, x, y);
    bool cut = is_marked(sheet, x, y);

    if (cut && is_thin(sheet, x, y))
        cut = here != 0 || around.dots;
    else if (cut)
        cut = around.paper && around.solid;
    return cut ? (uint8_t)((here >> k & 1) * 255) : *at(sheet, x, y, k);
}

/* ---- The tests ------------------------------------------------------------
 */

/* Puts a row in as 8 or 16 bits; inks that it lacks are not written. */
static void put(struct strokes *strokes, const struct sheet *sheet, uint32_t y)
{
    uint16_t *inked, now = 0;
    uint8_t *space = strokes_space(strokes, &inked);

    for (uint32_t k = 0; k < sheet->inks; k++) {
        for (uint32_t x = 0; x < sheet->width; x++)
            now |= (uint16_t)((*at(sheet, x, y, k) != 0) << k);
        if ((now >> k & 1) == 0)
            continue;
        for (uint32_t x = 0; x < sheet->width; x++)
            if (strokes->bits == 8)
                space[k * sheet->width + x] = *at(sheet, x, y, k);
            else
                ((uint16_t *)(void *)space)[k * sheet->width + x] =
                    (uint16_t)(*at(sheet, x, y, k) * 257);
    }
    *inked = now;
    strokes_put(strokes);
}

static void compare_row(const struct sheet *sheet, const struct two_level *dots,
                        const uint16_t *row, uint32_t bits, uint16_t inked,
                        uint32_t y)
{
    for (uint32_t k = 0; k < sheet->inks; k++)
        for (uint32_t x = 0; x < sheet->width; x++) {
            size_t i = k * sheet->width + x;
            unsigned got =
                bits == 8 ? ((const uint8_t *)row)[i] : row[i] / 257u;

            case_is("%u bits, ink %u, column %u, row %u", bits, k, x, y);
            assert_int_equal(got, wanted(sheet, dots, x, y, k));
            if (got > 0)
                assert_int_equal(inked >> k & 1, 1);
        }
}

static void compare(const struct sheet *sheet, uint32_t bits)
{
    struct two_level dots;
    struct strokes strokes;
    uint16_t *row = malloc((size_t)sheet->inks * sheet->width * sizeof *row);
    uint16_t inked = UINT16_MAX;
    uint32_t rows = 0;

    assert_non_null(row);
    two_level_init(&dots, sheet->inks, 1);
    assert_true(strokes_open(&strokes, &dots, sheet->width, bits, sheet->across,
                             sheet->down));
    for (uint32_t y = 0; y < sheet->height; y++) {
        while (strokes_want(&strokes) && rows < sheet->height)
            put(&strokes, sheet, rows++);
        assert_true(strokes_have(&strokes));
        inked = strokes_take(&strokes, row, inked);
        compare_row(sheet, &dots, row, bits, inked, y);
    }
    assert_false(strokes_have(&strokes));
    strokes_close(&strokes);
    free(row);
}

static void pages_are_as_the_header_says(void **state)
{
    static const uint32_t inks[] = {1, 3, 4};
    uint64_t seed = 9;

    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        struct sheet sheet =
            new_sheet(inks[i % 3], 1 + (uint32_t)random_below(&seed, 70),
                      1 + (uint32_t)random_below(&seed, 40),
                      1 + (uint32_t)random_below(&seed, 9),
                      1 + (uint32_t)random_below(&seed, 9));

        draw(&sheet, &seed);
        compare(&sheet, 8);
        compare(&sheet, 16);
        free(sheet.samples);
    }
}

/* A gray letter is black, a gray picture stays. */
static void what_is_thin_is_a_stroke(void **state)
{
    static const uint8_t gray = 128, light = 60;
    struct sheet sheet = new_sheet(1, 60, 40, 8, 8);
    struct two_level dots;

    (void)state;
    two_level_init(&dots, 1, 1);
    fill(&sheet, 2, 2, 7, 30, &gray);
    fill(&sheet, 12, 2, 7, 30, &light);
    fill(&sheet, 22, 2, 8, 30, &gray);
    assert_int_equal(wanted(&sheet, &dots, 5, 20, 0), 255);
    assert_int_equal(wanted(&sheet, &dots, 15, 20, 0), light);
    assert_int_equal(wanted(&sheet, &dots, 25, 20, 0), gray);
    assert_int_equal(wanted(&sheet, &dots, 40, 20, 0), 0);
    compare(&sheet, 8);
    free(sheet.samples);
}

static void strokes_are_thinner_than_1_2_mm(void **state)
{
    (void)state;
    assert_int_equal(strokes_pixels(600), 28);
    assert_int_equal(strokes_pixels(300), 14);
    assert_int_equal(strokes_pixels(203), 9);
    assert_int_equal(strokes_pixels(1), 2);
    assert_int_equal(strokes_pixels(9600), 254);
}

/* The widest page, of 16 bits: 2 MiB a row. */
static void rows_that_are_kept_are_limited(void **state)
{
    struct two_level dots;
    struct strokes strokes;

    (void)state;
    two_level_init(&dots, 4, 1);
    assert_true(strokes_open(&strokes, &dots, 262144, 16, 254, 254));
    assert_int_equal(strokes.down, 32);
    strokes_close(&strokes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cases_test(pages_are_as_the_header_says),
        cases_test(what_is_thin_is_a_stroke),
        cases_test(strokes_are_thinner_than_1_2_mm),
        cases_test(rows_that_are_kept_are_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
