/*
 * test_shapes.c - pages through shapes.c, compared with what doc/dev/black.md
 * says, shape by shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/black/shapes.h"
#include "test/unit/black_wanted.h"
#include "test/cases.h"
#include "test/unit/no_memory.h"
#include "test/unit/pages.h"
#include "test/unit/toned_sheet.h"

static const uint8_t solid[MOST_INKS] = {255};

/* ---- Pages --------------------------------------------------------------- */

/* Makes a page of that resolution. */
static struct toned_sheet sheet_at(uint32_t dpi, uint32_t inks, uint32_t width,
                                   uint32_t height)
{
    struct toned_sheet sheet = new_sheet(inks, width, height, 0, 0);

    sheet.dpi = dpi;
    return sheet;
}

/* A page of 8 or 16 bits as the filter has it, all in memory. */
struct page_rows {
    uint8_t *data;
    size_t row_bytes;
};

static struct page_rows rows_of(const struct toned_sheet *sheet, uint32_t bits)
{
    const size_t samples = (size_t)sheet->inks * sheet->width;
    struct page_rows rows = {.row_bytes = samples * (bits / 8)};

    rows.data = malloc(rows.row_bytes * sheet->height);
    assert_non_null(rows.data);
    for (size_t i = 0; i < samples * sheet->height; i++)
        if (bits == 8)
            rows.data[i] = sheet->samples[i];
        else
            ((uint16_t *)(void *)rows.data)[i] =
                (uint16_t)(sheet->samples[i] * 257);
    return rows;
}

static uint16_t inked_in(const struct toned_sheet *sheet, uint32_t y)
{
    uint16_t inked = 0;

    for (uint32_t k = 0; k < sheet->inks; k++)
        for (uint32_t x = 0; x < sheet->width; x++)
            inked |= (uint16_t)((*at(sheet, x, y, k) != 0) << k);
    return inked;
}

/* Takes rows that are ready but the last `but`, and spoils them, as nothing may
 * look at them any more. */
static void take(struct shapes *shapes, const struct toned_sheet *sheet,
                 struct toned_sheet *out, const struct page_rows *rows,
                 size_t but)
{
    while (shapes->taken < shapes->ready &&
           shapes->taken + but < shapes->came) {
        const uint32_t y = (uint32_t)shapes->taken;
        uint8_t *row = rows->data + y * rows->row_bytes;
        const bool changed = shapes_take(shapes, row);
        bool differs = false;

        for (uint32_t k = 0; k < sheet->inks; k++)
            for (uint32_t x = 0; x < sheet->width; x++) {
                const size_t i = (size_t)k * sheet->width + x;
                const unsigned got =
                    shapes->black->bits == 8
                        ? row[i]
                        : ((const uint16_t *)(void *)row)[i] / 257u;

                differs |= got != *at(sheet, x, y, k);
                *at(out, x, y, k) = (uint8_t)got;
            }
        assert_int_equal(changed, differs);
        memset(row, 0x5a, rows->row_bytes);
    }
}

/* Returns what a page becomes; the caller frees its samples. Takes rows at once
 * after each `band` rows. */
static struct toned_sheet blacken(const struct toned_sheet *sheet,
                                  uint32_t bits, uint32_t band)
{
    struct toned_sheet out = copy_sheet(sheet);
    struct page_rows rows = rows_of(sheet, bits);
    struct shapes shapes;
    struct black black;

    black_init(&black, rgb_black, sheet->inks, sheet->width, bits);
    assert_true(shapes_open(&shapes, &black, sheet->dpi));
    for (uint32_t y = 0; y < sheet->height; y++) {
        shapes_put(&shapes, rows.data + y * rows.row_bytes, inked_in(sheet, y));
        assert_true(shapes.came - shapes.ready <= shapes.wait);
        take(&shapes, sheet, &out, &rows, (y + 1) % band == 0 ? 0 : SHAPES_LAG);
    }
    shapes_end(&shapes);
    take(&shapes, sheet, &out, &rows, 0);
    assert_int_equal(shapes.taken, sheet->height);
    shapes_close(&shapes);
    free(rows.data);
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

/* Checks what a page becomes, in 8 and 16 bits, and frees both. */
static void assert_becomes(struct toned_sheet *sheet,
                           struct toned_sheet *wanted)
{
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        struct toned_sheet got = blacken(sheet, bits, 7);

        case_add(", %u bits", bits);
        assert_same(&got, wanted);
        free(got.samples);
    }
    if (wanted != sheet)
        free(wanted->samples);
    free(sheet->samples);
}

/* ---- The model ----------------------------------------------------------- */

/* Tones around what counts: black and 1/255 beside it, dark and nearly. */
static const uint8_t grays[][MOST_INKS] = {
    {0}, {0}, {0}, {255}, {155}, {156}, {223}, {222}, {223}, {223}, {224}, {1}};
static const uint8_t colors[][MOST_INKS] = {{0},
                                            {0},
                                            {0, 40, 0, 0},
                                            {255, 0, 0, 0},
                                            {17, 255, 255, 255},
                                            {18, 255, 255, 255},
                                            {19, 255, 255, 255},
                                            {226, 184, 173, 171},
                                            {226, 184, 173, 171},
                                            {227, 183, 174, 170},
                                            {228, 184, 173, 171},
                                            {200, 180, 172, 172}};

/* Draws boxes of any size and tone over each other. */
static void draw(const struct toned_sheet *sheet, uint64_t *seed)
{
    const uint32_t boxes = 1 + (uint32_t)random_below(seed, 60);

    for (uint32_t i = 0; i < boxes; i++) {
        uint32_t width = 1 + (uint32_t)random_below(seed, 4);
        uint32_t height = 1 + (uint32_t)random_below(seed, 4);
        const size_t tone = (size_t)random_below(seed, 12);

        if (random_below(seed, 4) == 0)
            width += (uint32_t)random_below(seed, 40);
        if (random_below(seed, 4) == 0)
            height += (uint32_t)random_below(seed, 40);
        fill(sheet, (uint32_t)random_below(seed, sheet->width),
             (uint32_t)random_below(seed, sheet->height), width, height,
             sheet->inks == 1 ? grays[tone] : colors[tone]);
    }
}

/* Some pages are higher than the rows that may wait. */
TEST(pages_are_as_the_document_says)
{
    uint64_t seed = 51;
    unsigned pages[2][2] = {{0}};

    for (unsigned i = 0; i < 1000; i++) {
        struct toned_sheet sheet =
            sheet_at(i % 4 < 2 ? 72 : 10, i % 2 == 0 ? 1 : 4,
                     1 + (uint32_t)random_below(&seed, i % 8 == 7 ? 3 : 60),
                     1 + (uint32_t)random_below(&seed, 40));
        const uint32_t band = 1 + i % 9;

        draw(&sheet, &seed);
        struct toned_sheet wanted =
            black_wanted(&sheet, sheet.dpi == 72 ? 70 : 9);
        for (uint32_t y = 0; y < sheet.height; y++)
            for (uint32_t x = 0; x < sheet.width; x++)
                if (wanted_black(&sheet, x, y))
                    pages[i % 2][*at(&wanted, x, y, 0) == 255]++;
        for (uint32_t bits = 8; bits <= 16; bits += 8) {
            struct toned_sheet got = blacken(&sheet, bits, band);

            case_is("page %u of %u by %u, %u bits, bands of %u", i, sheet.width,
                    sheet.height, bits, band);
            assert_same(&got, &wanted);
            free(got.samples);
        }
        free(wanted.samples);
        free(sheet.samples);
    }
    for (unsigned i = 0; i < 2; i++) {
        print_message("# %u inks: of black %u pixels stay, %u are K alone\n",
                      i == 0 ? 1 : 4, pages[i][0], pages[i][1]);
        assert_true(pages[i][0] > 1000 && pages[i][1] > 1000);
    }
}

/* ---- What users print -----------------------------------------------------
 */

static const uint8_t *black_of(uint32_t inks)
{
    static const uint8_t gray[MOST_INKS] = {223};

    return inks == 1 ? gray : rgb_black;
}

/* Draws a letter E, on a page to be printed and on what is wanted. */
static void draw_letter(const struct toned_sheet *sheet, uint32_t left,
                        uint32_t top, uint32_t size, const uint8_t *pixel)
{
    fill(sheet, left, top, size, 5 * size, pixel);
    for (unsigned i = 0; i < 3; i++)
        fill(sheet, left, top + 2 * i * size, 3 * size, size, pixel);
}

/* Letters, rules, and a panel over the page's edge with white letters, on paper
 * and on a tint. */
TEST(flat_black_is_black_ink_alone)
{
    static const uint8_t tint[MOST_INKS] = {100, 20, 20, 20}, bare[MOST_INKS];

    for (uint32_t inks = 1; inks <= 4; inks += 3) {
        struct toned_sheet sheet = sheet_at(100, inks, 200, 300), wanted;

        fill(&sheet, 100, 0, 60, 300, tint);
        wanted = copy_sheet(&sheet);
        for (unsigned to = 0; to < 2; to++) {
            const struct toned_sheet *on = to == 0 ? &sheet : &wanted;
            const uint8_t *black = to == 0 ? black_of(inks) : solid;

            for (uint32_t size = 1; size < 6; size++)
                draw_letter(on, 15 * size, 20 * size, size, black);
            fill(on, 80, 0, 1, 300, black);
            fill(on, 0, 150, 200, 80, black);
            draw_letter(on, 90, 170, 8, bare);
        }
        case_is("%u inks", inks);
        assert_becomes(&sheet, &wanted);
    }
}

/* A gradient's darkest part, however large, with steps of two pixels and more,
 * in all directions. */
TEST(gradients_keep_every_step)
{
    for (unsigned inks = 1; inks <= 4; inks += 3)
        for (unsigned way = 0; way < 4; way++)
            for (uint32_t step = 2; step <= 20; step += 9) {
                struct toned_sheet sheet = sheet_at(300, inks, 300, 300);

                for (uint32_t i = 0; i < 300; i++) {
                    const uint32_t at = way < 2 ? i : 299 - i;
                    const uint32_t off = i < 100 ? 0 : (i - 100) / step;
                    uint8_t pixel[MOST_INKS];

                    for (uint32_t k = 0; k < inks; k++) {
                        const uint8_t v = black_of(inks)[k];

                        pixel[k] = off * 3 < v ? (uint8_t)(v - off * 3) : 0;
                    }
                    fill(&sheet, way % 2 == 0 ? at : 10, way % 2 == 0 ? 10 : at,
                         way % 2 == 0 ? 1 : 80, way % 2 == 0 ? 80 : 1, pixel);
                }
                case_is("%u inks, way %u, steps of %u", inks, way, step);
                assert_becomes(&sheet, &sheet);
            }
}

/* Pixels of a picture, `size` by `size` dots each, of which many are black and
 * dark, as in shadows. */
TEST(pictures_stay)
{
    uint64_t seed = 7;

    for (unsigned size = 2; size <= 4; size++) {
        struct toned_sheet sheet = sheet_at(300, 4, 200, 200);

        for (uint32_t y = 0; y < 200; y += size)
            for (uint32_t x = 0; x < 200; x += size) {
                const uint8_t off = (uint8_t)random_below(&seed, 12);
                const uint8_t pixel[MOST_INKS] = {
                    (uint8_t)(226 - off / 2 * 4), (uint8_t)(184 - off / 2),
                    (uint8_t)(173 - off / 3), 171};

                fill(&sheet, x, y, size, size, pixel);
            }
        case_is("pixels of %u dots", size);
        assert_becomes(&sheet, &sheet);
    }
}

/* One of letters of a client that draws soft edges, a pixel wide. */
TEST(soft_edges_keep_their_tones)
{
    static const uint8_t edges[][MOST_INKS] = {
        {200, 181, 170, 168}, {20, 20, 18, 18}, {90, 150, 140, 138}};
    struct toned_sheet sheet = sheet_at(600, 4, 60, 60), wanted;

    for (unsigned i = 0; i < 3; i++)
        fill(&sheet, 10 + 20 * (i % 2), 9 + i, 3, 30, edges[i]);
    wanted = copy_sheet(&sheet);
    fill(&sheet, 11, 10, 1, 20, rgb_black);
    fill(&wanted, 11, 10, 1, 20, solid);
    case_is("a stem");
    assert_becomes(&sheet, &wanted);
}

/* ---- Limits ---------------------------------------------------------------
 */

/* The widest page, of 16 bits: 2 MiB a row. */
TEST(rows_that_wait_are_limited)
{
    static const struct {
        uint32_t inks, width, bits, dpi;
        size_t wait;
    } pages[] = {{4, 262144, 16, 9600, 16},
                 {4, 4960, 8, 600, 590},
                 {1, 4960, 8, 254, 250},
                 {4, 100, 8, 1, 5}};

    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        struct shapes shapes;
        struct black black;

        case_is("page %zu", i);
        black_init(&black, rgb_black, pages[i].inks, pages[i].width,
                   pages[i].bits);
        assert_true(shapes_open(&shapes, &black, pages[i].dpi));
        assert_int_equal(shapes.wait, pages[i].wait);
        shapes_close(&shapes);
    }
}

/* 2^20 shapes and a bar down the page, which holds back rows until there are
 * too many stretches. The bar becomes part of a picture at its end. */
TEST(a_page_of_a_million_shapes_is_right)
{
    enum { WIDTH = 4200, ROWS = 1000, END = 900 };
    static const uint8_t dark[MOST_INKS] = {224};
    struct toned_sheet sheet = sheet_at(600, 1, WIDTH, ROWS), wanted;

    fill(&sheet, 0, 0, 1, END, black_of(1));
    fill(&sheet, 0, END, 2, 2, dark);
    for (uint32_t y = 0; y < ROWS; y += 2)
        for (uint32_t x = 3; x < WIDTH; x += 2)
            fill(&sheet, x, y, 1, 1, black_of(1));
    wanted = copy_sheet(&sheet);
    /* The bar's rows that have left when its last one becomes known: from the
     * next one on there were more stretches. A row of dots has 2,099. */
    uint32_t left = END - 1;
    for (size_t stretches = 0; left > 0; left--) {
        stretches += left % 2 == 0 ? 1 : 2100;
        if (stretches > SHAPES_STRETCHES)
            break;
    }
    fill(&wanted, 0, 0, 1, left, solid);
    for (uint32_t y = 0; y < ROWS; y += 2)
        for (uint32_t x = 3; x < WIDTH; x += 2)
            fill(&wanted, x, y, 1, 1, solid);
    case_is("dots");
    assert_becomes(&sheet, &wanted);
}

TEST(without_memory_there_are_no_shapes)
{
    struct shapes shapes;
    struct black black;
    unsigned fails = 0;

    black_init(&black, rgb_black, 4, 100, 8);
    for (;; fails++) {
        fail_at = fails + 1;
        const bool opened = shapes_open(&shapes, &black, 600);
        const bool failed = fail_at == 0;

        fail_at = 0;
        shapes_close(&shapes);
        assert_int_equal(opened, !failed);
        if (opened)
            break;
    }
    assert_int_equal(fails, 4 + 2 * 8);
}
