/*
 * test_layout.c - which pages are accepted, what leaves for them, and how
 * their samples and dots lie in lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "filter/layout.h"
#include "filter/message.h"
#include "filter/rows.h"

#define GUARD 0x88u
#define GUARD_BYTES 16
#define MAX_TEST_WIDTH 280u /* two blocks of dots and more */
#define COUNT(list) (sizeof list / sizeof list[0])

/* doc/filter.md's table, once more. */
static const struct space {
    const char *name;
    cups_cspace_t in, out, pwg;
    uint32_t inks;
    bool additive;
    uint8_t channel[4]; /* of the engine's inks, the darkest first */
} spaces[] = {
    {"K", CUPS_CSPACE_K, CUPS_CSPACE_K, CUPS_CSPACE_K, 1, false, {0}},
    {"W", CUPS_CSPACE_W, CUPS_CSPACE_K, CUPS_CSPACE_SW, 1, true, {0}},
    {"SW", CUPS_CSPACE_SW, CUPS_CSPACE_K, CUPS_CSPACE_SW, 1, true, {0}},
    {"CMYK", CUPS_CSPACE_CMYK, CUPS_CSPACE_CMYK, 0, 4, false, {3, 0, 1, 2}},
    {"KCMY", CUPS_CSPACE_KCMY, CUPS_CSPACE_KCMY, 0, 4, false, {0, 1, 2, 3}},
    {"CMY", CUPS_CSPACE_CMY, CUPS_CSPACE_CMY, 0, 3, false, {0, 1, 2}},
    {"RGB", CUPS_CSPACE_RGB, CUPS_CSPACE_CMY, 0, 3, true, {0, 1, 2}},
    {"sRGB", CUPS_CSPACE_SRGB, CUPS_CSPACE_CMY, 0, 3, true, {0, 1, 2}},
    {"AdobeRGB", CUPS_CSPACE_ADOBERGB, CUPS_CSPACE_CMY, 0, 3, true, {0, 1, 2}},
};

static const cups_order_t orders[] = {CUPS_ORDER_CHUNKED, CUPS_ORDER_BANDED,
                                      CUPS_ORDER_PLANAR};
static const uint32_t depths[] = {1, 8, 16};

static cups_page_header2_t page_of(const struct space *space,
                                   cups_order_t order, uint32_t bits,
                                   uint32_t width, uint32_t height)
{
    uint32_t pixel = order != CUPS_ORDER_CHUNKED     ? bits
                     : bits == 1 && space->inks == 3 ? 4
                                                     : bits * space->inks;
    uint32_t planes = order == CUPS_ORDER_BANDED ? space->inks : 1;

    return (cups_page_header2_t){
        .HWResolution = {600, 300},
        .NumCopies = 3,
        .MediaType = "Plain",
        .cupsWidth = width,
        .cupsHeight = height,
        .cupsBitsPerColor = bits,
        .cupsBitsPerPixel = pixel,
        .cupsBytesPerLine = (width * pixel + 7) / 8 * planes,
        .cupsColorOrder = order,
        .cupsColorSpace = space->in,
        .cupsNumColors = space->inks,
        .cupsRowCount = 7,
        .cupsInteger = {[15] = 15},
    };
}

/* ---- Accepted --------------------------------------------------------- */

static void check_page(const struct space *space, cups_order_t order,
                       uint32_t bits, uint32_t width, bool banded)
{
    cups_page_header2_t h = page_of(space, order, bits, width, 11), leaves = h;
    struct layout l;
    size_t plane = (width + 7) / 8;

    assert_true(layout_of(&l, &h, banded, false));
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

    layout_header(&l, &leaves);
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

static void accepts_every_space_order_and_depth(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (size_t d = 0; d < COUNT(depths); d++)
                for (uint32_t width = 1; width <= MAX_TEST_WIDTH; width++)
                    for (int banded = 0; banded < 2; banded++)
                        check_page(&spaces[s], orders[o], depths[d], width,
                                   banded);
}

static void pwg_raster_is_black_1_or_sgray_1(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (size_t d = 0; d < COUNT(depths); d++) {
                cups_page_header2_t h =
                    page_of(&spaces[s], orders[o], depths[d], 20, 5);
                struct layout l;

                if (spaces[s].inks > 1)
                    continue;
                assert_true(layout_of(&l, &h, false, true));
                layout_header(&l, &h);
                assert_int_equal(l.white_dots, spaces[s].additive);
                assert_int_equal(h.cupsColorSpace, spaces[s].pwg);
                assert_int_equal(h.cupsColorOrder, CUPS_ORDER_CHUNKED);
                assert_int_equal(h.cupsBitsPerColor, 1);
                assert_int_equal(h.cupsBitsPerPixel, 1);
                assert_int_equal(h.cupsNumColors, 1);
                assert_int_equal(h.cupsBytesPerLine, 3);
            }
}

static void accepts_the_largest_pages(void **state)
{
    const struct space *k = &spaces[0], *cmyk = &spaces[3], *cmy = &spaces[5];
    struct layout l;
    cups_page_header2_t h;

    (void)state;
    h = page_of(k, CUPS_ORDER_CHUNKED, 8, 262144, 4194304);
    assert_true(layout_of(&l, &h, false, false));
    h = page_of(cmyk, CUPS_ORDER_CHUNKED, 16, 262144, 1048576);
    assert_true(layout_of(&l, &h, false, false));
    assert_int_equal(l.line_bytes, 2097152);
    assert_int_equal(l.out_line_bytes, 131072);
    h = page_of(cmyk, CUPS_ORDER_PLANAR, 8, 262144, 1048576);
    assert_true(layout_of(&l, &h, false, false));
    assert_int_equal(l.lines, 4194304);
    h = page_of(cmy, CUPS_ORDER_BANDED, 16, 262144, 1);
    assert_true(layout_of(&l, &h, false, false));
    h = page_of(k, CUPS_ORDER_CHUNKED, 8, 1, 1);
    h.HWResolution[0] = 1;
    h.HWResolution[1] = 9600;
    assert_true(layout_of(&l, &h, false, false));
}

static void ends_the_strings_of_a_header(void **state)
{
    cups_page_header2_t h = page_of(&spaces[0], CUPS_ORDER_CHUNKED, 8, 8, 8);
    char *strings[] = {h.MediaClass,      h.MediaColor,
                       h.MediaType,       h.OutputType,
                       h.cupsMarkerType,  h.cupsRenderingIntent,
                       h.cupsPageSizeName};
    struct layout l;

    (void)state;
    for (size_t i = 0; i < COUNT(strings); i++)
        memset(strings[i], 'x', 64);
    memset(h.cupsString, 'x', sizeof h.cupsString);
    assert_true(layout_of(&l, &h, false, false));
    layout_header(&l, &h);
    for (size_t i = 0; i < COUNT(strings); i++)
        assert_int_equal(strnlen(strings[i], 64), 63);
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(strnlen(h.cupsString[i], 64), 63);
}

/* ---- Refused ---------------------------------------------------------- */

/* Is the page refused, with one line that starts with "ERROR: "? The line is
 * read back from a file in the place of standard error. */
static void refused(const cups_page_header2_t *h, bool pwg)
{
    struct layout l;
    char text[2048];
    FILE *file = tmpfile();
    int terminal = dup(STDERR_FILENO);

    assert_non_null(file);
    assert_true(terminal >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    message_begin();
    bool accepted = layout_of(&l, h, false, pwg);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    rewind(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    assert_false(accepted);
    assert_memory_equal(text, "ERROR: ", 7);
    assert_ptr_equal(strchr(text, '\n'), text + length - 1);
}

/* Every value but the accepted ones, in one field of a CMYK page that is else
 * right. */
static void refuses_a_wrong_value_in_any_field(void **state)
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

    (void)state;
    for (size_t d = 0; d < COUNT(depths); d++)
        for (size_t o = 0; o < COUNT(orders); o++) {
            const cups_page_header2_t good =
                page_of(&spaces[3], orders[o], depths[d], 100, 50);

            for (size_t i = 0; i < COUNT(values); i++) {
                cups_page_header2_t h = good;
                uint32_t v = values[i];
                struct layout l;

                h.cupsWidth = v;
                /* Some widths have as many bytes, in bits. */
                if ((v * h.cupsBitsPerPixel + 7) / 8 !=
                        (100 * h.cupsBitsPerPixel + 7) / 8 ||
                    v > 262144)
                    refused(&h, false);
                h = good;
                h.cupsHeight = v;
                if (v < 1 || v > 4194304)
                    refused(&h, false);
                else
                    assert_true(layout_of(&l, &h, false, false));
                for (int axis = 0; axis < 2; axis++) {
                    h = good;
                    h.HWResolution[axis] = v;
                    if (v < 1 || v > 9600)
                        refused(&h, false);
                    else
                        assert_true(layout_of(&l, &h, false, false));
                }
                h = good;
                h.cupsBytesPerLine = v;
                if (v != good.cupsBytesPerLine)
                    refused(&h, false);
                h = good;
                h.cupsBitsPerColor = v;
                if (v != good.cupsBitsPerColor)
                    refused(&h, false);
                h = good;
                h.cupsBitsPerPixel = v;
                if (v != good.cupsBitsPerPixel)
                    refused(&h, false);
                h = good;
                h.cupsNumColors = v;
                if (v != good.cupsNumColors)
                    refused(&h, false);
                h = good;
                h.cupsColorOrder = (cups_order_t)v;
                /* Bands and planes of a page differ in their lines' bytes. */
                if (v != (uint32_t)good.cupsColorOrder)
                    refused(&h, false);
                h = good;
                h.cupsColorSpace = (cups_cspace_t)v;
                if (v != CUPS_CSPACE_CMYK && v != CUPS_CSPACE_KCMY)
                    refused(&h, false);
            }
        }
}

static void refuses_spaces_that_are_not_ours(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 80; value++)
        for (uint32_t colors = 1; colors <= 15; colors++) {
            struct space space = {.in = (cups_cspace_t)value, .inks = colors};
            cups_page_header2_t h =
                page_of(&space, CUPS_ORDER_CHUNKED, 8, 16, 4);
            bool ours = false;

            for (size_t i = 0; i < COUNT(spaces); i++)
                ours = ours ||
                       (spaces[i].in == space.in && spaces[i].inks == colors);
            if (!ours)
                refused(&h, false);
        }
}

/* Sizes that are right only in 32 bits. */
static void refuses_sizes_that_wrap(void **state)
{
    static const struct {
        uint32_t space, bits, width, line;
        cups_order_t order;
    } pages[] = {
        {0, 8, 0x20000001, 1, CUPS_ORDER_CHUNKED},
        {0, 16, 0x10000001, 2, CUPS_ORDER_CHUNKED},
        {0, 16, 0x80000001, 0x10000002, CUPS_ORDER_CHUNKED},
        {3, 8, 0x08000001, 4, CUPS_ORDER_CHUNKED},
        {3, 8, 0x40000001, 4, CUPS_ORDER_BANDED},
        {3, 16, 0x04000001, 8, CUPS_ORDER_CHUNKED},
        {6, 1, 0xfffffff9, 0, CUPS_ORDER_PLANAR},
        {0, 1, 0xffffffff, 0, CUPS_ORDER_CHUNKED},
        {0, 1, 0xffffffff, 0x20000000, CUPS_ORDER_CHUNKED},
        {0, 8, 0xffffffff, 0xffffffff, CUPS_ORDER_CHUNKED},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(pages); i++) {
        cups_page_header2_t h = page_of(&spaces[pages[i].space], pages[i].order,
                                        pages[i].bits, pages[i].width, 4);

        h.cupsBytesPerLine = pages[i].line;
        refused(&h, false);
    }
}

static void refuses_more_than_2_to_the_40_samples(void **state)
{
    cups_page_header2_t h =
        page_of(&spaces[3], CUPS_ORDER_CHUNKED, 8, 262144, 1048577);

    (void)state;
    refused(&h, false);
    h = page_of(&spaces[3], CUPS_ORDER_PLANAR, 8, 262144, 4194304);
    refused(&h, false);
    h = page_of(&spaces[6], CUPS_ORDER_BANDED, 1, 262144, 4194304);
    refused(&h, false);
}

static void refuses_color_for_pwg_raster(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (size_t d = 0; d < COUNT(depths); d++) {
                cups_page_header2_t h =
                    page_of(&spaces[s], orders[o], depths[d], 20, 5);

                if (spaces[s].inks > 1)
                    refused(&h, true);
            }
}

/* ---- Rows ------------------------------------------------------------- */

static uint32_t random_state;

static uint32_t next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

static void fill_random(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)next_random();
}

/* Memory with a guard behind it; free() it. */
static uint8_t *guarded(size_t bytes)
{
    uint8_t *memory = malloc(bytes + GUARD_BYTES);

    assert_non_null(memory);
    memset(memory, GUARD, bytes + GUARD_BYTES);
    return memory;
}

static void assert_guarded(const uint8_t *memory, size_t bytes)
{
    for (size_t i = 0; i < GUARD_BYTES; i++)
        assert_int_equal(memory[bytes + i], GUARD);
}

/* Sample `color` of pixel x in a row, as the raster's definition has it. */
static uint32_t sample(const struct layout *l, const uint8_t *line,
                       size_t plane_bytes, uint32_t x, uint32_t color)
{
    size_t at = l->order == CUPS_ORDER_CHUNKED  ? (size_t)x * l->inks + color
                : l->order == CUPS_ORDER_BANDED ? (size_t)color * l->width + x
                                                : x;
    uint16_t wide;

    if (l->order == CUPS_ORDER_PLANAR)
        line += color * plane_bytes;
    if (l->bits == 8)
        return line[at];
    memcpy(&wide, line + 2 * at, sizeof wide);
    return wide;
}

static void check_gather(const struct space *space, cups_order_t order,
                         uint32_t bits, uint32_t width)
{
    const uint32_t height = 3, row = 1;
    cups_page_header2_t h = page_of(space, order, bits, width, height);
    uint32_t full = bits == 8 ? 0xff : 0xffff;
    struct layout l;
    size_t all, plane_bytes, ink_bytes = (size_t)space->inks * width * bits / 8;
    uint8_t *lines, *ink = guarded(ink_bytes);

    assert_true(layout_of(&l, &h, false, false));
    plane_bytes = l.line_bytes * height;
    all = l.lines * l.line_bytes;
    lines = guarded(all);
    fill_random(lines, all);
    /* Both ends of the range. */
    memset(lines, 0, all < 9 ? all : 9);
    memset(lines + all / 2, 0xff, all / 8);
    rows_to_ink(&l, lines + row * l.line_bytes, plane_bytes, ink, UINT16_MAX);

    for (uint32_t i = 0; i < space->inks; i++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t expected = sample(&l, lines + row * l.line_bytes,
                                       plane_bytes, x, space->channel[i]);
            uint16_t wide;

            memcpy(&wide, ink + 2 * ((size_t)i * width + x) * (bits == 16),
                   sizeof wide);
            assert_int_equal(bits == 8 ? ink[(size_t)i * width + x] : wide,
                             space->additive ? full - expected : expected);
        }
    assert_guarded(ink, ink_bytes);
    free(lines);
    free(ink);
}

static void gathers_ink_from_any_order(void **state)
{
    (void)state;
    random_state = 1;
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (uint32_t width = 1; width <= MAX_TEST_WIDTH; width++) {
                check_gather(&spaces[s], orders[o], 8, width);
                check_gather(&spaces[s], orders[o], 16, width);
            }
}

/* Paper but for one sample, wherever it is. */
static void sees_a_single_sample(void **state)
{
    const uint32_t width = 37;

    (void)state;
    for (size_t s = 0; s < COUNT(spaces); s++) {
        cups_page_header2_t h =
            page_of(&spaces[s], CUPS_ORDER_CHUNKED, 8, width, 1);
        uint8_t paper = spaces[s].additive ? 0xff : 0, line[148], ink[148];
        uint32_t bytes = width * spaces[s].inks;
        struct layout l;

        assert_true(layout_of(&l, &h, false, false));
        for (uint32_t at = 0; at <= bytes; at++) {
            uint32_t sum = 0;

            memset(line, paper, sizeof line);
            line[at % bytes] ^= at < bytes;
            rows_to_ink(&l, line, 0, ink, UINT16_MAX);
            for (uint32_t i = 0; i < bytes; i++)
                sum += ink[i];
            assert_int_equal(sum, at < bytes);
        }
    }
}

/* Some lines in the same place, with ink here and there. */
static void says_which_inks_a_row_has(void **state)
{
    enum { WIDTH = 333, INKS = 4 };
    const struct space *cmyk = &spaces[3];
    cups_page_header2_t h = page_of(cmyk, CUPS_ORDER_CHUNKED, 8, WIDTH, 1);
    uint8_t line[INKS * WIDTH], ink[INKS * WIDTH] = {0}, alone[INKS * WIDTH];
    uint8_t where[4];
    uint16_t inked = 0;
    struct layout l;

    (void)state;
    assert_true(layout_of(&l, &h, false, false));
    for (unsigned i = 0; i < 500; i++) {
        memset(line, 0, sizeof line);
        fill_random(where, sizeof where);
        for (unsigned k = where[0] % 4; k > 0; k--)
            line[(256u * where[k] + i) % sizeof line] = (uint8_t)(i % 255 + 1);
        inked = rows_to_ink(&l, line, 0, ink, inked);
        rows_to_ink(&l, line, 0, alone, UINT16_MAX);
        assert_memory_equal(ink, alone, sizeof ink);
        for (unsigned k = 0; k < INKS; k++) {
            bool some = false;

            for (unsigned x = 0; x < WIDTH; x++)
                some = some || ink[k * WIDTH + x] != 0;
            assert_int_equal(inked >> k & 1, some);
        }
    }
}

static unsigned bit_of(const uint8_t *bytes, size_t bit)
{
    return bytes[bit / 8] >> (7 - bit % 8) & 1;
}

/* The lines that leave, dot by dot. */
static void check_pack(const struct space *space, cups_order_t order,
                       uint32_t width, bool banded, bool pwg)
{
    cups_page_header2_t h = page_of(space, order, 8, width, 4);
    struct layout l;
    size_t plane = (width + 7) / 8;
    uint8_t *dots = guarded(plane * space->inks), *line;

    assert_true(layout_of(&l, &h, banded, pwg));
    fill_random(dots, plane * space->inks);
    /* As engines leave them: nothing behind the last column. */
    for (uint32_t i = 0; i < space->inks; i++)
        if (width % 8 != 0)
            dots[i * plane + plane - 1] &= (uint8_t)(0xff00u >> width % 8);
    line = guarded(l.out_line_bytes);
    rows_to_line(&l, dots, line);

    for (uint32_t i = 0; i < space->inks; i++)
        for (uint32_t x = 0; x < width; x++) {
            size_t at = l.chunked ? (size_t)x * space->inks + space->channel[i]
                                  : space->channel[i] * plane * 8 + x;

            assert_int_equal(bit_of(line, at),
                             bit_of(dots + i * plane, x) ^ l.white_dots);
        }
    /* What fills the last byte is no ink. */
    if (l.chunked)
        for (size_t at = (size_t)width * space->inks; at % 8 != 0; at++)
            assert_int_equal(bit_of(line, at), l.white_dots);
    assert_guarded(line, l.out_line_bytes);
    free(line);
    free(dots);
}

static void packs_dots_as_a_bit_by_bit_loop_does(void **state)
{
    (void)state;
    random_state = 2;
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (uint32_t width = 1; width <= MAX_TEST_WIDTH; width++) {
                check_pack(&spaces[s], orders[o], width, false, false);
                check_pack(&spaces[s], orders[o], width, true, false);
                if (spaces[s].inks == 1)
                    check_pack(&spaces[s], orders[o], width, false, true);
            }
}

static void blank_lines_are_bare_paper(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t d = 0; d < COUNT(depths); d++)
            for (int pwg = 0; pwg < (spaces[s].inks == 1 ? 2 : 1); pwg++) {
                cups_page_header2_t h =
                    page_of(&spaces[s], CUPS_ORDER_CHUNKED, depths[d], 61, 4);
                bool light = spaces[s].additive && (pwg || depths[d] == 1);
                struct layout l;
                uint8_t *line;

                assert_true(layout_of(&l, &h, false, pwg));
                line = guarded(l.out_line_bytes);
                rows_blank(&l, line, l.out_line_bytes);
                for (size_t i = 0; i < l.out_line_bytes; i++)
                    assert_int_equal(line[i], light ? 0xff : 0);
                assert_guarded(line, l.out_line_bytes);
                free(line);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_every_space_order_and_depth),
        cmocka_unit_test(pwg_raster_is_black_1_or_sgray_1),
        cmocka_unit_test(accepts_the_largest_pages),
        cmocka_unit_test(ends_the_strings_of_a_header),
        cmocka_unit_test(refuses_a_wrong_value_in_any_field),
        cmocka_unit_test(refuses_spaces_that_are_not_ours),
        cmocka_unit_test(refuses_sizes_that_wrap),
        cmocka_unit_test(refuses_more_than_2_to_the_40_samples),
        cmocka_unit_test(refuses_color_for_pwg_raster),
        cmocka_unit_test(gathers_ink_from_any_order),
        cmocka_unit_test(sees_a_single_sample),
        cmocka_unit_test(says_which_inks_a_row_has),
        cmocka_unit_test(packs_dots_as_a_bit_by_bit_loop_does),
        cmocka_unit_test(blank_lines_are_bare_paper),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
