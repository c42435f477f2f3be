/*
 * test_layout.c - which pages are accepted, and what leaves for them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <unistd.h>

#include "page/header.h"
#include "page/layout.h"
#include "test/unit/spaces.h"
#include "test/cases.h"

#define MAX_TEST_WIDTH 70u

/* ---- Accepted --------------------------------------------------------- */

static void check_page(const struct space *space, cups_order_t order,
                       uint32_t bits, uint32_t width, bool banded)
{
    cups_page_header2_t h = page_of(space, order, bits, width, 11), leaves = h;
    struct layout l;
    size_t plane = (width + 7) / 8;

    case_is_page(space, order, bits, width, banded ? "to be banded" : "");
    assert_true(lays_out(&l, &h, banded, false));
    assert_string_equal(l.space, space->name);
    assert_int_equal(l.width, width);
    assert_int_equal(l.height, 11);
    assert_int_equal(l.inks, space->inks);
    assert_int_equal(l.bits, bits);
    assert_int_equal(l.additive, space->additive);
    assert_int_equal(l.order, order);
    assert_int_equal(l.line_bytes, h.cupsBytesPerLine);
    assert_int_equal(l.lines,
                     order == CUPS_ORDER_PLANAR ? 11 * space->inks : 11);
    assert_memory_equal(l.channel, space->channel, space->inks);

    header_of_dots(&leaves, &l);
    if (bits == 1) {
        assert_memory_equal(&leaves, &h, sizeof h);
        assert_int_equal(l.out_line_bytes, l.line_bytes);
        assert_int_equal(l.out_lines, l.lines);
        assert_int_equal(l.white_dots, space->additive);
        return;
    }
    bool chunked = space->inks == 1 ||
                   (space->inks == 4 && order == CUPS_ORDER_CHUNKED && !banded);
    assert_int_equal(l.chunked, chunked);
    assert_false(l.white_dots);
    assert_int_equal(l.out_lines, 11);
    assert_int_equal(l.out_line_bytes, chunked ? (width * space->inks + 7) / 8
                                               : plane * space->inks);
    h.cupsBitsPerColor = 1;
    h.cupsBitsPerPixel = chunked ? space->inks : 1;
    h.cupsBytesPerLine = (unsigned)l.out_line_bytes;
    h.cupsColorOrder = chunked ? CUPS_ORDER_CHUNKED : CUPS_ORDER_BANDED;
    h.cupsColorSpace = space->out;
    assert_memory_equal(&leaves, &h, sizeof h);
}

/* Dots leave as they come. */
static bool can_be_banded(const struct space *space, cups_order_t order,
                          uint32_t bits)
{
    return bits > 1 || space->inks == 1 || order == CUPS_ORDER_BANDED;
}

TEST(accepts_every_space_order_and_depth)
{
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (size_t d = 0; d < COUNT(depths); d++)
                for (uint32_t width = 1; width <= MAX_TEST_WIDTH; width++) {
                    check_page(&spaces[s], orders[o], depths[d], width, false);
                    if (can_be_banded(&spaces[s], orders[o], depths[d]))
                        check_page(&spaces[s], orders[o], depths[d], width,
                                   true);
                }
}

TEST(pwg_raster_is_black_1_but_for_dots_that_came_in_sgray_1)
{
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (size_t d = 0; d < COUNT(depths); d++) {
                cups_page_header2_t h =
                    page_of(&spaces[s], orders[o], depths[d], 20, 5);
                struct layout l;

                if (spaces[s].inks > 1)
                    continue;
                case_is_page(&spaces[s], orders[o], depths[d], 20, "");
                assert_true(lays_out(&l, &h, false, true));
                header_of_dots(&h, &l);
                const bool came = depths[d] == 1;
                assert_int_equal(l.white_dots, came && spaces[s].additive);
                assert_int_equal(h.cupsColorSpace,
                                 came ? spaces[s].pwg : CUPS_CSPACE_K);
                assert_int_equal(h.cupsColorOrder, CUPS_ORDER_CHUNKED);
                assert_int_equal(h.cupsBitsPerColor, 1);
                assert_int_equal(h.cupsBitsPerPixel, 1);
                assert_int_equal(h.cupsNumColors, 1);
                assert_int_equal(h.cupsBytesPerLine, 3);
            }
}

TEST(accepts_the_largest_pages)
{
    static const struct {
        const char *space;
        cups_order_t order;
        uint32_t bits, width, height;
        size_t lines, line_bytes, out_line_bytes;
    } pages[] = {
        {"K", CUPS_ORDER_CHUNKED, 8, 16384, 4194304, 4194304, 16384, 2048},
        {"CMYK", CUPS_ORDER_CHUNKED, 16, 262144, 65536, 65536, 2097152, 131072},
        {"CMYK", CUPS_ORDER_PLANAR, 1, 262144, 65536, 262144, 32768, 32768},
        {"CMY", CUPS_ORDER_BANDED, 16, 262144, 1, 1, 1572864, 98304},
    };

    for (size_t i = 0; i < COUNT(pages); i++) {
        const struct space *space = space_named(pages[i].space);
        cups_page_header2_t h = page_of(space, pages[i].order, pages[i].bits,
                                        pages[i].width, pages[i].height);
        struct layout l;

        case_is_page(space, pages[i].order, pages[i].bits, pages[i].width, "");
        assert_true(lays_out(&l, &h, false, false));
        assert_int_equal(l.lines, pages[i].lines);
        assert_int_equal(l.line_bytes, pages[i].line_bytes);
        assert_int_equal(l.out_line_bytes, pages[i].out_line_bytes);
    }
}

TEST(accepts_resolutions_of_1_to_9600_dpi)
{
    cups_page_header2_t h =
        page_of(space_named("K"), CUPS_ORDER_CHUNKED, 8, 1, 1);
    struct layout l;

    h.HWResolution[0] = 1;
    h.HWResolution[1] = 9600;
    assert_true(lays_out(&l, &h, false, false));
}

TEST(ends_the_strings_of_a_header)
{
    cups_page_header2_t h =
        page_of(space_named("K"), CUPS_ORDER_CHUNKED, 8, 8, 8);
    char *strings[] = {h.MediaClass,      h.MediaColor,
                       h.MediaType,       h.OutputType,
                       h.cupsMarkerType,  h.cupsRenderingIntent,
                       h.cupsPageSizeName};
    struct layout l;

    for (size_t i = 0; i < COUNT(strings); i++)
        memset(strings[i], 'x', 64);
    memset(h.cupsString, 'x', sizeof h.cupsString);
    assert_true(lays_out(&l, &h, false, false));
    header_of_dots(&h, &l);
    for (size_t i = 0; i < COUNT(strings); i++) {
        case_is("string at byte %td", strings[i] - (char *)&h);
        assert_int_equal(strnlen(strings[i], 64), 63);
    }
    for (size_t i = 0; i < 16; i++) {
        case_is("cupsString[%zu]", i);
        assert_int_equal(strnlen(h.cupsString[i], 64), 63);
    }
}

/* ---- Refused ---------------------------------------------------------- */

/* Checks that the page is refused, with a reason of one line. */
static void check_refused(const cups_page_header2_t *h, bool banded, bool pwg)
{
    const struct leaving leaving = {.banded = banded, .pwg = pwg};
    char why[LAYOUT_WHY] = "";
    struct layout l;

    assert_false(layout_read(&l, h, &leaving, why));
    assert_true(why[0] != '\0' && strlen(why) < sizeof why - 1);
    assert_null(strchr(why, '\n'));
}

/* Gives one field of a good page a value, which is refused or not. */
#define CHECK_FIELD(field, refuse)                                             \
    do {                                                                       \
        cups_page_header2_t h = *good;                                         \
        struct layout l;                                                       \
                                                                               \
        case_is_page(space_named("CMYK"), good->cupsColorOrder,                \
                     good->cupsBitsPerColor, good->cupsWidth, "");             \
        case_add(", " #field " = %#x", value);                                 \
        h.field = value;                                                       \
        if (refuse)                                                            \
            check_refused(&h, false, false);                                   \
        else                                                                   \
            assert_true(lays_out(&l, &h, false, false));                       \
    } while (0)

/* `value` in one field after the other; `highest` is the largest height. */
static void check_fields(const cups_page_header2_t *good, uint32_t highest,
                         uint32_t value)
{
    /* Some widths have as many bytes, in bits. */
    bool fits = value >= 1 && value <= 262144 &&
                (value * good->cupsBitsPerPixel + 7) / 8 ==
                    (100 * good->cupsBitsPerPixel + 7) / 8;

    CHECK_FIELD(cupsWidth, !fits);
    CHECK_FIELD(cupsHeight, value < 1 || value > highest);
    CHECK_FIELD(HWResolution[0], value < 1 || value > 9600);
    CHECK_FIELD(HWResolution[1], value < 1 || value > 9600);
    CHECK_FIELD(cupsBytesPerLine, value != good->cupsBytesPerLine);
    CHECK_FIELD(cupsBitsPerColor, value != good->cupsBitsPerColor);
    CHECK_FIELD(cupsBitsPerPixel, value != good->cupsBitsPerPixel);
    CHECK_FIELD(cupsNumColors, value != good->cupsNumColors);
    /* Bands and planes of a page differ in their lines' bytes. */
    CHECK_FIELD(cupsColorOrder, value != (uint32_t)good->cupsColorOrder);
    CHECK_FIELD(cupsColorSpace,
                value != CUPS_CSPACE_CMYK && value != CUPS_CSPACE_KCMY);
}

/* Every value but the accepted ones, in one field of a CMYK page that is else
 * right. */
TEST(refuses_a_wrong_value_in_any_field)
{
    static const uint32_t values[] = {
        0,          1,          2,          3,         4,          5,
        7,          8,          9,          10,        12,         15,
        16,         17,         19,         20,        24,         32,
        62,         63,         64,         65,        100,        128,
        255,        256,        257,        399,       400,        401,
        800,        9600,       9601,       262143,    262144,     262145,
        4194304,    4194305,    16777216,   16777217,  0x40000064, 0x7fffffff,
        0x80000000, 0xffffff9c, 0xfffffff8, 0xffffffff};

    for (size_t d = 0; d < COUNT(depths); d++)
        for (size_t o = 0; o < COUNT(orders); o++) {
            const cups_page_header2_t good =
                page_of(space_named("CMYK"), orders[o], depths[d], 100, 50);
            bool held = orders[o] == CUPS_ORDER_PLANAR && depths[d] > 1;
            uint32_t highest =
                held ? (256u << 20) / (4 * good.cupsBytesPerLine) : 4194304;

            for (size_t i = 0; i < COUNT(values); i++)
                check_fields(&good, highest, values[i]);
        }
}

TEST(refuses_spaces_that_are_not_ours)
{
    for (uint32_t value = 0; value < 80; value++)
        for (uint32_t colors = 1; colors <= 15; colors++) {
            struct space space = {.in = (cups_cspace_t)value, .inks = colors};
            cups_page_header2_t h =
                page_of(&space, CUPS_ORDER_CHUNKED, 8, 16, 4);
            bool ours = false;

            for (size_t i = 0; i < COUNT(spaces); i++)
                ours = ours ||
                       (spaces[i].in == space.in && spaces[i].inks == colors);
            case_is("color space %u, %u colors", value, colors);
            if (!ours)
                check_refused(&h, false, false);
        }
}

/* Sizes that are right only in 32 bits. */
TEST(refuses_sizes_that_wrap)
{
    static const struct {
        const char *space;
        uint32_t bits, width, line;
        cups_order_t order;
    } pages[] = {
        {"K", 8, 0x20000001, 1, CUPS_ORDER_CHUNKED},
        {"K", 16, 0x10000001, 2, CUPS_ORDER_CHUNKED},
        {"K", 16, 0x80000001, 0x10000002, CUPS_ORDER_CHUNKED},
        {"CMYK", 8, 0x08000001, 4, CUPS_ORDER_CHUNKED},
        {"CMYK", 8, 0x40000001, 4, CUPS_ORDER_BANDED},
        {"CMYK", 16, 0x04000001, 8, CUPS_ORDER_CHUNKED},
        {"RGB", 1, 0xfffffff9, 0, CUPS_ORDER_PLANAR},
        {"K", 1, 0xffffffff, 0, CUPS_ORDER_CHUNKED},
        {"K", 1, 0xffffffff, 0x20000000, CUPS_ORDER_CHUNKED},
        {"K", 8, 0xffffffff, 0xffffffff, CUPS_ORDER_CHUNKED},
    };

    for (size_t i = 0; i < COUNT(pages); i++) {
        const struct space *space = space_named(pages[i].space);
        cups_page_header2_t h =
            page_of(space, pages[i].order, pages[i].bits, pages[i].width, 4);

        case_is_page(space, pages[i].order, pages[i].bits, pages[i].width, "");
        h.cupsBytesPerLine = pages[i].line;
        check_refused(&h, false, false);
    }
}

TEST(refuses_more_than_2_to_the_36_samples)
{
    static const struct {
        const char *space;
        cups_order_t order;
        uint32_t bits, width, height;
    } pages[] = {
        {"CMYK", CUPS_ORDER_CHUNKED, 8, 262144, 65537},
        {"K", CUPS_ORDER_CHUNKED, 8, 16385, 4194304},
        {"CMYK", CUPS_ORDER_PLANAR, 8, 262144, 4194304},
        {"RGB", CUPS_ORDER_BANDED, 1, 262144, 4194304},
    };

    for (size_t i = 0; i < COUNT(pages); i++) {
        const struct space *space = space_named(pages[i].space);
        cups_page_header2_t h = page_of(space, pages[i].order, pages[i].bits,
                                        pages[i].width, pages[i].height);

        case_is_page(space, pages[i].order, pages[i].bits, pages[i].width, "");
        check_refused(&h, false, false);
    }
}

/* Planes of tones of several inks have to be held whole. */
TEST(refuses_planes_of_more_than_256_mib)
{
    static const struct {
        const char *space;
        cups_order_t order;
        uint32_t bits, colors;
        bool held;
    } cases[] = {{"CMYK", CUPS_ORDER_PLANAR, 8, 4, true},
                 {"RGB", CUPS_ORDER_PLANAR, 16, 3, true},
                 {"CMYK", CUPS_ORDER_PLANAR, 1, 4, false},
                 {"K", CUPS_ORDER_PLANAR, 8, 1, false},
                 {"CMYK", CUPS_ORDER_BANDED, 8, 4, false}};
    struct layout l;

    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t row = 8192 / 8 * cases[i].bits * cases[i].colors;
        const struct space *space = space_named(cases[i].space);
        cups_page_header2_t h = page_of(space, cases[i].order, cases[i].bits,
                                        8192, (256u << 20) / row);

        case_is_page(space, cases[i].order, cases[i].bits, 8192, "");
        assert_true(lays_out(&l, &h, false, false));
        h.cupsHeight++;
        if (cases[i].held)
            check_refused(&h, false, false);
        else
            assert_true(lays_out(&l, &h, false, false));
    }
}

TEST(refuses_dots_that_cannot_be_banded)
{
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++) {
            cups_page_header2_t h = page_of(&spaces[s], orders[o], 1, 20, 5);

            case_is_page(&spaces[s], orders[o], 1, 20, "to be banded");
            if (!can_be_banded(&spaces[s], orders[o], 1))
                check_refused(&h, true, false);
        }
}

TEST(refuses_color_for_pwg_raster)
{
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (size_t d = 0; d < COUNT(depths); d++) {
                cups_page_header2_t h =
                    page_of(&spaces[s], orders[o], depths[d], 20, 5);

                case_is_page(&spaces[s], orders[o], depths[d], 20, "PWG");
                if (spaces[s].inks > 1)
                    check_refused(&h, false, true);
            }
}
