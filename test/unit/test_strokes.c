/*
 * test_strokes.c - pages through strokes.c, compared with what its header says,
 * pixel by pixel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <sys/mman.h>

#include "page/black/strokes.h"
#include "test/cases.h"
#include "test/unit/no_memory.h"
#include "test/unit/pages.h"
#include "test/unit/strokes_wanted.h"
#include "test/unit/toned_sheet.h"

/* Draws bars of any size and tone over each other, some of them bare paper. */
static void draw(const struct toned_sheet *sheet, uint64_t *seed)
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

/* Draws a panel, with white letters of any shape and some of its own tone. */
static void draw_panel(const struct toned_sheet *sheet, uint64_t *seed)
{
    static const uint8_t panel[MOST_INKS] = {200, 10, 10, 10},
                         nearly[MOST_INKS] = {193, 10, 10, 10},
                         bare[MOST_INKS] = {0};
    const uint32_t boxes = sheet->width * sheet->height / 40;

    fill(sheet, (uint32_t)random_below(seed, 4),
         (uint32_t)random_below(seed, 4), sheet->width, sheet->height - 1,
         panel);
    for (uint32_t i = 0; i < boxes; i++)
        fill(sheet, (uint32_t)random_below(seed, sheet->width),
             (uint32_t)random_below(seed, sheet->height),
             1 + (uint32_t)random_below(seed, sheet->across),
             1 + (uint32_t)random_below(seed, sheet->down),
             random_below(seed, 3) > 0 ? bare
             : random_below(seed, 2)   ? panel
                                       : nearly);
}

/* Draws pictures from side to side, of tones that seldom differ much, and bare
 * rows and letters between them. */
static void draw_picture(const struct toned_sheet *sheet, uint64_t *seed)
{
    const uint8_t bare[MOST_INKS] = {0};
    uint32_t end = 0;

    for (uint32_t y = 0; y < sheet->height; y++)
        for (uint32_t x = 0; x < sheet->width; x++)
            for (uint32_t k = 0; k < sheet->inks; k++)
                *at(sheet, x, y, k) =
                    (uint8_t)(90 + random_below(seed, 3) * 60 +
                              random_below(seed, 2));
    for (uint32_t y = 0; y < sheet->height; y = end + sheet->down * 4) {
        end = y + (uint32_t)random_below(seed, 4);
        fill(sheet, (uint32_t)random_below(seed, sheet->width), y,
             1 + (uint32_t)random_below(seed, sheet->width), end - y, bare);
    }
}

/* ---- The tests ------------------------------------------------------------
 */

/* Writes a row as 8 or 16 bits; returns its inks. */
static uint16_t make_row(const struct toned_sheet *sheet, uint32_t y,
                         uint32_t bits, uint16_t *row)
{
    const size_t samples = (size_t)sheet->inks * sheet->width;
    uint16_t inked = 0;

    for (size_t i = 0; i < samples; i++) {
        const uint8_t v = sheet->samples[y * samples + i];

        inked |= (uint16_t)((v != 0) << i / sheet->width);
        if (bits == 8)
            ((uint8_t *)row)[i] = v;
        else
            row[i] = (uint16_t)(v * 257);
    }
    return inked;
}

/* `wanted` are those of the row. */
static void compare_row(const struct toned_sheet *sheet,
                        const struct strokes_pixel *wanted, const uint16_t *row,
                        uint32_t bits, uint16_t inked, uint32_t y)
{
    for (uint32_t x = 0; x < sheet->width; x++) {
        const struct strokes_pixel *pixel = &wanted[x];

        for (uint32_t k = 0; k < sheet->inks; k++) {
            size_t i = k * sheet->width + x;
            unsigned got =
                bits == 8 ? ((const uint8_t *)row)[i] : row[i] / 257u;

            case_is("%u bits, ink %u, column %u, row %u", bits, k, x, y);
            assert_int_equal(got, pixel->inks < 0
                                      ? *at(sheet, pixel->x, pixel->y, k)
                                      : (pixel->inks >> k & 1) * 255);
            if (got > 0)
                assert_int_equal(inked >> k & 1, 1);
        }
    }
}

static void compare(const struct toned_sheet *sheet, uint32_t bits)
{
    struct two_level dots;
    struct strokes strokes;
    uint16_t *row = malloc((size_t)sheet->inks * sheet->width * sizeof *row);
    uint32_t rows = 0;

    assert_non_null(row);
    two_level_init(&dots, sheet->inks, 1);
    struct strokes_pixel *wanted = strokes_wanted(sheet, &dots);
    assert_true(strokes_open(&strokes, &dots, sheet->width, bits, sheet->across,
                             sheet->down));
    for (uint32_t y = 0; y < sheet->height; y++) {
        for (; strokes_want(&strokes) && rows < sheet->height; rows++) {
            const uint16_t put = make_row(sheet, rows, bits, row);

            strokes_put(&strokes, row, put);
        }
        assert_true(strokes.ring.taken < strokes.ring.put);
        make_row(sheet, y, bits, row);
        const uint16_t inked = strokes_take(&strokes, row);
        compare_row(sheet, wanted + (size_t)y * sheet->width, row, bits, inked,
                    y);
    }
    assert_int_equal(strokes.ring.taken, strokes.ring.put);
    strokes_close(&strokes);
    free(wanted);
    free(row);
}

TEST(pages_are_as_the_header_says)
{
    static const uint32_t inks[] = {1, 3, 4};
    uint64_t seed = 9;

    for (unsigned i = 0; i < 240; i++) {
        const uint32_t most = i < 180 ? 9 : 4;
        struct toned_sheet sheet =
            new_sheet(inks[i % 3], 1 + (uint32_t)random_below(&seed, 70),
                      1 + (uint32_t)random_below(&seed, 40),
                      1 + (uint32_t)random_below(&seed, most),
                      1 + (uint32_t)random_below(&seed, most));

        if (i >= 180)
            draw_picture(&sheet, &seed);
        else if (i < 60)
            draw(&sheet, &seed);
        else
            draw_panel(&sheet, &seed);
        for (uint32_t y = 0; i < 180 && i % 4 == 3 && y < sheet.height; y++)
            if (random_below(&seed, 3) == 0)
                memset(at(&sheet, 0, y, 0), 0, sheet.inks * sheet.width);
        compare(&sheet, 8);
        compare(&sheet, 16);
        free(sheet.samples);
    }
}

/* Draws a gray bar of full height and `blank` rows below it two others with a
 * line between them, which they enclose if the first one is not too far. */
TEST(bars_count_blank_rows_above)
{
    static const uint32_t blanks[] = {1, 252, 253, 254, 255, 400};
    static const uint8_t gray[] = {200};

    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
        struct toned_sheet sheet = new_sheet(1, 60, 20 + blanks[i], 4, 4);

        fill(&sheet, 20, 0, 15, 8, gray);
        fill(&sheet, 5, 8 + blanks[i], 20, 12, gray);
        fill(&sheet, 27, 8 + blanks[i], 1, 12, gray);
        fill(&sheet, 30, 8 + blanks[i], 20, 12, gray);
        compare(&sheet, 8);
        free(sheet.samples);
    }
}

/* No memory but that of two rows is looked at, once all columns have ended. */
TEST(blank_rows_cost_no_work)
{
    struct strokes strokes;
    struct two_level dots;
    uint8_t row[70];

    two_level_init(&dots, 1, 1);
    assert_true(strokes_open(&strokes, &dots, 70, 8, 4, 4));
    struct strokes closing = strokes;
    void *nothing =
        mmap(NULL, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(nothing, MAP_FAILED);
    strokes.ring.data = strokes.marked = strokes.square.rows = nothing;
    strokes.tall = strokes.wide.rows = strokes.step.rows = nothing;
    memset(strokes.ring.inked, 0,
           strokes.ring.rows * sizeof *strokes.ring.inked);
    for (unsigned y = 0; y < 600; y++) {
        while (strokes_want(&strokes))
            strokes_put(&strokes, row, 0);
        assert_int_equal(strokes_take(&strokes, row), 0);
    }
    munmap(nothing, 1 << 16);
    strokes_close(&closing);
}

/* Returns the inks that a pixel of a page is printed with; -1 where it stays,
 * COPIED where it becomes as another one. */
#define COPIED (-2)
static int printed_at(const struct toned_sheet *sheet, uint32_t x, uint32_t y)
{
    struct two_level dots;

    two_level_init(&dots, sheet->inks, 1);
    struct strokes_pixel *wanted = strokes_wanted(sheet, &dots);
    const struct strokes_pixel *pixel = &wanted[y * sheet->width + x];
    bool copied = false;

    for (uint32_t k = 0; k < sheet->inks; k++)
        copied |= *at(sheet, x, y, k) != *at(sheet, pixel->x, pixel->y, k);
    const int inks = copied ? COPIED : pixel->inks;
    free(wanted);
    return inks;
}

/* A gray letter is black, a gray picture stays, also where the page cuts it. */
TEST(what_is_thin_is_a_stroke)
{
    static const uint8_t gray = 128, light = 60;
    struct toned_sheet sheet = new_sheet(1, 60, 40, 8, 8);

    fill(&sheet, 2, 2, 7, 30, &gray);
    fill(&sheet, 12, 2, 7, 30, &light);
    fill(&sheet, 22, 2, 8, 30, &gray);
    fill(&sheet, 56, 2, 4, 30, &gray);
    fill(&sheet, 2, 37, 40, 3, &gray);
    assert_int_equal(printed_at(&sheet, 5, 20), 1);
    assert_int_equal(printed_at(&sheet, 15, 20), -1);
    assert_int_equal(printed_at(&sheet, 25, 20), -1);
    assert_int_equal(printed_at(&sheet, 58, 20), -1);
    assert_int_equal(printed_at(&sheet, 20, 38), -1);
    assert_int_equal(printed_at(&sheet, 40, 20), -1);
    compare(&sheet, 8);
    free(sheet.samples);
}

/* Inks as Ghostscript's profile makes them of RGB colors, and as a designer
 * chooses them. */
TEST(colored_strokes_keep_their_color)
{
    static const struct {
        const char *name;
        uint8_t pixel[MOST_INKS];
        int inks;
    } colors[] = {{"black", {226, 184, 173, 171}, 1},
                  {"#808080", {20, 130, 111, 112}, 1},
                  {"brown", {87, 83, 193, 255}, -1},
                  {"dark red", {47, 77, 197, 163}, -1},
                  {"navy", {42, 255, 253, 34}, -1},
                  {"C 50 M 10", {0, 128, 26, 0}, -1},
                  {"red", {0, 0, 255, 255}, 12},
                  {"C 95", {0, 242, 0, 0}, 2},
                  {"40 % gray", {0, 107, 90, 91}, -1}};

    for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++) {
        struct toned_sheet sheet = new_sheet(4, 30, 30, 8, 8);

        fill(&sheet, 10, 5, 4, 20, colors[i].pixel);
        case_is("%s", colors[i].name);
        assert_int_equal(printed_at(&sheet, 12, 12), colors[i].inks);
        compare(&sheet, 8);
        free(sheet.samples);
    }
}

/* The gray edge of a letter goes; a line that touches it goes on to it, and a
 * colored one, too. */
TEST(light_strokes_do_not_break)
{
    static const uint8_t dark[] = {220}, light[] = {60}, edge[] = {100};
    static const uint8_t brown[] = {87, 83, 193, 255}, black[4] = {255};
    struct toned_sheet sheet = new_sheet(1, 60, 40, 8, 8);

    fill(&sheet, 30, 2, 1, 30, edge);
    fill(&sheet, 2, 10, 50, 2, light);
    fill(&sheet, 31, 2, 5, 30, dark);
    assert_int_equal(printed_at(&sheet, 30, 20), 0);
    assert_int_equal(printed_at(&sheet, 30, 10), -1);
    assert_int_equal(printed_at(&sheet, 29, 10), -1);
    assert_int_equal(printed_at(&sheet, 36, 11), -1);
    compare(&sheet, 8);
    free(sheet.samples);
    sheet = new_sheet(4, 60, 40, 8, 8);
    fill(&sheet, 2, 10, 50, 1, brown);
    fill(&sheet, 31, 2, 5, 30, black);
    assert_int_equal(printed_at(&sheet, 30, 10), -1);
    compare(&sheet, 8);
    free(sheet.samples);
}

/* The edge of red letters is red or bare paper; of other inks it stays. */
TEST(edges_have_the_inks_of_their_strokes)
{
    static const uint8_t red[] = {0, 0, 255, 255};
    static const struct {
        uint8_t pixel[MOST_INKS];
        int inks;
    } edges[] = {{{0, 0, 60, 60}, 0},
                 {{0, 0, 200, 200}, 12},
                 {{0, 5, 60, 60}, 0},
                 {{0, 6, 60, 60}, -1},
                 {{0, 0, 20, 200}, -1}};

    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        struct toned_sheet sheet = new_sheet(4, 30, 30, 8, 8);

        fill(&sheet, 10, 5, 1, 20, edges[i].pixel);
        fill(&sheet, 11, 5, 3, 20, red);
        case_is("edge %zu", i);
        assert_int_equal(printed_at(&sheet, 10, 12), edges[i].inks);
        compare(&sheet, 8);
        free(sheet.samples);
    }
}

/* The insides of an n and of an o, and the gap between them, but for outlines.
 */
TEST(panels_keep_their_tone_between_white_letters)
{
    static const uint8_t gray[] = {200}, bare[] = {0};
    struct toned_sheet sheet = new_sheet(1, 80, 40, 8, 8);

    fill(&sheet, 0, 2, 80, 36, gray);
    fill(&sheet, 20, 12, 12, 14, bare); /* n */
    fill(&sheet, 23, 15, 6, 11, gray);
    fill(&sheet, 36, 12, 12, 14, bare); /* o */
    fill(&sheet, 39, 15, 6, 8, gray);
    for (uint32_t x = 0; x < 80; x++) {
        const bool outlined = x == 19 || x == 23 || x == 28 || x == 32 ||
                              x == 35 || x == 39 || x == 44 || x == 48;
        const bool letter = (x > 19 && x < 23) || (x > 28 && x < 32) ||
                            (x > 35 && x < 39) || (x > 44 && x < 48);

        case_is("column %u", x);
        assert_int_equal(printed_at(&sheet, x, 18),
                         outlined && !letter ? 1 : -1);
    }
    compare(&sheet, 8);
    free(sheet.samples);
}

/* A bar with soft edges of eight pixels, which is more than the reach; and of
 * two. */
TEST(soft_edges_are_cut_at_the_half_of_their_step)
{
    static const uint8_t soft[] = {40, 90, 150};
    static const uint8_t black[] = {255};
    struct toned_sheet sheet = new_sheet(1, 60, 40, 14, 14);

    for (uint32_t i = 0; i < 8; i++) {
        const uint8_t tone = (uint8_t)(20 + 10 * i);

        fill(&sheet, 6 + i, 5, 38 - 2 * i, 30, &tone);
    }
    fill(&sheet, 14, 5, 22, 30, black);
    assert_int_equal(printed_at(&sheet, 6, 10), -1);
    assert_int_equal(printed_at(&sheet, 7, 10), 0);
    assert_int_equal(printed_at(&sheet, 13, 10), -1);
    compare(&sheet, 8);
    free(sheet.samples);
    sheet = new_sheet(1, 60, 40, 14, 14);
    fill(&sheet, 12, 5, 4, 30, &soft[1]);
    fill(&sheet, 13, 5, 20, 30, &soft[2]);
    fill(&sheet, 14, 5, 16, 30, black);
    assert_int_equal(printed_at(&sheet, 12, 10), 0);
    assert_int_equal(printed_at(&sheet, 13, 10), 1);
    compare(&sheet, 16);
    free(sheet.samples);
}

/* White letters with soft edges on a red panel and on a gray one. */
TEST(white_letters_are_cut_on_a_color)
{
    static const uint8_t panels[][MOST_INKS] = {{0, 0, 150, 160},
                                                {120, 4, 4, 4}};
    static const int outline[] = {12, 1};

    for (uint32_t i = 0; i < 2; i++) {
        struct toned_sheet sheet = new_sheet(4, 80, 60, 8, 8);
        uint8_t edges[2][MOST_INKS];
        static const uint8_t bare[MOST_INKS] = {0};

        for (uint32_t k = 0; k < MOST_INKS; k++) {
            edges[0][k] = panels[i][k] / 3;
            edges[1][k] = (uint8_t)(panels[i][k] * 2 / 3);
        }
        fill(&sheet, 5, 5, 70, 50, panels[i]);
        fill(&sheet, 29, 20, 1, 20, edges[0]);
        fill(&sheet, 30, 20, 3, 20, bare);
        fill(&sheet, 33, 20, 1, 20, edges[1]);
        case_is("panel %u", i);
        assert_int_equal(printed_at(&sheet, 29, 30), 0);
        assert_int_equal(printed_at(&sheet, 28, 30), outline[i]);
        assert_int_equal(printed_at(&sheet, 33, 30), outline[i]);
        assert_int_equal(printed_at(&sheet, 34, 30), -1);
        compare(&sheet, 8);
        free(sheet.samples);
    }
}

/* Light lines of a pixel and of two, across and down, whose lighter half stays;
 * not what is wider, lighter or colored. */
TEST(a_light_hairline_is_a_line)
{
    static const uint8_t light[] = {64}, lighter[] = {63};
    static const uint8_t red[MOST_INKS] = {0, 0, 100, 100};
    struct toned_sheet sheet = new_sheet(1, 60, 60, 14, 14);

    fill(&sheet, 5, 5, 40, 1, light);
    fill(&sheet, 5, 10, 2, 40, light);
    fill(&sheet, 15, 10, 4, 40, light);
    fill(&sheet, 25, 10, 1, 40, lighter);
    fill(&sheet, 35, 10, 1, 40, light);
    fill(&sheet, 36, 10, 1, 40, lighter);
    assert_int_equal(printed_at(&sheet, 20, 5), 1);
    assert_int_equal(printed_at(&sheet, 5, 30), 1);
    assert_int_equal(printed_at(&sheet, 6, 30), 1);
    assert_int_equal(printed_at(&sheet, 16, 30), -1);
    assert_int_equal(printed_at(&sheet, 25, 30), -1);
    assert_int_equal(printed_at(&sheet, 35, 30), 1);
    assert_int_equal(printed_at(&sheet, 36, 30), -1);
    compare(&sheet, 8);
    free(sheet.samples);
    sheet = new_sheet(4, 60, 60, 14, 14);
    fill(&sheet, 5, 5, 40, 1, red);
    assert_int_equal(printed_at(&sheet, 20, 5), -1);
    compare(&sheet, 8);
    free(sheet.samples);
}

/* A bar code has wide bars, too. */
TEST(thin_bars_between_wide_ones_are_black)
{
    static const uint8_t gray[] = {200};
    struct toned_sheet sheet = new_sheet(1, 60, 40, 8, 8);

    fill(&sheet, 5, 5, 9, 30, gray);
    fill(&sheet, 18, 5, 3, 30, gray);
    fill(&sheet, 25, 5, 9, 30, gray);
    assert_int_equal(printed_at(&sheet, 8, 20), -1);
    assert_int_equal(printed_at(&sheet, 19, 20), 1);
    compare(&sheet, 8);
    free(sheet.samples);
}

TEST(without_memory_there_are_no_strokes)
{
    struct two_level dots;
    struct strokes strokes;
    unsigned fails = 0;

    two_level_init(&dots, 4, 1);
    for (;; fails++) {
        fail_at = fails + 1;
        bool opened = strokes_open(&strokes, &dots, 100, 8, 8, 8);
        bool failed = fail_at == 0;

        fail_at = 0;
        strokes_close(&strokes);
        assert_int_equal(opened, !failed);
        if (opened)
            break;
    }
    assert_int_equal(fails, 17);
}

TEST(strokes_are_thinner_than_1_2_mm)
{
    assert_int_equal(strokes_pixels(211), 9);
    assert_int_equal(strokes_pixels(212), 10);
    assert_int_equal(strokes_pixels(600), 28);
    assert_int_equal(strokes_pixels(300), 14);
    assert_int_equal(strokes_pixels(203), 9);
    assert_int_equal(strokes_pixels(1), 2);
    assert_int_equal(strokes_pixels(9600), 254);
}

/* The widest page, of 16 bits: 2 MiB a row. */
TEST(rows_that_are_kept_are_limited)
{
    struct two_level dots;
    struct strokes strokes;

    two_level_init(&dots, 4, 1);
    assert_true(strokes_open(&strokes, &dots, 262144, 16, 254, 254));
    assert_int_equal(strokes.down, 32);
    strokes_close(&strokes);
}
