/*
 * test_rows.c - how samples and dots lie in lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/layout.h"
#include "page/rows.h"
#include "page/split.h"
#include "test/unit/spaces.h"
#include "test/cases.h"

#define GUARD 0x88u
#define GUARD_BYTES 16
#define MAX_TEST_WIDTH 280u /* two blocks of dots and more */

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

    case_is_page(space, order, bits, width, "");
    assert_true(lays_out(&l, &h, false, false));
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
            if (bits == 8)
                wide = ink[(size_t)i * width + x];
            expected = space->additive ? full - expected : expected;
            if (wide != expected)
                fail_msg("ink %u, column %u: %u instead of %u", i, x, wide,
                         expected);
        }
    assert_guarded(ink, ink_bytes);
    free(lines);
    free(ink);
}

TEST(gathers_ink_from_any_order)
{
    random_state = 1;
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t o = 0; o < COUNT(orders); o++)
            for (uint32_t width = 1; width <= MAX_TEST_WIDTH; width++) {
                check_gather(&spaces[s], orders[o], 8, width);
                check_gather(&spaces[s], orders[o], 16, width);
            }
}

/* Paper but for one sample, wherever it is. */
TEST(sees_a_single_sample)
{
    const uint32_t width = 37;

    for (size_t i = 0; i < COUNT(spaces) * COUNT(orders); i++) {
        const struct space *space = &spaces[i / COUNT(orders)];
        cups_page_header2_t h =
            page_of(space, orders[i % COUNT(orders)], 8, width, 1);
        uint8_t paper = space->additive ? 0xff : 0, line[148], ink[148];
        uint32_t bytes = width * space->inks;
        struct layout l;

        assert_true(lays_out(&l, &h, false, false));
        for (uint32_t at = 0; at <= bytes; at++) {
            uint32_t sum = 0;

            case_is("%s, order %d, byte %u of %u", space->name, l.order, at,
                    bytes);
            memset(line, paper, sizeof line);
            line[at % bytes] ^= at < bytes;
            assert_int_equal(rows_to_ink(&l, line, width, ink, UINT16_MAX) != 0,
                             at < bytes);
            for (uint32_t j = 0; j < bytes; j++)
                sum += ink[j];
            assert_int_equal(sum, at < bytes);
        }
    }
}

/* Where the samples become ink in their place, all of it has to change. */
TEST(white_rows_in_place_become_bare)
{
    cups_page_header2_t h =
        page_of(space_named("W"), CUPS_ORDER_CHUNKED, 8, 100, 1);
    uint8_t row[100];
    struct layout l;

    assert_true(lays_out(&l, &h, false, false));
    memset(row, 0xff, sizeof row);
    assert_int_equal(rows_to_ink(&l, row, 0, row, 0), 0);
    for (size_t x = 0; x < sizeof row; x++)
        assert_int_equal(row[x], 0);
}

/* Some lines in the same place, with ink here and there. */
TEST(says_which_inks_a_row_has)
{
    enum { WIDTH = 333, INKS = 4 };
    cups_page_header2_t h =
        page_of(space_named("CMYK"), CUPS_ORDER_CHUNKED, 8, WIDTH, 1);
    uint8_t line[INKS * WIDTH], ink[INKS * WIDTH] = {0}, alone[INKS * WIDTH];
    uint8_t where[4];
    uint16_t inked = 0;
    struct layout l;

    assert_true(lays_out(&l, &h, false, false));
    for (unsigned i = 0; i < 500; i++) {
        case_is("line %u", i);
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
            if ((inked >> k & 1) != some)
                fail_msg("ink %u: said %u, has some %d", k, inked >> k & 1,
                         some);
        }
    }
}

/* Lines with ink in a few places or none, of which some planes are bare
 * before. */
static void check_split(const char *name,
                        unsigned split(const uint8_t *, uint32_t,
                                       uint8_t *const *, unsigned))
{
    for (uint32_t width = 1; width < MAX_TEST_WIDTH; width++)
        for (unsigned zeros = 0; zeros < 16; zeros++) {
            uint8_t *line = guarded(4 * (size_t)width), *to[4];
            unsigned channels = next_random() % 16, wanted = 0;

            case_is("%s, width %u, zeros %#x", name, width, zeros);
            memset(line, 0, 4 * (size_t)width);
            for (unsigned n = next_random() % 4; n > 0; n--) {
                uint32_t x = next_random() % width;

                for (unsigned i = 0; i < 4; i++)
                    if ((channels >> i & 1) != 0)
                        line[4 * x + i] = (uint8_t)next_random();
            }
            for (unsigned i = 0; i < 4; i++) {
                to[i] = guarded(width);
                if ((zeros >> i & 1) != 0)
                    memset(to[i], 0, width);
            }
            unsigned inked = split(line, width, to, zeros);
            for (unsigned i = 0; i < 4; i++) {
                for (uint32_t x = 0; x < width; x++) {
                    if (to[i][x] != line[4 * x + i])
                        fail_msg("channel %u, column %u: %u instead of %u", i,
                                 x, to[i][x], line[4 * x + i]);
                    wanted |= (line[4 * x + i] != 0 ? 1u : 0u) << i;
                }
                assert_guarded(to[i], width);
                free(to[i]);
            }
            assert_int_equal(inked, wanted);
            free(line);
        }
}

TEST(takes_four_channels_apart)
{
    check_split("plain", split_samples_plain);
    check_split("this processor's", split_samples);
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

    case_is_page(space, order, 8, width,
                 pwg      ? "PWG"
                 : banded ? "to be banded"
                          : "");
    assert_true(lays_out(&l, &h, banded, pwg));
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

            if (bit_of(line, at) != bit_of(dots + i * plane, x))
                fail_msg("ink %u, column %u: bit %zu is %u", i, x, at,
                         bit_of(line, at));
        }
    /* Bits behind the last pixel are no ink. */
    if (l.chunked)
        for (size_t at = (size_t)width * space->inks; at % 8 != 0; at++)
            assert_int_equal(bit_of(line, at), 0);
    assert_guarded(line, l.out_line_bytes);
    free(line);
    free(dots);
}

TEST(packs_dots_as_a_bit_by_bit_loop_does)
{
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

TEST(blank_lines_are_bare_paper)
{
    for (size_t s = 0; s < COUNT(spaces); s++)
        for (size_t d = 0; d < COUNT(depths); d++)
            for (int pwg = 0; pwg < (spaces[s].inks == 1 ? 2 : 1); pwg++) {
                cups_page_header2_t h =
                    page_of(&spaces[s], CUPS_ORDER_CHUNKED, depths[d], 61, 4);
                bool light = spaces[s].additive && depths[d] == 1;
                struct layout l;
                uint8_t *line;

                case_is_page(&spaces[s], CUPS_ORDER_CHUNKED, depths[d], 61,
                             pwg ? "PWG" : "");
                assert_true(lays_out(&l, &h, false, pwg));
                line = guarded(l.out_line_bytes);
                rows_blank(&l, line, l.out_line_bytes);
                for (size_t i = 0; i < l.out_line_bytes; i++)
                    assert_int_equal(line[i], light ? 0xff : 0);
                assert_guarded(line, l.out_line_bytes);
                free(line);
            }
}
