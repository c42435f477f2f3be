/*
 * test_black.c - which pixels are black, and which are dark.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/ink.h"
#include "test/cases.h"
#include "test/unit/black_wanted.h"
#include "test/unit/pages.h"

#define WIDTH 131u

/* Fills a row with pixels around a tone that counts. */
static void make_row(const struct toned_sheet *sheet, uint64_t *seed)
{
    static const uint8_t around[][MOST_INKS] = {
        {226, 184, 173, 171}, {110, 210, 200, 230}, {19, 255, 252, 255}};

    for (uint32_t x = 0; x < sheet->width; x++) {
        const uint8_t *tone = around[random_below(seed, 3)];

        for (uint32_t k = 0; k < sheet->inks; k++) {
            const int off = (int)random_below(seed, 9) - 4;
            const int v = tone[k] + (random_below(seed, 2) == 0 ? off : 0);

            *at(sheet, x, 0, k) = (uint8_t)(v > 255 ? 255 : v);
        }
    }
}

/* In vectors and behind them, with any low bits of 16. */
TEST(pixels_are_as_the_document_says)
{
    uint64_t seed = 3;
    unsigned count[2] = {0};

    for (unsigned i = 0; i < 400; i++) {
        struct toned_sheet sheet =
            new_sheet(i % 2 == 0 ? 1 : 4, 1 + i % WIDTH, 1, 0, 0);
        uint16_t deep[MOST_INKS * WIDTH];
        uint8_t is_black[WIDTH], is_dark[WIDTH];

        make_row(&sheet, &seed);
        for (uint32_t j = 0; j < sheet.inks * sheet.width; j++)
            deep[j] =
                (uint16_t)(sheet.samples[j] << 8 | random_below(&seed, 256));
        for (uint32_t bits = 8; bits <= 16; bits += 8) {
            const void *row = bits == 8 ? (void *)sheet.samples : deep;
            bool any_black = false, any_dark = false;
            struct black black;

            black_init(&black, rgb_black, sheet.inks, sheet.width, bits);
            const bool dark = black_find(&black, row, is_black, is_dark);
            for (uint32_t x = 0; x < sheet.width; x++) {
                case_is("row %u, %u bits, column %u", i, bits, x);
                assert_int_equal(is_black[x], wanted_black(&sheet, x, 0));
                assert_int_equal(is_dark[x], wanted_dark(&sheet, x, 0));
                any_black |= is_black[x] != 0;
                any_dark |= is_dark[x] != 0;
                count[0] += is_black[x];
                count[1] += is_dark[x];
            }
            assert_int_equal(black_is_in(&black, row), any_black);
            assert_int_equal(dark, any_dark);
        }
        free(sheet.samples);
    }
    assert_true(count[0] > 1000 && count[1] > 1000);
}

TEST(a_fill_is_solid_black_ink)
{
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        uint16_t row[MOST_INKS * 9], wanted[MOST_INKS * 9];
        struct black black;

        memset(row, 0x77, sizeof row);
        memset(wanted, 0x77, sizeof wanted);
        for (uint32_t k = 0; k < MOST_INKS; k++)
            for (uint32_t x = 2; x < 8; x++)
                if (bits == 8)
                    ((uint8_t *)wanted)[k * 9 + x] = k == 0 ? 255 : 0;
                else
                    wanted[k * 9 + x] = k == 0 ? 65535 : 0;
        black_init(&black, rgb_black, MOST_INKS, 9, bits);
        black_fill(&black, row, 2, 8);
        assert_memory_equal(row, wanted, sizeof row);
    }
}

/* A chart that calibrates is printed without a curve, and a threshold makes
 * black of it all the same. */
TEST(only_tones_have_black_text)
{
    struct ink_settings settings = INK_AS_IT_IS;
    struct ink_tables tables = {0};
    struct ink ink;

    curve_default(&settings.curve);
    for (uint32_t inks = 1; inks <= MOST_INKS; inks++)
        for (int i = 0; inks != 2 && i < 8; i++) {
            settings.curved = i % 2 != 0;
            settings.two_level = i / 2 % 2 != 0;
            settings.pure_black = i / 4 != 0;
            case_is("%u inks, curve %d, threshold %d, pure %d", inks, i % 2,
                    i / 2 % 2, i / 4);
            assert_true(ink_init(&ink, &settings, &tables, inks, 8, 8));
            assert_int_equal(ink.black, settings.pure_black &&
                                            !settings.two_level &&
                                            (inks == MOST_INKS ||
                                             (inks == 1 && settings.curved)));
        }
    ink_tables_free(&tables);
}
