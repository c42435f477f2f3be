/*
 * test_black_text.c - pages through black_text.c, compared with what its header
 * says, shape by shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/black/black_text.h"
#include "page/black/strokes.h"
#include "test/unit/black_wanted.h"
#include "test/cases.h"
#include "test/unit/no_memory.h"
#include "test/unit/pages.h"
#include "test/unit/toned_sheet.h"

/* ---- Pages --------------------------------------------------------------- */

struct box {
    uint32_t left, top, width, height;
    uint8_t pixel[MOST_INKS];
};

static void draw_box(const struct toned_sheet *sheet, const struct box *box)
{
    fill(sheet, box->left, box->top, box->width, box->height, box->pixel);
}

/* Makes a page of that resolution. */
static struct toned_sheet sheet_at(uint32_t dpi, uint32_t inks, uint32_t width,
                                   uint32_t height)
{
    const uint32_t side = strokes_pixels(dpi);

    struct toned_sheet sheet = new_sheet(inks, width, height, side, side);

    sheet.dpi = dpi;
    return sheet;
}

/* Puts the next row of the page in as 8 or 16 bits; inks that it lacks are not
 * written. */
static void put(struct black_text *text, const struct toned_sheet *sheet,
                uint32_t y)
{
    uint16_t *inked, now = 0;
    uint8_t *space = row_ring_space(&text->ring, &inked);

    for (uint32_t k = 0; k < sheet->inks; k++)
        for (uint32_t x = 0; x < sheet->width; x++)
            now |= (uint16_t)((*at(sheet, x, y, k) != 0) << k);
    for (uint32_t k = 0; k < sheet->inks; k++)
        for (uint32_t x = 0; ((now | *inked) >> k & 1) != 0 && x < sheet->width;
             x++)
            if (text->black->bits == 8)
                space[k * sheet->width + x] = *at(sheet, x, y, k);
            else
                ((uint16_t *)(void *)space)[k * sheet->width + x] =
                    (uint16_t)(*at(sheet, x, y, k) * 257);
    *inked = now;
    black_text_put(text);
}

/* Returns what a page becomes; the caller frees its samples. Asks for a row as
 * soon as it can be had. */
static struct toned_sheet blacken(const struct toned_sheet *sheet,
                                  uint32_t bits)
{
    const uint32_t dpi[2] = {sheet->dpi, sheet->dpi};
    struct toned_sheet out = copy_sheet(sheet);
    uint16_t *row = malloc((size_t)sheet->inks * sheet->width * sizeof *row);
    uint16_t inked = UINT16_MAX;
    struct black_text text;
    struct black black;
    uint32_t rows = 0;

    assert_non_null(row);
    black_init(&black, rgb_black, sheet->inks, sheet->width, bits);
    assert_true(black_text_open(&text, &black, dpi));
    for (uint32_t y = 0; y < sheet->height; y++) {
        bool changed, differs = false;

        while (black_text_wants(&text))
            if (rows < sheet->height)
                put(&text, sheet, rows++);
            else
                black_text_end(&text);
        assert_true(text.ring.taken < text.ring.put);
        inked = black_text_take(&text, row, inked, &changed);
        for (uint32_t k = 0; k < sheet->inks; k++)
            for (uint32_t x = 0; x < sheet->width; x++) {
                const size_t i = k * sheet->width + x;
                const unsigned got =
                    bits == 8 ? ((const uint8_t *)row)[i] : row[i] / 257u;

                differs |= got != *at(sheet, x, y, k);
                *at(&out, x, y, k) = (uint8_t)got;
            }
        assert_int_equal(changed, differs);
        if (changed) /* as its caller finds out then */
            inked = UINT16_MAX;
    }
    assert_int_equal(text.ring.taken, text.ring.put);
    black_text_close(&text);
    free(row);
    return out;
}

static void assert_same(const struct toned_sheet *got,
                        const struct toned_sheet *wanted)
{
    for (uint32_t y = 0; y < got->height; y++)
        for (uint32_t k = 0; k < got->inks; k++)
            for (uint32_t x = 0; x < got->width; x++)
                if (*at(got, x, y, k) != *at(wanted, x, y, k)) {
                    case_add(", ink %u, column %u, row %u", k, x, y);
                    assert_int_equal(*at(got, x, y, k), *at(wanted, x, y, k));
                }
}

/* Checks that the page stays as it is, and frees it. */
static void assert_stays(struct toned_sheet *sheet, uint32_t bits)
{
    struct toned_sheet got = blacken(sheet, bits);

    assert_same(&got, sheet);
    free(got.samples);
    free(sheet->samples);
}

/* ---- The tests ------------------------------------------------------------
 */

/* Draws boxes of any size and tone over each other. */
static void draw(const struct toned_sheet *sheet, uint64_t *seed)
{
    static const uint8_t grays[] = {0,   0,   0,   40,  155, 156,
                                    218, 219, 223, 223, 254, 255};
    static const uint8_t colors[][MOST_INKS] = {
        {0, 0, 0, 0},         {0, 0, 0, 0},         {0, 0, 0, 0},
        {0, 40, 0, 0},        {255, 0, 0, 0},       {73, 255, 255, 3},
        {74, 255, 255, 3},    {206, 177, 172, 172}, {206, 177, 172, 172},
        {206, 177, 172, 173}, {187, 178, 168, 130}, {200, 0, 0, 0}};
    const uint32_t boxes = 1 + (uint32_t)random_below(seed, 40);

    for (uint32_t i = 0; i < boxes; i++) {
        struct box box = {.left = (uint32_t)random_below(seed, sheet->width),
                          .top = (uint32_t)random_below(seed, sheet->height),
                          .width = 1 + (uint32_t)random_below(seed, 5),
                          .height = 1 + (uint32_t)random_below(seed, 5)};

        if (random_below(seed, 3) == 0)
            box.width += (uint32_t)random_below(seed, 40);
        if (random_below(seed, 3) == 0)
            box.height += (uint32_t)random_below(seed, 40);
        if (sheet->inks == 1)
            box.pixel[0] = grays[random_below(seed, sizeof grays)];
        else
            memcpy(box.pixel, colors[random_below(seed, 12)], MOST_INKS);
        draw_box(sheet, &box);
    }
}

/* Draws boxes of paper, and of the panel's tone or nearly, on a panel. */
static void draw_panel(const struct toned_sheet *sheet, uint64_t *seed)
{
    static const uint8_t inks[][MOST_INKS] = {
        {223}, {206, 177, 172, 172}, {224}, {206, 177, 172, 173}};
    const uint32_t boxes = 1 + (uint32_t)random_below(seed, 40);
    struct box box = {0, 0, sheet->width, sheet->height, {0}};

    memcpy(box.pixel, inks[sheet->inks == 4], MOST_INKS);
    draw_box(sheet, &box);
    for (uint32_t i = 0; i < boxes; i++) {
        const size_t near = random_below(seed, 12) == 0 ? 2 : 0;

        box = (struct box){(uint32_t)random_below(seed, sheet->width),
                           (uint32_t)random_below(seed, sheet->height),
                           1 + (uint32_t)random_below(seed, 8),
                           1 + (uint32_t)random_below(seed, 8),
                           {0}};
        if (random_below(seed, 3) == 0)
            memcpy(box.pixel, inks[near + (sheet->inks == 4)], MOST_INKS);
        draw_box(sheet, &box);
    }
}

/* Pages that are no higher than the rows that may wait. */
TEST(pages_are_as_the_header_says)
{
    uint64_t seed = 51;
    unsigned with_text[2] = {0};

    for (unsigned i = 0; i < 800; i++) {
        struct toned_sheet sheet = sheet_at(
            72, i % 2 == 0 ? 1 : 4, 1 + (uint32_t)random_below(&seed, 60),
            1 + (uint32_t)random_below(&seed, 26));

        (i % 8 < 6 ? draw : draw_panel)(&sheet, &seed);
        struct toned_sheet expected = black_wanted(&sheet);
        with_text[i % 2] +=
            memcmp(expected.samples, sheet.samples,
                   (size_t)sheet.inks * sheet.width * sheet.height) != 0;
        for (uint32_t bits = 8; bits <= 16; bits += 8) {
            struct toned_sheet got = blacken(&sheet, bits);

            case_is("page %u of %u by %u, %u bits", i, sheet.width,
                    sheet.height, bits);
            assert_same(&got, &expected);
            free(got.samples);
        }
        free(expected.samples);
        free(sheet.samples);
    }
    print_message("# %u pages of one ink and %u of four have text\n",
                  with_text[0], with_text[1]);
    assert_true(with_text[0] > 50 && with_text[1] > 50);
}

/* Each a tone that is nearly black, for one ink and for four. */
static const uint8_t tones[][MOST_INKS] = {
    {219}, {223}, {254}, {206, 177, 172, 172}, {187, 178, 168, 167}};

#define TONES (sizeof tones / sizeof tones[0])

static struct toned_sheet sheet_of(size_t tone, uint32_t dpi)
{
    return sheet_at(dpi, tone < 3 ? 1 : 4, dpi, dpi);
}

/* Draws a letter E of strokes of 0.5 mm, 4 mm high. */
static void draw_letter(const struct toned_sheet *sheet, uint32_t left,
                        uint32_t top, const uint8_t *pixel)
{
    const uint32_t mm = sheet->dpi * 10 / 254;
    const uint32_t stroke = mm / 2 > 0 ? mm / 2 : 1;

    fill(sheet, left, top, stroke, 4 * mm, pixel);
    for (unsigned i = 0; i < 3; i++)
        fill(sheet, left, top + i * (4 * mm - stroke) / 2, 2 * mm + i % 2,
             stroke, pixel);
}

/* Letters and rules on paper and on a tint, also beside a solid panel. */
TEST(letters_and_rules_are_black)
{
    static const uint8_t solid[MOST_INKS] = {255};

    for (size_t i = 0; i < TONES; i++)
        for (uint32_t dpi = 180; dpi <= 600; dpi += 210) {
            const uint32_t mm = dpi * 10 / 254;
            const struct box tint = {
                10 * mm, 0, 8 * mm, dpi, {100, 20, 20, 20}};
            const struct box panel = {2 * mm, 20 * mm, 10 * mm, 4 * mm, {255}};
            struct toned_sheet sheet = sheet_of(i, dpi), expected;

            case_is("tone %zu, %u dpi", i, dpi);
            draw_box(&sheet, &tint);
            draw_box(&sheet, &panel);
            expected = copy_sheet(&sheet);
            for (unsigned black = 0; black < 2; black++) {
                const struct toned_sheet *to = black ? &expected : &sheet;
                const uint8_t *pixel = black ? solid : tones[i];

                draw_letter(to, 3 * mm, 2 * mm, pixel);
                draw_letter(to, 12 * mm, 2 * mm, pixel);
                draw_letter(to, 3 * mm, 10 * mm, pixel);
                fill(to, mm, 8 * mm, 8 * mm, 1, pixel);
                /* Longer than the rows that wait. */
                fill(to, 20 * mm, mm, mm / 2, dpi - 2 * mm, pixel);
            }
            struct toned_sheet got = blacken(&sheet, 8);
            assert_same(&got, &expected);
            free(got.samples);
            free(expected.samples);
            free(sheet.samples);
        }
}

/* A panel from 3 mm on, anywhere, beside or over anything that is as dark. */
TEST(panels_stay)
{
    static const uint8_t beside[][MOST_INKS] = {
        {0}, {255}, {156}, {60}, {240, 200, 190, 180}, {40, 20, 20, 20}};

    for (size_t i = 0; i < TONES; i++)
        for (size_t j = 0; j < sizeof beside / sizeof beside[0]; j++)
            for (unsigned place = 0; place < 9; place++) {
                const uint32_t dpi = 150, mm = dpi * 10 / 254;
                const uint32_t side = 3 * dpi * 10 / 254, far = dpi - side;
                struct toned_sheet sheet = sheet_of(i, dpi);
                struct box neighbor = {0, dpi / 2, dpi, 4 * mm, {0}};
                struct box panel = {
                    place % 3 * far / 2, place / 3 * far / 2, side, side, {0}};

                memcpy(neighbor.pixel, beside[j], MOST_INKS);
                memcpy(panel.pixel, tones[i], MOST_INKS);
                draw_box(&sheet, &neighbor);
                draw_box(&sheet, &panel);
                case_is("tone %zu, neighbor %zu, place %u", i, j, place);
                assert_stays(&sheet, place % 2 == 0 ? 8 : 16);
            }
}

/* Cut by the page's edge, the rest of a panel is no text. */
TEST(panels_over_an_edge_stay)
{
    for (size_t i = 0; i < TONES; i++)
        for (unsigned edge = 0; edge < 4; edge++) {
            struct toned_sheet sheet = sheet_of(i, 300);
            struct box strip = {edge == 1 ? 295 : 0,
                                edge == 3 ? 295 : 0,
                                edge < 2 ? 5 : 200,
                                edge < 2 ? 200 : 5,
                                {0}};

            memcpy(strip.pixel, tones[i], MOST_INKS);
            draw_box(&sheet, &strip);
            case_is("tone %zu, edge %u", i, edge);
            assert_stays(&sheet, 8);
        }
}

/* From white to black, in both directions, down to a tenth of a millimeter
 * wide, with steps of up to 9 mm each. */
TEST(gradients_keep_every_step)
{
    for (unsigned inks = 1; inks <= 4; inks += 3)
        for (unsigned down = 0; down < 2; down++)
            for (uint32_t wide = 1; wide < 40; wide += 6)
                for (uint32_t step = 1; step <= 54; step += 53) {
                    const uint32_t length = step == 1 ? 256 : 40 * step;
                    struct toned_sheet sheet = sheet_at(
                        150, inks, down ? 60 : length, down ? length : 60);

                    for (uint32_t i = 0; i < length; i++) {
                        const uint8_t v =
                            (uint8_t)(step == 1 ? i : 215 + i / step);
                        struct box line = {down ? 10 : i,
                                           down ? i : 10,
                                           down ? wide : 1,
                                           down ? 1 : wide,
                                           {v, v / 2, v / 2, v / 2}};

                        draw_box(&sheet, &line);
                    }
                    case_is("%u inks, %u wide, steps of %u, %s", inks, wide,
                            step, down ? "down" : "across");
                    assert_stays(&sheet, 8);
                }
}

/* The rows and the frame of a table of one tone are one shape. */
TEST(tables_stay)
{
    for (size_t i = 0; i < TONES; i++) {
        struct toned_sheet sheet = sheet_of(i, 300);
        struct box parts[] = {{20, 20, 200, 40, {0}},
                              {20, 20, 2, 90, {0}},
                              {218, 20, 2, 90, {0}},
                              {20, 80, 200, 2, {0}},
                              {20, 108, 200, 2, {0}}};

        for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
            memcpy(parts[part].pixel, tones[i], MOST_INKS);
            draw_box(&sheet, &parts[part]);
        }
        case_is("tone %zu", i);
        assert_stays(&sheet, 8);
    }
}

/* Pixels of a picture, 4 by 4 dots each, of which many are nearly black. */
TEST(pictures_stay)
{
    uint64_t seed = 7;

    for (unsigned inks = 1; inks <= 4; inks += 3) {
        struct toned_sheet sheet = sheet_at(300, inks, 400, 400);

        for (uint32_t y = 0; y < 100; y++)
            for (uint32_t x = 0; x < 100; x++) {
                const uint8_t v = (uint8_t)random_below(&seed, 256);
                const struct box pixel = {
                    4 * x,
                    4 * y,
                    4,
                    4,
                    {v, (uint8_t)(v * 4 / 5), (uint8_t)(v * 3 / 4), v * 3 / 4}};

                draw_box(&sheet, &pixel);
            }
        case_is("%u inks", inks);
        assert_stays(&sheet, 8);
    }
}

/* The widest page, of 16 bits: 2 MiB a row. */
TEST(rows_that_are_kept_are_limited)
{
    static const uint32_t dpi[2] = {9600, 9600};
    struct black_text text;
    struct black black;

    black_init(&black, rgb_black, 4, 262144, 16);
    assert_true(black_text_open(&text, &black, dpi));
    assert_int_equal(text.down, 32);
    assert_int_equal(text.ring.rows, 35);
    black_text_close(&text);
}

/* A bar waits for its end, and for no more rows than 10 mm have. */
TEST(rows_wait_for_the_end_of_their_shapes)
{
    static const uint32_t dpi[2] = {600, 254 * 3};
    static const uint8_t bar[] = {226}, none[] = {0};
    struct toned_sheet sheet = sheet_at(600, 1, 40, 500);
    struct black_text text;
    struct black black;
    uint32_t rows = 0;

    black_init(&black, rgb_black, 1, sheet.width, 8);
    assert_true(black_text_open(&text, &black, dpi));
    assert_int_equal(text.ring.rows, 300 + 3);
    fill(&sheet, 10, 0, 3, 500, bar);
    while (black_text_wants(&text))
        put(&text, &sheet, rows++);
    assert_int_equal(rows, 301);
    black_text_close(&text);
    assert_true(black_text_open(&text, &black, dpi));
    fill(&sheet, 0, 20, 40, 480, none);
    for (rows = 0; black_text_wants(&text);)
        put(&text, &sheet, rows++);
    assert_int_equal(rows, 21);
    black_text_close(&text);
    free(sheet.samples);
    assert_true(black_text_open(&text, &black, (const uint32_t[]){1, 1}));
    assert_int_equal(text.ring.rows, 2 + 3);
    black_text_close(&text);
}

/* A pixel of four inks is dark by K and a quarter, a half and a quarter of C, M
 * and Y, in vectors and behind them. */
TEST(dark_is_the_sum_of_the_inks)
{
    enum { WIDTH = 67 };
    static const struct {
        uint8_t pixel[MOST_INKS];
        bool dark;
    } cases[] = {{{200, 0, 0, 0}, true},     {{199, 0, 0, 0}, false},
                 {{137, 252, 0, 0}, true},   {{137, 251, 0, 0}, false},
                 {{73, 0, 254, 0}, true},    {{73, 0, 253, 0}, false},
                 {{137, 0, 0, 252}, true},   {{137, 0, 0, 251}, false},
                 {{180, 40, 12, 16}, true},  {{180, 40, 11, 16}, false},
                 {{0, 255, 255, 255}, true}, {{0, 255, 145, 255}, false}};
    uint8_t row[MOST_INKS * WIDTH], dark[WIDTH];
    uint16_t deep[MOST_INKS * WIDTH];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t bits = 8; bits <= 16; bits += 8) {
            struct black black;
            bool text;

            case_is("pixel %zu, %u bits", i, bits);
            black_init(&black, rgb_black, 4, WIDTH, bits);
            for (size_t j = 0; j < sizeof row; j++) {
                row[j] = cases[i].pixel[j / WIDTH];
                deep[j] = (uint16_t)(row[j] * 257);
            }
            assert_int_equal(black_find_dark(&black,
                                             bits == 8 ? (void *)row : deep,
                                             dark, &text),
                             cases[i].dark);
            for (size_t x = 0; x < WIDTH; x++)
                assert_int_equal(dark[x], cases[i].dark);
        }
}

TEST(without_memory_there_is_no_text)
{
    static const uint32_t dpi[2] = {600, 600};
    struct black_text text;
    struct black black;
    unsigned fails = 0;

    black_init(&black, rgb_black, 4, 100, 8);
    for (;; fails++) {
        fail_at = fails + 1;
        const bool opened = black_text_open(&text, &black, dpi);
        const bool failed = fail_at == 0;

        fail_at = 0;
        black_text_close(&text);
        assert_int_equal(opened, !failed);
        if (opened)
            break;
    }
    assert_int_equal(fails, 8);
}

/* White letters O on a panel, the last two a pixel from each other: what they
 * enclose is the panel's. A dark one on a white label in it is text. */
TEST(letters_do_not_cut_panels)
{
    for (size_t tone = 0; tone < TONES; tone++)
        for (uint32_t dpi = 203; dpi <= 600; dpi += 397) {
            const uint32_t mm = dpi * 10 / 254, stroke = mm / 2;
            struct toned_sheet sheet = sheet_of(tone, dpi);
            struct box panel = {mm, mm, dpi - 2 * mm, 12 * mm, {0}};

            memcpy(panel.pixel, tones[tone], sizeof panel.pixel);
            draw_box(&sheet, &panel);
            for (uint32_t i = 0; i < 3; i++) {
                const uint32_t left = 3 * mm + i * 3 * mm - (i == 2) * (mm - 1);
                struct box ring = {left, 3 * mm, 2 * mm, 3 * mm, {0}};
                struct box inside = {
                    left + stroke, 3 * mm + stroke, mm, 2 * mm, {0}};

                memcpy(inside.pixel, tones[tone], sizeof inside.pixel);
                draw_box(&sheet, &ring);
                draw_box(&sheet, &inside);
            }
            struct toned_sheet got = blacken(&sheet, 8);
            case_is("tone %zu, %u dpi", tone, dpi);
            assert_same(&got, &sheet);
            free(got.samples);

            struct box label = {14 * mm, 3 * mm, 7 * mm, 8 * mm, {0}};
            struct toned_sheet expected;
            static const uint8_t black[MOST_INKS] = {255};

            draw_box(&sheet, &label);
            expected = copy_sheet(&sheet);
            draw_letter(&sheet, 16 * mm + mm / 2, 5 * mm, tones[tone]);
            draw_letter(&expected, 16 * mm + mm / 2, 5 * mm, black);
            got = blacken(&sheet, 8);
            assert_same(&got, &expected);
            free(got.samples);
            free(expected.samples);
            free(sheet.samples);
        }
}
