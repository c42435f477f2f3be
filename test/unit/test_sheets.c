/*
 * test_sheets.c - what of a sheet a page is: pictures that are smaller, pages
 * of which no line comes, and the header of PWG raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "page/header.h"
#include "page/layout.h"
#include "test/unit/spaces.h"
#include "test/cases.h"

/* A picture of 100 x 50 samples, 600 x 300 dpi, on a sheet of 72 x 144 points.
 */
static cups_page_header2_t picture(const struct space *space, uint32_t bits)
{
    cups_page_header2_t h = page_of(space, CUPS_ORDER_CHUNKED, bits, 100, 50);

    h.cupsPageSize[0] = 72;
    h.cupsPageSize[1] = 144;
    h.cupsImagingBBox[0] = 12; /* 100 pixels */
    h.cupsImagingBBox[1] = 108;
    h.cupsImagingBBox[2] = 24;
    h.cupsImagingBBox[3] = 120; /* 24 points below the top: 100 rows */
    return h;
}

TEST(pictures_stand_on_a_sheet_of_pwg_raster)
{
    for (size_t i = 0; i < COUNT(spaces) && spaces[i].inks == 1; i++)
        for (uint32_t bits = 8; bits <= 16; bits += 8) {
            cups_page_header2_t h = picture(&spaces[i], bits), leaves = h;
            struct layout l;

            case_is("%s, %u bits", spaces[i].name, bits);
            assert_true(lays_out(&l, &h, false, true));
            assert_int_equal(l.width, 600);
            assert_int_equal(l.height, 600);
            assert_int_equal(l.lines, 600);
            assert_int_equal(l.line_bytes, 600 * bits / 8);
            assert_int_equal(l.out_line_bytes, 75);
            assert_int_equal(l.frame.paper, spaces[i].additive ? 255 : 0);
            assert_int_equal(l.frame.left, 100 * bits / 8);
            assert_int_equal(l.frame.right, 400 * bits / 8);
            assert_int_equal(l.frame.top, 100);
            assert_int_equal(l.frame.lines, 50);
            header_of_dots(&leaves, &l);
            assert_int_equal(leaves.cupsWidth, 600);
            assert_int_equal(leaves.cupsHeight, 600);
            assert_true(lays_out(&l, &h, false, false));
            assert_int_equal(l.width, 100);
            assert_int_equal(l.frame.lines, 0);
        }
}

static void lay_on_sheet(struct layout *l, const cups_page_header2_t *h,
                         struct paper paper)
{
    const struct leaving leaving = {.paper = paper};
    char why[LAYOUT_WHY];

    assert_true(layout_read(l, h, &leaving, why));
}

/* Here 6 points at the left, 12 at the top, 10 at the right and 8 at the bottom
 * cannot be printed. */
TEST(pictures_stand_where_a_packer_expects_them)
{
    const struct paper paper = {72, 144, 6, 8, 62, 132},
                       other = {72, 140, 6, 8, 62, 132};

    for (size_t i = 0; i < COUNT(spaces); i++)
        for (uint32_t bits = 8; bits <= 16; bits += 8)
            for (size_t o = 0; orders[o] != CUPS_ORDER_PLANAR; o++) {
                cups_page_header2_t h = picture(&spaces[i], bits), leaves;
                uint32_t inks = spaces[i].inks, pixel = bits / 8;
                struct layout l;

                case_is("%s, %u bits, order %u", spaces[i].name, bits,
                        orders[o]);
                if (orders[o] == CUPS_ORDER_BANDED) {
                    h.cupsColorOrder = CUPS_ORDER_BANDED;
                    h.cupsBitsPerPixel = bits;
                } else {
                    pixel *= inks;
                }
                leaves = h;
                lay_on_sheet(&l, &h, other);
                assert_int_equal(l.frame.lines, 0);
                lay_on_sheet(&l, &h, paper);
                assert_int_equal(l.width, 467);
                assert_int_equal(l.height, 517);
                assert_int_equal(l.line_bytes, 467 * inks * bits / 8);
                assert_int_equal(l.frame.left, 50 * pixel);
                assert_int_equal(l.frame.right, 317 * pixel);
                assert_int_equal(l.frame.top, 50);
                assert_int_equal(l.frame.lines, 50);
                assert_int_equal(l.out_lines, 517);
                assert_int_equal(l.out_line_bytes,
                                 l.chunked ? (467 * inks + 7) / 8 : inks * 59);
                header_of_dots(&leaves, &l);
                assert_int_equal(leaves.cupsWidth, 467);
                assert_int_equal((int)leaves.cupsImagingBBox[0], 6);
                assert_int_equal((int)leaves.ImagingBoundingBox[3], 132);
            }
}

/* A sheet of another height than the PPD's has its top margin, too. */
TEST(pages_that_do_not_say_where_begin_where_the_printer_does)
{
    const struct paper paper = {72, 144, 6, 8, 62, 132}, none = {0};

    for (size_t i = 0; i < COUNT(spaces); i++)
        for (size_t d = 0; d < COUNT(depths); d++) {
            cups_page_header2_t h =
                page_of(&spaces[i], CUPS_ORDER_BANDED, depths[d], 100, 50);
            cups_page_header2_t leaves = h;
            struct layout l;

            case_is("%s, %u bits", spaces[i].name, depths[d]);
            h.HWResolution[0] = h.HWResolution[1] = 600;
            h.cupsPageSize[1] = 200;
            lay_on_sheet(&l, &h, none);
            header_of_dots(&leaves, &l);
            assert_int_equal((int)leaves.cupsImagingBBox[3], 0);
            lay_on_sheet(&l, &h, paper);
            assert_int_equal(l.width, 100);
            assert_int_equal(l.frame.lines, 0);
            header_of_dots(&leaves, &l);
            assert_int_equal((int)leaves.cupsImagingBBox[0], 6);
            assert_int_equal((int)leaves.cupsImagingBBox[1], 182);
            assert_int_equal((int)leaves.cupsImagingBBox[2], 18);
            assert_int_equal((int)leaves.cupsImagingBBox[3], 188);
        }
}

/* Whatever a sheet's height, the page is not below its bottom. */
TEST(pages_end_at_the_sheets_bottom)
{
    const struct paper paper = {72, 144, 6, 8, 62, 132};
    static const struct {
        float sheet, bottom, top;
    } cases[] = {
        {0, 126, 132}, {1, 0, 0}, {17, 0, 5}, {18.5f, 0.5f, 6.5f}, {20, 2, 8}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        cups_page_header2_t h =
            page_of(space_named("K"), CUPS_ORDER_CHUNKED, 8, 100, 50);
        struct layout l;

        case_is("a sheet of %g points", (double)cases[i].sheet);
        h.HWResolution[0] = h.HWResolution[1] = 600;
        h.cupsPageSize[1] = cases[i].sheet;
        lay_on_sheet(&l, &h, paper);
        assert_near((double)l.box[1], (double)cases[i].bottom, 0);
        assert_near((double)l.box[3], (double)cases[i].top, 0);
    }
}

/* A picture whose box is none is a page of its own size. */
TEST(a_box_has_a_width_and_a_height)
{
    static const float boxes[][4] = {{12, 12, 108, 120},
                                     {36, 12, 36, 120},
                                     {36, 12, 24, 120},
                                     {12, 120, 24, 120},
                                     {60, 120, 66, 36}};

    for (size_t i = 0; i < COUNT(boxes); i++) {
        cups_page_header2_t h = picture(space_named("K"), 8);
        struct layout l;

        case_is("box %zu", i);
        memcpy(h.cupsImagingBBox, boxes[i], sizeof boxes[i]);
        assert_true(lays_out(&l, &h, false, true));
        assert_int_equal(l.width, i == 0 ? 600 : 100);
    }
}

TEST(backs_say_how_they_are_turned)
{
    static const struct {
        enum back_side back;
        bool tumble;
        int across, down;
    } sides[] = {
        {BACK_NORMAL, false, 1, 1},        {BACK_NORMAL, true, 1, 1},
        {BACK_MANUAL_TUMBLE, false, 1, 1}, {BACK_MANUAL_TUMBLE, true, -1, -1},
        {BACK_ROTATED, false, -1, -1},     {BACK_ROTATED, true, 1, 1},
        {BACK_FLIPPED, false, 1, -1},      {BACK_FLIPPED, true, -1, 1}};

    for (size_t i = 0; i < COUNT(sides); i++) {
        cups_page_header2_t h = {.Tumble = sides[i].tumble};

        case_is("back %d, tumble %d", sides[i].back, sides[i].tumble);
        header_turn_back(&h, sides[i].back);
        assert_int_equal((int)h.cupsInteger[0], 0);
        assert_int_equal((int)h.cupsInteger[1], sides[i].across);
        assert_int_equal((int)h.cupsInteger[2], sides[i].down);
        assert_int_equal((int)h.cupsInteger[3], 0);
    }
}

/* As PWG 5102.4 has it, whatever the RIP has left there. */
TEST(pwg_raster_has_a_header_of_its_own)
{
    static const struct {
        uint32_t width, height;
        const char *came, *leaves;
    } sheets[] = {
        {2480, 1754, "A4", "iso_a4_210x297mm"},
        {2479, 1755, "", "iso_a4_210x297mm"},
        {2550, 1650, "Letter", "na_letter_8.5x11in"},
        {673, 189, "Custom.162x91", "custom_56.98x32mm_56.98x32mm"},
        {2480, 1754, "na_letter_8.5x11in", "na_letter_8.5x11in"},
        {2480, 1754, "om_mine_210x297mm", "om_mine_210x297mm"},
    };

    for (size_t i = 0; i < COUNT(sheets); i++)
        for (size_t d = 0; d < COUNT(depths); d++) {
            cups_page_header2_t h =
                page_of(space_named("K"), CUPS_ORDER_CHUNKED, depths[d],
                        sheets[i].width, sheets[i].height);
            struct layout l;

            case_is("%ux%u \"%s\", %u bits", sheets[i].width, sheets[i].height,
                    sheets[i].came, depths[d]);
            h.HWResolution[0] = 300;
            h.HWResolution[1] = 150;
            snprintf(h.cupsPageSizeName, sizeof h.cupsPageSizeName, "%s",
                     sheets[i].came);
            for (int k = 0; k < 4; k++) {
                h.cupsImagingBBox[k] = (float)k + 1;
                h.ImagingBoundingBox[k] = (unsigned)k + 1;
            }
            h.cupsInteger[2] = i == 0 ? (unsigned)-1 : 0;
            h.cupsInteger[3] = i == 0 ? 7 : 0;
            assert_true(lays_out(&l, &h, false, true));
            header_of_dots(&h, &l);
            assert_string_equal(h.cupsPageSizeName, sheets[i].leaves);
            assert_int_equal(h.cupsInteger[1], 1);
            assert_int_equal(h.cupsInteger[2], i == 0 ? (unsigned)-1 : 1);
            assert_int_equal(h.cupsInteger[3], i == 0 ? 7 : 0);
            for (int k = 0; k < 4; k++) {
                assert_true(h.cupsImagingBBox[k] == 0);
                assert_int_equal(h.ImagingBoundingBox[k], 0);
            }
        }
}

TEST(whole_points_are_the_nearest)
{
    static const struct {
        unsigned came;
        float exact;
        unsigned leaves;
    } lengths[] = {{841, 841.89F, 842},  {842, 841.89F, 842},
                   {595, 595.276F, 595}, {612, 612, 612},
                   {612, 0, 612},        {7, 841.89F, 7},
                   {7, NAN, 7},          {0, INFINITY, 0}};

    for (size_t i = 0; i < COUNT(lengths); i++) {
        cups_page_header2_t h =
            page_of(space_named("K"), CUPS_ORDER_CHUNKED, 8, 20, 5);
        struct layout l;

        case_is("%u of %g points", lengths[i].came, (double)lengths[i].exact);
        h.PageSize[1] = h.ImagingBoundingBox[3] = lengths[i].came;
        h.cupsPageSize[1] = h.cupsImagingBBox[3] = lengths[i].exact;
        assert_true(lays_out(&l, &h, true, false));
        header_of_dots(&h, &l);
        assert_int_equal(h.PageSize[1], lengths[i].leaves);
        assert_int_equal(h.ImagingBoundingBox[3], lengths[i].leaves);
    }
}

TEST(absurd_sheets_have_no_name)
{
    cups_page_header2_t h =
        page_of(space_named("K"), CUPS_ORDER_CHUNKED, 8, 1, 4194304);
    struct layout l;

    h.HWResolution[1] = 1;
    strcpy(h.cupsPageSizeName, "A4");
    assert_true(lays_out(&l, &h, false, true));
    header_of_dots(&h, &l);
    assert_string_equal(h.cupsPageSizeName, "");
}

TEST(no_line_of_a_blank_page_comes)
{
    const struct leaving leaving = {.blank = true};
    char why[LAYOUT_WHY];

    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++) {
            cups_page_header2_t h = page_of(&spaces[s], orders[o], 8, 20, 5);
            struct layout l;

            case_is_page(&spaces[s], orders[o], 8, 20, "");
            assert_true(layout_read(&l, &h, &leaving, why));
            assert_int_equal(l.frame.paper, spaces[s].additive ? 255 : 0);
            assert_true(l.frame.lines > 0 && l.frame.top >= l.lines);
        }
}

/* Sizes of the sheet in a header are not trusted. */
TEST(no_sheet_is_smaller_than_its_picture_or_absurd)
{
    static const float values[] = {-1e30f, -1,  0,         11,      12,
                                   13,     24,  1000,      1e6f,    1e9f,
                                   1e30f,  NAN, -INFINITY, INFINITY};
    struct layout l;

    for (size_t i = 0; i < COUNT(values); i++)
        for (int field = 0; field < 6; field++) {
            cups_page_header2_t h = picture(space_named("K"), 8);

            case_is("%s[%d] = %g",
                    field < 2 ? "cupsPageSize" : "cupsImagingBBox",
                    field < 2 ? field : field - 2, (double)values[i]);
            if (field < 2)
                h.cupsPageSize[field] = values[i];
            else
                h.cupsImagingBBox[field - 2] = values[i];
            assert_true(lays_out(&l, &h, false, true));
            assert_between(l.width, 100, HT_MAX_WIDTH);
            assert_between(l.height, 50, 4194304);
            assert_int_equal(l.frame.left + l.frame.right, l.width - 100);
            assert_int_equal(l.line_bytes, l.width);
            if (l.frame.lines > 0)
                assert_between(l.frame.top + l.frame.lines, 0, l.height);
        }

    cups_page_header2_t dots = picture(space_named("K"), 1);
    assert_true(lays_out(&l, &dots, false, true));
    assert_int_equal(l.width, 100);
}
