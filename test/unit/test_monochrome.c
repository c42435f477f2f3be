/*
 * test_monochrome.c - four inks become black ink that is as dark.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/monochrome.h"
#include "test/cases.h"

#define COUNT(list) (sizeof list / sizeof list[0])

/* What Ghostscript makes of RGB by its default profiles: CMYK, and gray. */
static const struct {
    uint8_t cmyk[4], gray;
    int within;
} colors[] = {
    {{184, 173, 171, 226}, 0, 0},
    {{130, 111, 111, 20}, 128, 2},
    {{0, 0, 0, 0}, 255, 0},
};

/* Changes a row of one pixel, C, M, Y and K, of `bits`; returns K. */
static unsigned changed(const struct monochrome *m, const uint8_t cmyk[4],
                        uint32_t bits)
{
    uint16_t words[4] = {cmyk[3] * 257, cmyk[0] * 257, cmyk[1] * 257,
                         cmyk[2] * 257};
    uint8_t bytes[4] = {cmyk[3], cmyk[0], cmyk[1], cmyk[2]};
    const uint8_t none[6] = {0};

    if (bits == 8) {
        monochrome_row(m, bytes, 1, 8, 0xf);
        assert_memory_equal(bytes + 1, none, 3);
        return bytes[0];
    }
    monochrome_row(m, words, 1, 16, 0xf);
    assert_memory_equal(words + 1, none, 6);
    assert_int_equal(words[0] % 257, 0);
    return words[0] / 257;
}

TEST(mixtures_are_as_dark_in_black_ink)
{
    struct monochrome m;

    monochrome_init(&m);
    for (size_t i = 0; i < COUNT(colors); i++)
        for (uint32_t bits = 8; bits <= 16; bits += 8) {
            const unsigned k = changed(&m, colors[i].cmyk, bits);

            case_is("gray %u in %u bits: K %u", colors[i].gray, bits, k);
            assert_in_range(k + colors[i].gray, 255 - colors[i].within,
                            255 + colors[i].within);
        }
}

TEST(more_ink_is_never_lighter)
{
    struct monochrome m;

    monochrome_init(&m);
    for (unsigned ink = 0; ink < 4; ink++)
        for (unsigned t = 1; t < 256; t++)
            assert_true(m.density[ink][t] >= m.density[ink][t - 1]);
    for (unsigned d = 1; d < MONOCHROME_DENSITIES; d++)
        assert_true(m.black[d] >= m.black[d - 1]);
    assert_int_equal(m.black[0], 0);
    assert_int_equal(m.black[MONOCHROME_DENSITIES - 1], 255);
}

TEST(black_ink_alone_stays)
{
    uint8_t row[4][3] = {{0, 77, 255}, {0}, {0}, {0}}, before[4][3];
    struct monochrome m;

    memcpy(before, row, sizeof row);
    monochrome_init(&m);
    assert_int_equal(monochrome_row(&m, row, 3, 8, 0xf), 1);
    assert_memory_equal(row, before, sizeof row);
    assert_int_equal(monochrome_row(&m, row, 3, 8, 1), 1);
    assert_int_equal(monochrome_row(&m, row, 3, 8, 0), 0);
    row[2][1] = 9;
    assert_int_equal(monochrome_row(&m, row, 3, 8, 5), 1);
    assert_int_equal(row[0][0], 0);
    assert_true(row[0][1] > 0);
    assert_int_equal(row[0][2], 255);
    assert_int_equal(row[2][1], 0);
}
