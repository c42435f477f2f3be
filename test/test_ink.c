/*
 * test_ink.c - tone curves and what they, gamma, density and the ink limit do
 * to a row of samples.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "filter/ink.h"
#include "halftone/internal.h"
#include "test/pages.h"

#define HEAD "halftone-curve 1\n"
#define WIDTH 1000u
#define MAX_INKS 4

static bool parses(const char *text, unsigned *line)
{
    struct curve curve;

    return curve_parse(&curve, text, strlen(text), line);
}

/* ---- Curves ----------------------------------------------------------- */

static void accepts_and_refuses_lines(void **state)
{
    static const struct {
        const char *text;
        unsigned line; /* at fault; 0 = right */
    } cases[] = {
        {HEAD, 0},
        {HEAD "point K 50 40\n", 0},
        {HEAD "point CMYK 0 0\npoint CM 50 40\npoint CMYK 100 100", 0},
        {HEAD "# note\n\n  \nname Any words 1 2\nmade-by a program\r\n", 0},
        {HEAD "\tpoint\tK 50\t40\nname\tx\nname\nmade-by\t\n", 0},
        {"halftone-curve 1\r\npoint K 50 40\r\n\r\n# x\r", 0},
        {"halftone-curve 1\r\npoint K 50\r 40\r\n", 2},
        {HEAD "names x\n", 2},
        {HEAD "point K 10 20\npoint K 20 20\npoint C 5 5\n", 0},
        {HEAD "point K .5 .25\npoint K 1. 0.5\n", 0},
        {"", 1},
        {"halftone-curve 2\n", 1},
        {"point K 50 40\n", 1},
        {HEAD "points K 50 40\n", 2},
        {HEAD "point\n", 2},
        {HEAD "point \n", 2},
        {HEAD "point K 50\n", 2},
        {HEAD "point K 50 40 30\n", 2},
        {HEAD "point R 50 40\n", 2},
        {HEAD "point KK 50 40\n", 2},
        {HEAD "point K 50 100.5\n", 2},
        {HEAD "point K -5 4\n", 2},
        {HEAD "point K 5e1 40\n", 2},
        {HEAD "point K . 40\n", 2},
        {HEAD "point K nan 40\n", 2},
        {HEAD "point K 50 40\npoint K 50 41\n", 3},
        {HEAD "point K 50 40\npoint C 1 1\npoint K 60 39\n", 4},
        {HEAD "point K 0 1\n", 2},
        {HEAD "point K 100 99\n", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned line = 77;
        bool ok = parses(cases[i].text, &line);

        if (ok != (cases[i].line == 0) || (!ok && line != cases[i].line))
            fail_msg("case %zu: %d, line %u", i, ok, line);
    }
}

static void refuses_too_much(void **state)
{
    static char text[CURVE_MAX_BYTES + 64];
    unsigned line;

    (void)state;
    strcpy(text, HEAD);
    for (int i = 1; i < CURVE_MAX_POINTS - 1; i++)
        sprintf(text + strlen(text), "point K %d.%d 50\n", i, i % 10);
    assert_true(parses(text, &line)); /* and (0,0) and (100,100) */
    strcat(text, "point K 99.5 60\n");
    assert_false(parses(text, &line));

    sprintf(text, "%s#%0300d\n", HEAD, 0);
    assert_false(parses(text, &line));
    assert_int_equal(line, 2);

    memset(text, '\n', sizeof text - 1);
    memcpy(text, HEAD, strlen(HEAD));
    assert_false(parses(text, &line));

    struct curve curve;
    assert_false(curve_parse(&curve, HEAD "na\0me", strlen(HEAD) + 5, &line));
}

static void passes_through_its_points_and_never_falls(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        struct curve_points p = {.count = 2 + random_below(&seed, 12)};
        double last = 0;

        for (unsigned i = 0; i < p.count; i++) {
            p.x[i] = i == 0 ? 0 : p.x[i - 1] + 1 + random_below(&seed, 100);
            p.y[i] = i == 0 ? 0 : p.y[i - 1] + random_below(&seed, 3) * 50;
        }
        for (unsigned i = 0; i < p.count; i++)
            assert_true(fabs(curve_points_at(&p, p.x[i]) - p.y[i]) < 1e-9);
        for (double x = -5; x < p.x[p.count - 1] + 5; x += 0.5) {
            double y = curve_points_at(&p, x);

            assert_true(y >= last - 1e-9 && y <= p.y[p.count - 1] + 1e-9);
            last = y;
        }
    }
}

static void a_straight_line_stays_straight(void **state)
{
    struct curve_points p = {4, {0, 0.1, 0.7, 1}, {0, 0.1, 0.7, 1}};

    (void)state;
    for (double x = 0; x <= 1; x += 0.01)
        assert_true(fabs(curve_points_at(&p, x) - x) < 1e-12);
}

static void the_default_makes_photos_lighter(void **state)
{
    struct curve curve;

    (void)state;
    curve_default(&curve);
    for (int ink = 0; ink < CURVE_INKS; ink++)
        for (double x = 0.02; x < 0.99; x += 0.01)
            assert_true(curve_points_at(&curve.ink[ink], x) < x);
}

/* ---- Rows ------------------------------------------------------------- */

/* Samples of random ink, with paper and solids, in both depths alike. */
static void make_row(uint32_t inks, uint64_t seed, uint8_t *row8,
                     uint16_t *row16)
{
    for (uint32_t i = 0; i < inks * WIDTH; i++) {
        uint32_t v = random_below(&seed, 400);

        row8[i] = (uint8_t)(v < 256 ? v : v < 330 ? 0 : 255);
        row16[i] = (uint16_t)(257 * row8[i]);
    }
}

/* Both depths have to become the same; the result is `row`. */
static void apply(const struct ink_settings *settings, uint32_t inks,
                  uint64_t seed, uint16_t *before, uint16_t *row)
{
    static uint16_t from8[MAX_INKS * WIDTH];
    struct ink ink;

    make_row(inks, seed, (uint8_t *)from8, before);
    memcpy(row, before, inks * WIDTH * sizeof *row);
    assert_true(ink_init(&ink, settings, inks, WIDTH, 8));
    assert_int_equal(ink.bits, 16);
    ink_apply(&ink, from8, UINT16_MAX);
    ink_free(&ink);
    assert_true(ink_init(&ink, settings, inks, WIDTH, 16));
    assert_int_equal(ink.bits, 16);
    ink_apply(&ink, row, UINT16_MAX);
    ink_free(&ink);
    assert_memory_equal(from8, row, inks * WIDTH * sizeof *row);
}

static struct ink_settings default_curve(void)
{
    struct ink_settings settings = INK_AS_IT_IS;

    settings.curved = true;
    curve_default(&settings.curve);
    return settings;
}

static void nothing_asked_for_is_nothing_done(void **state)
{
    static const uint32_t depths[] = {1, 8, 16};
    struct ink_settings settings = INK_AS_IT_IS, curved = default_curve();
    uint16_t row[MAX_INKS * WIDTH], copy[MAX_INKS * WIDTH];
    struct ink ink;

    (void)state;
    memset(row, 0x5a, sizeof row);
    memcpy(copy, row, sizeof copy);
    for (size_t i = 0; i < 3; i++) {
        assert_true(ink_init(&ink, &settings, 4, WIDTH, depths[i]));
        assert_int_equal(ink.bits, depths[i]);
        assert_null(ink.table);
        ink_apply(&ink, row, UINT16_MAX);
        ink_free(&ink);
    }
    /* Dots that come as dots have no tones. */
    assert_true(ink_init(&ink, &curved, 4, WIDTH, 1));
    assert_int_equal(ink.bits, 1);
    ink_apply(&ink, row, UINT16_MAX);
    ink_free(&ink);
    assert_memory_equal(row, copy, sizeof row);
}

static void paper_stays_bare_and_solids_stay_solid(void **state)
{
    struct ink_settings settings = default_curve();
    uint16_t before[MAX_INKS * WIDTH], row[MAX_INKS * WIDTH];

    (void)state;
    for (double gamma = 0.25; gamma <= 4; gamma *= 2)
        for (uint32_t inks = 1; inks <= 4; inks += inks == 1 ? 2 : 1) {
            settings.gamma = gamma;
            apply(&settings, inks, 1, before, row);
            for (uint32_t i = 0; i < inks * WIDTH; i++) {
                assert_true((row[i] == 0) == (before[i] == 0));
                assert_true((row[i] == 65535) == (before[i] == 65535));
            }
        }
}

static void each_ink_has_its_own_curve(void **state)
{
    static const char text[] = HEAD "point C 50 10\npoint M 50 20\n"
                                    "point Y 50 30\npoint K 50 40\n";
    static const struct {
        uint32_t inks;
        int percent[MAX_INKS]; /* in the engine's order */
    } cases[] = {{1, {40}}, {3, {10, 20, 30}}, {4, {40, 10, 20, 30}}};
    struct ink_settings settings = INK_AS_IT_IS;
    unsigned line;

    (void)state;
    settings.curved = true;
    assert_true(curve_parse(&settings.curve, text, sizeof text - 1, &line));
    for (size_t i = 0; i < 3; i++) {
        struct ink ink;
        uint16_t row[MAX_INKS] = {32768, 32768, 32768, 32768};

        assert_true(ink_init(&ink, &settings, cases[i].inks, 1, 16));
        ink_apply(&ink, row, UINT16_MAX);
        ink_free(&ink);
        for (uint32_t k = 0; k < cases[i].inks; k++)
            assert_true(abs(row[k] - cases[i].percent[k] * 65535 / 100) <= 2);
    }
}

/* 16 bits come in for more than 256 tones to leave. */
static void curves_keep_sixteen_bits(void **state)
{
    struct ink_settings settings = default_curve();
    struct ink ink;
    uint32_t tones = 1;

    (void)state;
    assert_true(ink_init(&ink, &settings, 1, 1, 16));
    for (uint32_t v = 1; v <= 65535; v++) {
        assert_true(ink.table[v] >= ink.table[v - 1]);
        tones += ink.table[v] != ink.table[v - 1];
    }
    ink_free(&ink);
    assert_true(tones > 40000);
}

static void density_is_of_the_solid(void **state)
{
    struct ink_settings settings = INK_AS_IT_IS;
    uint16_t before[MAX_INKS * WIDTH], row[MAX_INKS * WIDTH];

    (void)state;
    settings.density = 0.5;
    apply(&settings, 4, 2, before, row);
    for (uint32_t i = 0; i < 4 * WIDTH; i++)
        assert_true(abs(2 * row[i] - before[i]) <= 1);
    settings.density = 1.5;
    apply(&settings, 4, 2, before, row);
    for (uint32_t i = 0; i < 4 * WIDTH; i++)
        assert_true(before[i] >= 43690 ? row[i] == 65535
                                       : abs(2 * row[i] - 3 * before[i]) <= 1);
}

/* ---- Black ------------------------------------------------------------ */

/* K, C, M and Y of RGB black; in settings, C, M, Y and K. */
static const uint8_t rgb_black[MAX_INKS] = {226, 184, 173, 171};

static struct ink_settings pure_black(void)
{
    struct ink_settings settings = INK_AS_IT_IS;

    settings.pure_black = true;
    settings.black[3] = rgb_black[0];
    memcpy(settings.black, rgb_black + 1, 3);
    return settings;
}

/* One pixel of 8 bits, in all columns. */
static uint16_t apply_to(const struct ink_settings *settings,
                         const uint8_t pixel[MAX_INKS], uint32_t width,
                         uint16_t row[MAX_INKS * WIDTH])
{
    uint8_t *samples = (uint8_t *)row;
    uint16_t inked = 0;
    struct ink ink;

    for (uint32_t k = 0; k < MAX_INKS; k++) {
        memset(samples + k * width, pixel[k], width);
        inked |= (uint16_t)((pixel[k] != 0) << k);
    }
    assert_true(ink_init(&ink, settings, MAX_INKS, width, 8));
    inked = ink_apply(&ink, row, inked);
    ink_free(&ink);
    return inked;
}

static void rgb_black_is_black_ink_alone(void **state)
{
    struct ink_settings settings = pure_black(), curved = default_curve();
    uint16_t row[MAX_INKS * WIDTH];

    (void)state;
    memcpy(curved.black, settings.black, sizeof curved.black);
    curved.pure_black = true;
    curved.limit = 2.4;
    for (uint32_t width = 1; width < 70; width++)
        for (int off = -1; off <= 1; off++) {
            const uint8_t pixel[] = {
                (uint8_t)(rgb_black[0] + off), rgb_black[1],
                (uint8_t)(rgb_black[2] - off), rgb_black[3]};

            assert_int_equal(apply_to(&settings, pixel, width, row), 1);
            for (uint32_t i = 0; i < MAX_INKS * width; i++)
                assert_int_equal(((uint8_t *)row)[i], i < width ? 255 : 0);
            assert_int_equal(apply_to(&curved, pixel, width, row), 1);
            for (uint32_t i = 0; i < MAX_INKS * width; i++)
                assert_int_equal(row[i], i < width ? 65535 : 0);
        }
}

/* 60 40 40 100 % of a designer, black ink alone, and shadows. */
static void other_blacks_stay(void **state)
{
    static const uint8_t pixels[][MAX_INKS] = {
        {255, 153, 102, 102}, {255, 0, 0, 0},       {255, 255, 255, 255},
        {242, 184, 173, 171}, {210, 184, 173, 171}, {226, 200, 173, 171},
        {226, 184, 189, 171}, {226, 184, 173, 155}, {0, 184, 173, 171}};
    struct ink_settings settings = pure_black();
    uint16_t row[MAX_INKS * WIDTH];

    (void)state;
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++) {
        apply_to(&settings, pixels[i], 50, row);
        for (uint32_t j = 0; j < MAX_INKS * 50; j++)
            assert_int_equal(((uint8_t *)row)[j], pixels[i][j / 50]);
    }
}

/* The equation of ink.h, in samples of 0..`full`. */
static double drawn_to_black(const uint16_t *pixel, uint32_t k, unsigned full)
{
    double unit = full / 255.0, d = 0;

    for (uint32_t i = 0; i < MAX_INKS; i++)
        d = fmax(d, fabs(pixel[i * WIDTH] / unit - rgb_black[i]));

    double t = fmin(fmax((16 - d) / 15, 0), 1);
    return (1 - t) * pixel[k * WIDTH] + (k == 0 ? t * full : 0);
}

/* Around black, and runs of it. */
static void what_is_nearly_black_has_no_edge(void **state)
{
    uint16_t before[MAX_INKS * WIDTH], row[MAX_INKS * WIDTH];
    uint8_t row8[MAX_INKS * WIDTH];
    struct ink_settings settings = pure_black();
    uint64_t seed = 6;
    struct ink ink;

    (void)state;
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        unsigned full = bits == 8 ? 255 : 65535, reach = full / 255 * 20;

        for (uint32_t x = 0; x < WIDTH; x++)
            for (uint32_t k = 0; k < MAX_INKS; k++) {
                unsigned off = random_below(&seed, 2 * reach + 1);
                bool exact = x % 100 > 30 && x % 7 > 0;
                unsigned v =
                    rgb_black[k] * (full / 255) + (exact ? 0 : off - reach);

                before[k * WIDTH + x] = (uint16_t)v;
                row[k * WIDTH + x] = (uint16_t)v;
                row8[k * WIDTH + x] = (uint8_t)v;
            }
        assert_true(ink_init(&ink, &settings, MAX_INKS, WIDTH, bits));
        assert_int_equal(ink.bits, bits);
        ink_apply(&ink, bits == 8 ? (void *)row8 : (void *)row, UINT16_MAX);
        ink_free(&ink);
        for (uint32_t i = 0; i < MAX_INKS * WIDTH; i++) {
            double is = bits == 8 ? row8[i] : row[i];
            double wanted = drawn_to_black(before + i % WIDTH, i / WIDTH, full);

            assert_true(fabs(is - wanted) < 0.51);
        }
    }
}

/* A row that had no K has some then. */
static void a_black_without_black_ink_becomes_some(void **state)
{
    static const uint8_t pixel[MAX_INKS] = {0, 255, 255, 255};
    struct ink_settings settings = pure_black();
    uint16_t row[MAX_INKS * WIDTH];

    (void)state;
    memcpy(settings.black, "\xff\xff\xff", MAX_INKS);
    assert_int_equal(apply_to(&settings, pixel, 20, row), 1);
    assert_int_equal(((uint8_t *)row)[19], 255);
    assert_int_equal(((uint8_t *)row)[20], 0);
}

static void a_cut_makes_black_of_one_ink(void **state)
{
    static const uint8_t pixels[][2][MAX_INKS] = {
        {{128, 0, 0, 0}, {255, 0, 0, 0}},
        {{226, 184, 173, 171}, {255, 0, 0, 0}},
        {{128, 127, 255, 0}, {255, 0, 0, 0}},
        {{0, 128, 128, 128}, {255, 0, 0, 0}},
        {{127, 128, 255, 127}, {127, 128, 255, 127}},
        {{127, 127, 127, 127}, {127, 127, 127, 127}}};
    struct ink_settings settings = INK_AS_IT_IS;
    uint16_t row[MAX_INKS * WIDTH];

    (void)state;
    settings.two_level = true;
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++) {
        uint16_t inked = apply_to(&settings, pixels[i][0], 20, row);

        for (uint32_t j = 0; j < MAX_INKS * 20; j++)
            assert_int_equal(((uint8_t *)row)[j], pixels[i][1][j / 20]);
        assert_int_equal(inked == 1, pixels[i][1][0] == 255);
    }
}

/* Its samples of black ink leave as dots alone, others as they would. */
static void the_cut_is_that_of_the_threshold(void **state)
{
    struct ink_settings settings = INK_AS_IT_IS;
    struct ink ink;

    (void)state;
    settings.two_level = true;
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        unsigned most = bits == 8 ? 255 : 65535;

        assert_true(ink_init(&ink, &settings, MAX_INKS, 1, bits));
        assert_int_equal(ink.bits, bits);
        for (unsigned v = 0; v <= most; v++) {
            uint8_t row8[MAX_INKS] = {(uint8_t)v, 1, 1, 1}, level;
            uint16_t row[MAX_INKS] = {(uint16_t)v, 1, 1, 1};
            void *samples = bits == 8 ? (void *)row8 : (void *)row;
            int16_t tone;

            ht_tones_from_samples(samples, bits, 1, &tone, &level);
            ink_apply(&ink, samples, UINT16_MAX);
            assert_int_equal(bits == 8 ? row8[1] : row[1], tone < HT_ONE / 2);
        }
        ink_free(&ink);
    }
}

/* At gamma 2, a half is 0.707 of the tone. */
static void gamma_moves_the_cut(void **state)
{
    struct ink_settings settings = INK_AS_IT_IS;
    uint16_t row[MAX_INKS * WIDTH];

    (void)state;
    settings.two_level = true;
    settings.gamma = 2;
    for (unsigned v = 0; v < 256; v++) {
        const uint8_t pixel[MAX_INKS] = {(uint8_t)v, 100, 0, 0};

        apply_to(&settings, pixel, 20, row);
        assert_int_equal(row[0] == 65535, v > 180);
        assert_int_equal(row[20] == 0, v > 180);
    }
}

static void three_inks_and_one_have_no_black(void **state)
{
    struct ink_settings settings = pure_black();
    struct ink ink;

    (void)state;
    for (uint32_t inks = 1; inks <= 3; inks += 2) {
        uint8_t row[3] = {171, 171, 171};

        memset(settings.black, 171, sizeof settings.black);
        assert_true(ink_init(&ink, &settings, inks, 1, 8));
        ink_apply(&ink, row, UINT16_MAX);
        ink_free(&ink);
        assert_int_equal(row[0], 171);
    }
}

/* ---- The ink limit ---------------------------------------------------- */

static uint32_t load(const uint16_t *row, uint32_t inks, uint32_t x)
{
    uint32_t sum = 0;

    for (uint32_t k = 0; k < inks; k++)
        sum += row[k * WIDTH + x];
    return sum;
}

static void no_pixel_is_above_the_limit(void **state)
{
    uint16_t before[MAX_INKS * WIDTH], row[MAX_INKS * WIDTH];

    (void)state;
    for (uint32_t inks = 3; inks <= 4; inks++)
        for (int percent = 100; percent < (int)inks * 100; percent += 30) {
            struct ink_settings settings = INK_AS_IT_IS;
            uint32_t limit = (uint32_t)percent * 65535 / 100;

            settings.limit = percent / 100.0;
            apply(&settings, inks, 3, before, row);
            for (uint32_t x = 0; x < WIDTH; x++) {
                uint32_t was = load(before, inks, x), is = load(row, inks, x);

                if (was <= limit)
                    for (uint32_t k = 0; k < inks; k++)
                        assert_int_equal(row[k * WIDTH + x],
                                         before[k * WIDTH + x]);
                else /* three roundings down, one of the limit */
                    assert_true(is <= limit + 1 && is + 4 >= limit);
                if (inks == 4)
                    assert_int_equal(row[x], before[x]);
            }
        }
}

/* More cyan is never less cyan, whatever else there is. */
static void the_limit_is_monotone(void **state)
{
    struct ink_settings settings = INK_AS_IT_IS;
    uint64_t seed = 4;
    struct ink ink;

    (void)state;
    settings.limit = 1.7;
    assert_true(ink_init(&ink, &settings, 4, 1, 16));
    for (int trial = 0; trial < 300; trial++) {
        uint16_t others[3] = {(uint16_t)random_below(&seed, 65536),
                              (uint16_t)random_below(&seed, 65536),
                              (uint16_t)random_below(&seed, 65536)};
        uint16_t last = 0;

        for (uint32_t c = 0; c <= 65535; c += 255) {
            uint16_t row[4] = {others[0], (uint16_t)c, others[1], others[2]};

            ink_apply(&ink, row, UINT16_MAX);
            assert_true(row[1] >= last);
            last = row[1];
        }
    }
    ink_free(&ink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_and_refuses_lines),
        cmocka_unit_test(refuses_too_much),
        cmocka_unit_test(passes_through_its_points_and_never_falls),
        cmocka_unit_test(a_straight_line_stays_straight),
        cmocka_unit_test(the_default_makes_photos_lighter),
        cmocka_unit_test(nothing_asked_for_is_nothing_done),
        cmocka_unit_test(paper_stays_bare_and_solids_stay_solid),
        cmocka_unit_test(each_ink_has_its_own_curve),
        cmocka_unit_test(curves_keep_sixteen_bits),
        cmocka_unit_test(density_is_of_the_solid),
        cmocka_unit_test(rgb_black_is_black_ink_alone),
        cmocka_unit_test(other_blacks_stay),
        cmocka_unit_test(what_is_nearly_black_has_no_edge),
        cmocka_unit_test(a_black_without_black_ink_becomes_some),
        cmocka_unit_test(a_cut_makes_black_of_one_ink),
        cmocka_unit_test(the_cut_is_that_of_the_threshold),
        cmocka_unit_test(gamma_moves_the_cut),
        cmocka_unit_test(three_inks_and_one_have_no_black),
        cmocka_unit_test(no_pixel_is_above_the_limit),
        cmocka_unit_test(the_limit_is_monotone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
