/*
 * test_separate.c - what is left of a sheet without its margins, and the inks
 * of pixels as clients send them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/layout.h"
#include "printer-app/separate.h"
#include "test/cases.h"

#define MOST_WIDTH 17u
#define MOST_BYTES (MOST_WIDTH * 4)
#define GUARD 0x88

/* A chunked page of 8 bits that has `pixel` bytes a pixel. */
static cups_page_header2_t sheet_of(cups_cspace_t space, uint32_t pixel,
                                    uint32_t width, uint32_t height)
{
    cups_page_header2_t h = {.HWResolution = {300, 600},
                             .cupsWidth = width,
                             .cupsHeight = height,
                             .cupsBitsPerColor = 8,
                             .cupsBitsPerPixel = 8 * pixel,
                             .cupsBytesPerLine = width * pixel,
                             .cupsColorOrder = CUPS_ORDER_CHUNKED,
                             .cupsColorSpace = space,
                             .cupsNumColors = pixel};

    return h;
}

static const struct margins no_margins;

/* The inks of one pixel. */
static void check_pixel(cups_cspace_t space, uint32_t pixel, bool color,
                        const uint8_t *from, uint32_t inks, const uint8_t *want)
{
    cups_page_header2_t h = sheet_of(space, pixel, 1, 1);
    uint8_t line[5] = {GUARD, GUARD, GUARD, GUARD, GUARD};
    struct separation s;
    char why[LAYOUT_WHY];

    assert_true(separation_of(&s, &h, &no_margins, color, why));
    assert_int_equal(s.inks, inks);
    separate_line(&s, from, line);
    assert_memory_equal(line, want, inks);
    for (uint32_t i = inks; i < sizeof line; i++)
        assert_int_equal(line[i], GUARD);
}

/* ---- Inks --------------------------------------------------------------- */

TEST(gray_becomes_k)
{
    static const struct {
        cups_cspace_t space;
        bool light;
    } spaces[] = {
        {CUPS_CSPACE_W, true}, {CUPS_CSPACE_SW, true}, {CUPS_CSPACE_K, false}};

    for (int i = 0; i < 3; i++)
        for (unsigned value = 0; value < 256; value++)
            for (int color = 0; color < 2; color++) {
                const uint8_t from = (uint8_t)value,
                              k = spaces[i].light ? (uint8_t)(255 - value)
                                                  : (uint8_t)value;

                case_is("space %d, %u", (int)spaces[i].space, value);
                check_pixel(spaces[i].space, 1, color, &from, 1, &k);
            }
}

static const cups_cspace_t light[] = {CUPS_CSPACE_RGB, CUPS_CSPACE_SRGB,
                                      CUPS_CSPACE_ADOBERGB};

TEST(light_becomes_kcmy)
{
    static const struct {
        const char *name;
        uint8_t rgb[3], kcmy[4];
    } colors[] = {{"paper", {255, 255, 255}, {0, 0, 0, 0}},
                  {"black", {0, 0, 0}, {255, 0, 0, 0}},
                  {"red", {255, 0, 0}, {0, 0, 255, 255}},
                  {"green", {0, 255, 0}, {0, 255, 0, 255}},
                  {"blue", {0, 0, 255}, {0, 255, 255, 0}},
                  {"gray", {100, 100, 100}, {155, 0, 0, 0}},
                  {"brown", {150, 80, 30}, {105, 0, 70, 120}},
                  {"sky", {30, 150, 80}, {105, 120, 0, 70}},
                  {"violet", {80, 30, 150}, {105, 70, 120, 0}}};

    for (size_t s = 0; s < sizeof light / sizeof light[0]; s++)
        for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++) {
            case_is("space %d, %s", (int)light[s], colors[i].name);
            check_pixel(light[s], 3, true, colors[i].rgb, 4, colors[i].kcmy);
        }
}

/* Luminance of light is 0.299 R + 0.587 G + 0.114 B. */
TEST(light_becomes_its_luminance)
{
    static const struct {
        uint8_t rgb[3], k;
    } colors[] = {{{255, 255, 255}, 0}, {{0, 0, 0}, 255},
                  {{255, 0, 0}, 179},   {{0, 255, 0}, 105},
                  {{0, 0, 255}, 226},   {{100, 100, 100}, 155},
                  {{150, 80, 30}, 160}};

    for (size_t s = 0; s < sizeof light / sizeof light[0]; s++)
        for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++) {
            case_is("space %d, color %zu", (int)light[s], i);
            check_pixel(light[s], 3, false, colors[i].rgb, 1, &colors[i].k);
        }
}

TEST(neutral_light_stays_neutral)
{
    for (unsigned value = 0; value < 256; value++) {
        const uint8_t gray = (uint8_t)value, rgb[3] = {gray, gray, gray},
                      kcmy[4] = {(uint8_t)(255 - value)};

        case_is("%u", value);
        check_pixel(CUPS_CSPACE_SRGB, 3, true, rgb, 4, kcmy);
        check_pixel(CUPS_CSPACE_SRGB, 3, false, rgb, 1, kcmy);
    }
}

TEST(cmyk_becomes_kcmy_or_k)
{
    static const struct {
        uint8_t cmyk[4], kcmy[4], k;
    } colors[] = {{{0, 0, 0, 0}, {0, 0, 0, 0}, 0},
                  {{0, 0, 0, 255}, {255, 0, 0, 0}, 255},
                  {{255, 255, 255, 255}, {255, 255, 255, 255}, 255},
                  {{255, 255, 255, 0}, {0, 255, 255, 255}, 255},
                  {{1, 2, 3, 4}, {4, 1, 2, 3}, 6},
                  {{100, 50, 25, 60}, {60, 100, 50, 25}, 107},
                  {{255, 0, 0, 0}, {0, 255, 0, 0}, 76},
                  {{0, 255, 0, 0}, {0, 0, 255, 0}, 150},
                  {{0, 0, 255, 0}, {0, 0, 0, 255}, 29},
                  {{255, 0, 0, 128}, {128, 255, 0, 0}, 166}};

    for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++) {
        case_is("color %zu", i);
        check_pixel(CUPS_CSPACE_CMYK, 4, true, colors[i].cmyk, 4,
                    colors[i].kcmy);
        check_pixel(CUPS_CSPACE_CMYK, 4, false, colors[i].cmyk, 1,
                    &colors[i].k);
    }
}

/* ---- Lines -------------------------------------------------------------- */

static const struct {
    cups_cspace_t space;
    uint32_t pixel;
} kinds[] = {{CUPS_CSPACE_K, 1},
             {CUPS_CSPACE_SW, 1},
             {CUPS_CSPACE_SRGB, 3},
             {CUPS_CSPACE_CMYK, 4}};

/* Cuts a line of that width in all ways, and compares the rest with that of the
 * pixels alone. */
static void check_cuts(size_t kind, uint32_t width, bool color)
{
    const cups_cspace_t space = kinds[kind].space;
    const uint32_t pixel = kinds[kind].pixel, inks = color && pixel > 1 ? 4 : 1;
    uint8_t line[MOST_BYTES], got[MOST_BYTES + 1], want[4];
    struct separation s, one;
    char why[LAYOUT_WHY];

    for (uint32_t i = 0; i < width * pixel; i++)
        line[i] = (uint8_t)(i * 37 + width);
    cups_page_header2_t alone = sheet_of(space, pixel, 1, 1);
    assert_true(separation_of(&one, &alone, &no_margins, color, why));
    for (uint32_t left = 0; left < width; left++)
        for (uint32_t right = 0; left + right < width; right++) {
            const struct margins margins = {.left = left, .right = right};
            const uint32_t rest = width - left - right;
            cups_page_header2_t h = sheet_of(space, pixel, width, 1);

            case_is("space %d, width %u, less %u and %u", (int)space, width,
                    left, right);
            assert_true(separation_of(&s, &h, &margins, color, why));
            memset(got, GUARD, sizeof got);
            separate_line(&s, line, got);
            for (uint32_t x = 0; x < rest; x++) {
                separate_line(&one, line + (left + x) * pixel, want);
                assert_memory_equal(got + x * inks, want, inks);
            }
            for (size_t i = rest * inks; i < sizeof got; i++)
                assert_int_equal(got[i], GUARD);
        }
}

TEST(lines_are_their_pixels)
{
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (uint32_t width = 1; width <= MOST_WIDTH; width++)
            for (int color = 0; color < 2; color++)
                check_cuts(kind, width, color);
}

/* ---- Headers ------------------------------------------------------------ */

TEST(header_says_what_is_left)
{
    const struct margins margins = {
        .left = 10, .bottom = 40, .right = 20, .top = 100};
    cups_page_header2_t h = sheet_of(CUPS_CSPACE_CMYK, 4, 600, 1800);
    struct separation s;
    char why[LAYOUT_WHY];

    h.NumCopies = 3;
    assert_true(separation_of(&s, &h, &margins, true, why));
    assert_int_equal(s.left, 10);
    assert_int_equal(s.width, 570);
    assert_int_equal(s.top, 100);
    assert_int_equal(s.height, 1660);
    assert_int_equal(s.pixel, 4);
    assert_int_equal(h.cupsWidth, 570);
    assert_int_equal(h.cupsHeight, 1660);
    assert_int_equal(h.cupsColorSpace, CUPS_CSPACE_KCMY);
    assert_int_equal(h.cupsNumColors, 4);
    assert_int_equal(h.cupsBitsPerColor, 8);
    assert_int_equal(h.cupsBitsPerPixel, 32);
    assert_int_equal(h.cupsBytesPerLine, 570 * 4);
    assert_int_equal(h.NumCopies, 3);
    /* 300 by 600 dpi: 144 by 216 points. */
    assert_int_equal(h.PageSize[0], 144);
    assert_int_equal(h.PageSize[1], 216);
    assert_float_equal(h.cupsPageSize[0], 144, 0.001);
    assert_float_equal(h.cupsPageSize[1], 216, 0.001);
    const float box[4] = {2.4f, 4.8f, 139.2f, 204};
    const unsigned whole[4] = {2, 5, 139, 204};
    for (int i = 0; i < 4; i++) {
        assert_float_equal(h.cupsImagingBBox[i], box[i], 0.001);
        assert_int_equal(h.ImagingBoundingBox[i], whole[i]);
    }
    assert_int_equal(h.Margins[0], 2);
    assert_int_equal(h.Margins[1], 4);
}

TEST(gray_of_colors_is_one_ink)
{
    cups_page_header2_t h = sheet_of(CUPS_CSPACE_SRGB, 3, 9, 5);
    struct separation s;
    char why[LAYOUT_WHY];

    assert_true(separation_of(&s, &h, &no_margins, false, why));
    assert_int_equal(h.cupsColorSpace, CUPS_CSPACE_K);
    assert_int_equal(h.cupsNumColors, 1);
    assert_int_equal(h.cupsBitsPerPixel, 8);
    assert_int_equal(h.cupsBytesPerLine, 9);
}

/* The page is refused with a reason, and the header stays as it was. */
static void check_refused(const cups_page_header2_t *header,
                          const struct margins *margins, const char *reason)
{
    cups_page_header2_t h = *header;
    struct separation s;
    char why[LAYOUT_WHY] = "";

    assert_false(separation_of(&s, &h, margins, true, why));
    assert_non_null(strstr(why, reason));
    assert_memory_equal(&h, header, sizeof h);
}

TEST(margins_leave_something)
{
    static const struct margins all[] = {{.left = 9},
                                         {.right = 9},
                                         {.left = 4, .right = 5},
                                         {.top = 5},
                                         {.bottom = 5},
                                         {.top = 3, .bottom = 3},
                                         {.left = UINT32_MAX, .right = 1},
                                         {.right = UINT32_MAX, .left = 2},
                                         {.top = UINT32_MAX, .bottom = 1},
                                         {.bottom = UINT32_MAX, .top = 2}};
    const cups_page_header2_t h = sheet_of(CUPS_CSPACE_K, 1, 9, 5);

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        case_is("margins %zu", i);
        check_refused(&h, &all[i], "margins alone: 9 by 5 pixels");
    }
}

TEST(other_pages_are_refused)
{
    static const struct {
        cups_cspace_t space;
        unsigned colors, bits, line;
        cups_order_t order;
        unsigned width, height;
        const char *reason;
    } pages[] = {
        {CUPS_CSPACE_KCMY, 4, 8, 36, CUPS_ORDER_CHUNKED, 9, 5, "KCMY"},
        {CUPS_CSPACE_CMY, 3, 8, 27, CUPS_ORDER_CHUNKED, 9, 5, "CMY"},
        {CUPS_CSPACE_K, 1, 16, 18, CUPS_ORDER_CHUNKED, 9, 5, "16 bits"},
        {CUPS_CSPACE_SRGB, 3, 16, 54, CUPS_ORDER_CHUNKED, 9, 5, "16 bits"},
        {CUPS_CSPACE_K, 1, 1, 2, CUPS_ORDER_CHUNKED, 9, 5, "1 bits"},
        {CUPS_CSPACE_CMYK, 4, 8, 36, CUPS_ORDER_BANDED, 9, 5, "CMYK of 8"},
        {CUPS_CSPACE_CMYK, 4, 8, 9, CUPS_ORDER_PLANAR, 9, 5, "CMYK of 8"},
        {CUPS_CSPACE_RGBW, 4, 8, 36, CUPS_ORDER_CHUNKED, 9, 5, ""},
        {CUPS_CSPACE_DEVICEF, 15, 8, 135, CUPS_ORDER_CHUNKED, 9, 5, ""},
        {(cups_cspace_t)4711, 1, 8, 9, CUPS_ORDER_CHUNKED, 9, 5, ""},
        {CUPS_CSPACE_K, 1, 8, 8, CUPS_ORDER_CHUNKED, 9, 5, ""},
        {CUPS_CSPACE_K, 1, 8, 0, CUPS_ORDER_CHUNKED, 0, 5, ""},
        {CUPS_CSPACE_K, 1, 8, 9, CUPS_ORDER_CHUNKED, 9, 0, ""},
        {CUPS_CSPACE_K, 1, 8, UINT32_MAX, CUPS_ORDER_CHUNKED, UINT32_MAX, 5,
         ""},
        {CUPS_CSPACE_CMYK, 4, 8, 0, CUPS_ORDER_CHUNKED, 1u << 30, 5, ""},
    };

    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        cups_page_header2_t h = sheet_of(pages[i].space, pages[i].colors,
                                         pages[i].width, pages[i].height);

        case_is("page %zu", i);
        h.cupsBitsPerColor = pages[i].bits;
        h.cupsBitsPerPixel =
            pages[i].bits *
            (pages[i].order == CUPS_ORDER_CHUNKED ? pages[i].colors : 1);
        h.cupsBytesPerLine = pages[i].line;
        h.cupsColorOrder = pages[i].order;
        check_refused(&h, &no_margins, pages[i].reason);
    }
}
