/*
 * test_two_level.c - what a threshold prints of pixels: bare paper, or the
 * solid inks that look most like them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/ink.h"
#include "test/cases.h"
#include "test/unit/pages.h"

#define WIDTH 100u
#define MOST_INKS 4u

/* The dots of one pixel, a bit an ink. */
static unsigned dots_of(uint32_t inks, double gamma, uint8_t k, uint8_t c,
                        uint8_t m, uint8_t y)
{
    const uint8_t kcmy[MOST_INKS + 1] = {k, c, m, y};
    struct two_level two_level;

    two_level_init(&two_level, inks, gamma);
    return two_level_dots(&two_level, kcmy + (inks == 3));
}

/* Dots of K, C, M and Y, a bit each. */
enum { NONE, K = 1, C = 2, M = 4, Y = 8 };

/* Inks as Ghostscript's profile makes them of RGB colors. */
TEST(colors_become_the_nearest)
{
    static const struct {
        const char *name;
        uint8_t k, c, m, y;
        unsigned dots;
    } colors[] = {{"black", 226, 184, 173, 171, K},
                  {"55 % gray", 34, 141, 122, 122, K},
                  {"#808080", 20, 130, 111, 112, K},
                  {"40 % gray", 0, 107, 90, 91, NONE},
                  {"20 % gray", 0, 51, 40, 41, NONE},
                  {"red", 0, 0, 255, 255, M | Y},
                  {"dark red", 47, 77, 197, 163, K},
                  {"green", 0, 159, 0, 255, C | Y},
                  {"dark green", 72, 223, 87, 255, K},
                  {"blue", 0, 224, 196, 0, C | M},
                  {"navy", 42, 255, 253, 34, C | M},
                  {"cyan", 0, 132, 0, 33, C},
                  {"magenta", 0, 68, 209, 0, M},
                  {"yellow", 0, 15, 0, 246, Y},
                  {"orange", 0, 0, 158, 255, M | Y},
                  {"brown", 87, 83, 193, 255, K},
                  {"pink", 0, 0, 80, 20, NONE},
                  {"black ink", 255, 0, 0, 0, K},
                  {"gray ink", 128, 0, 0, 0, K},
                  {"light gray ink", 100, 0, 0, 0, NONE}};

    for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++) {
        case_is("%s", colors[i].name);
        assert_int_equal(
            dots_of(4, 1, colors[i].k, colors[i].c, colors[i].m, colors[i].y),
            colors[i].dots);
    }
}

/* Bands of gray, whatever mixes them, are never colored. */
TEST(grays_are_black_or_white)
{
    for (unsigned gray = 0; gray < 256; gray++)
        for (unsigned k = 0; k <= gray; k += 51) {
            double rest = 1 - (1 - gray / 255.0) / (1 - k / 256.0);
            uint8_t c = (uint8_t)(255 * fmax(rest, 0));
            uint8_t my = (uint8_t)(0.86 * c);
            unsigned dots = dots_of(4, 1, (uint8_t)k, c, my, my);

            case_is("gray %u with K %u", gray, k);
            assert_true(dots == NONE || dots == K);
            if (gray < 90)
                assert_int_equal(dots, NONE);
            if (gray > 165)
                assert_int_equal(dots, K);
        }
}

TEST(one_ink_has_dots_from_43_percent_on)
{
    static const struct {
        double gamma;
        unsigned least;
    } cuts[] = {{1, 110}, {0.5, 48}, {1.5, 146}, {0.25, 9}, {4, 207}};

    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++)
        for (unsigned v = 0; v < 256; v++) {
            case_is("%u at gamma %g", v, cuts[i].gamma);
            assert_int_equal(dots_of(1, cuts[i].gamma, (uint8_t)v, 0, 0, 0),
                             v >= cuts[i].least);
        }
}

TEST(black_of_three_inks_is_all_of_them)
{
    assert_int_equal(dots_of(3, 1, 0, 200, 190, 190), 7);
    assert_int_equal(dots_of(3, 1, 0, 60, 50, 50), 0);
    assert_int_equal(dots_of(3, 1, 0, 0, 255, 255), 6);
}

/* Rows have the dots of their pixels, in 8 and 16 bits, at all widths. */
TEST(rows_are_their_pixels)
{
    static const uint32_t page_inks[] = {1, 3, 4};
    struct ink_settings settings = INK_AS_IT_IS;
    struct ink_tables tables = {0};
    uint64_t seed = 3;

    settings.two_level = true;
    settings.gamma = 1.3;
    for (size_t i = 0; i < 3; i++)
        for (uint32_t width = 1; width <= WIDTH; width++) {
            uint32_t inks = page_inks[i];
            uint16_t row[MOST_INKS * WIDTH], inked = 0, wide;
            uint8_t row8[MOST_INKS * WIDTH], sample[MOST_INKS] = {0};
            uint8_t before[MOST_INKS * WIDTH];
            struct ink ink, ink16;

            for (uint32_t j = 0; j < inks * width; j++) {
                bool bare = j % width % 64 < 33;

                row8[j] = bare ? 0 : (uint8_t)random_below(&seed, 256);
                before[j] = row8[j];
                row[j] = (uint16_t)(row8[j] << 8);
            }
            assert_true(ink_init(&ink, &settings, &tables, inks, width, 8));
            assert_true(ink_init(&ink16, &settings, &tables, inks, width, 16));
            assert_int_equal(ink.bits, 8);
            inked = ink_apply(&ink, row8, 15);
            wide = ink_apply(&ink16, row, 15);
            assert_int_equal(wide, inked);
            for (uint32_t x = 0; x < width; x++) {
                for (uint32_t k = 0; k < inks; k++)
                    sample[k] = before[k * width + x];
                unsigned dots = two_level_dots(&ink.two_level, sample);

                case_is("%u inks, column %u of %u", inks, x, width);
                for (uint32_t k = 0; k < inks; k++) {
                    unsigned level = (dots >> k & 1) * 255;

                    assert_int_equal(row8[k * width + x], level);
                    assert_int_equal(row[k * width + x], level * 257);
                    if (level > 0)
                        assert_int_equal(inked >> k & 1, 1);
                }
            }
            ink_tables_free(&tables);
        }
}

/* With one ink each sample is a dot or none, at the end of a row, too. */
TEST(rows_of_one_ink_have_its_cut)
{
    struct two_level two_level;
    uint8_t row[WIDTH];

    two_level_init(&two_level, 1, 1.3);
    for (unsigned v = 0; v < 256; v++)
        for (uint32_t width = WIDTH - 31; width <= WIDTH; width++) {
            const uint8_t sample[4] = {(uint8_t)v};
            const unsigned level = 255 * two_level_dots(&two_level, sample);

            case_is("%u, %u columns", v, width);
            memset(row, (int)v, width);
            two_level_row(&two_level, row, width, 8);
            for (uint32_t x = 0; x < width; x++)
                assert_int_equal(row[x], level);
        }
}
