/*
 * test_ink.c - what tone curve, gamma, density and the ink limit do to a row
 * of samples.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/ink.h"
#include "test/cases.h"
#include "test/unit/pages.h"

#define WIDTH 1000u
#define MAX_INKS 4

/* ---- Tones ------------------------------------------------------------ */

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

/* Samples of 8 bits where they stand, as an engine takes them. */
static void apply_curves(const struct ink *ink, void *row)
{
    const uint8_t *samples = row;
    uint16_t *deep = row;

    assert_int_equal(ink->bits, 8);
    for (uint32_t i = ink->inks * WIDTH; i-- > 0;)
        deep[i] = ink->table[i / WIDTH][samples[i]];
}

/* Both depths have to become the same; the result is `row`. */
static void apply(const struct ink_settings *settings, uint32_t inks,
                  uint64_t seed, uint16_t *before, uint16_t *row)
{
    static uint16_t from8[MAX_INKS * WIDTH];
    struct ink_tables tables = {0};
    struct ink ink;

    case_is("%u inks, %sgamma %g, density %g, limit %g", inks,
            settings->curved ? "curve, " : "", settings->gamma,
            settings->density, settings->limit);
    make_row(inks, seed, (uint8_t *)from8, before);
    memcpy(row, before, inks * WIDTH * sizeof *row);
    assert_true(ink_init(&ink, settings, &tables, inks, WIDTH, 8));
    ink_apply(&ink, from8, UINT16_MAX);
    if (ink.curved)
        apply_curves(&ink, from8);
    else
        assert_int_equal(ink.bits, 16);
    ink_tables_free(&tables);
    assert_true(ink_init(&ink, settings, &tables, inks, WIDTH, 16));
    assert_int_equal(ink.bits, 16);
    ink_apply(&ink, row, UINT16_MAX);
    ink_tables_free(&tables);
    assert_memory_equal(from8, row, inks * WIDTH * sizeof *row);
}

static struct ink_settings default_curve(void)
{
    struct ink_settings settings = INK_AS_IT_IS;

    settings.curved = true;
    curve_default(&settings.curve);
    return settings;
}

TEST(nothing_asked_for_is_nothing_done)
{
    static const uint32_t depths[] = {1, 8, 16};
    struct ink_settings settings = INK_AS_IT_IS, curved = default_curve();
    uint16_t row[MAX_INKS * WIDTH], copy[MAX_INKS * WIDTH];
    struct ink_tables tables = {0};
    struct ink ink;

    memset(row, 0x5a, sizeof row);
    memcpy(copy, row, sizeof copy);
    for (size_t i = 0; i < 3; i++) {
        case_is("%u bits", depths[i]);
        assert_true(ink_init(&ink, &settings, &tables, 4, WIDTH, depths[i]));
        assert_int_equal(ink.bits, depths[i]);
        assert_null(ink.table[0]);
        ink_apply(&ink, row, UINT16_MAX);
        ink_tables_free(&tables);
    }
    /* Dots that come as dots have no tones. */
    assert_true(ink_init(&ink, &curved, &tables, 4, WIDTH, 1));
    assert_int_equal(ink.bits, 1);
    ink_apply(&ink, row, UINT16_MAX);
    ink_tables_free(&tables);
    assert_memory_equal(row, copy, sizeof row);
}

TEST(paper_stays_bare_and_solids_stay_solid)
{
    struct ink_settings settings = default_curve();
    uint16_t before[MAX_INKS * WIDTH], row[MAX_INKS * WIDTH];

    for (double gamma = 0.25; gamma <= 4; gamma *= 2)
        for (uint32_t inks = 1; inks <= 4; inks += inks == 1 ? 2 : 1) {
            settings.gamma = gamma;
            apply(&settings, inks, 1, before, row);
            for (uint32_t i = 0; i < inks * WIDTH; i++) {
                if ((row[i] == 0) != (before[i] == 0) ||
                    (row[i] == 65535) != (before[i] == 65535))
                    fail_msg("sample %u: %u becomes %u", i, before[i], row[i]);
            }
        }
}

/* Those of a scan: its paper, a tint, print and solids. */
TEST(inks_of_a_pixel_become_bare_and_solid_together)
{
    static const char text[] = "halftone-curve 1\npixel 10 0\npixel 25 "
                               "25\npixel 75 75\npixel 90 100\n";
    static const struct {
        uint8_t before[4], after[4];
    } cases[] = {{{0, 24, 20, 21}, {0, 0, 0, 0}},
                 {{25, 0, 0, 3}, {0, 0, 0, 0}},
                 {{20, 130, 111, 111}, {20, 130, 111, 111}},
                 {{230, 115, 0, 23}, {255, 128, 0, 26}},
                 {{255, 255, 10, 0}, {255, 255, 10, 0}},
                 {{0, 0, 0, 0}, {0, 0, 0, 0}}};
    struct ink_settings settings = INK_AS_IT_IS;
    struct ink_tables tables = {0};
    unsigned line;

    assert_true(curve_parse(&settings.curve, text, strlen(text), &line));
    settings.curved = true;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint16_t row8[4], row16[4];
        struct ink ink;

        case_is("pixel %zu", i);
        assert_true(ink_init(&ink, &settings, &tables, 4, 1, 8));
        memcpy(row8, cases[i].before, 4);
        ink_apply(&ink, row8, UINT16_MAX);
        assert_true(ink.curved);
        assert_memory_equal(row8, cases[i].after, 4);
        assert_true(ink_init(&ink, &settings, &tables, 4, 1, 16));
        for (int k = 0; k < 4; k++)
            row16[k] = (uint16_t)(257 * cases[i].before[k]);
        ink_apply(&ink, row16, UINT16_MAX);
        for (int k = 0; k < 4; k++)
            assert_between(row16[k],
                           257 * cases[i].after[k] -
                               130 * (cases[i].after[k] > 0),
                           257 * cases[i].after[k] + 130);
    }
    ink_tables_free(&tables);
}

TEST(curves_are_left_to_the_engine)
{
    static const char bare[] = "halftone-curve 1\npoint CMYK 30 0\n";
    struct ink_settings curved = default_curve(), as_it_is = INK_AS_IT_IS;
    struct ink_settings limited = curved, dense = curved, black = curved;
    struct ink_settings broken = curved;
    unsigned line;

    limited.limit = 3;
    dense.density = 0.9;
    black.two_level = true;
    assert_true(curve_parse(&broken.curve, bare, sizeof bare - 1, &line));
    const struct {
        const char *name;
        const struct ink_settings *settings;
        uint32_t bits;
        bool curved;
    } cases[] = {{"a curve", &curved, 8, true},
                 {"a curve", &curved, 16, false},
                 {"a limit", &limited, 8, false},
                 {"a density", &dense, 8, false},
                 {"two levels", &black, 8, false},
                 {"a curve that leaves tones bare", &broken, 8, false},
                 {"nothing", &as_it_is, 8, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ink_tables tables = {0};
        struct ink ink;

        case_is("%s, %u bits", cases[i].name, cases[i].bits);
        assert_true(
            ink_init(&ink, cases[i].settings, &tables, 4, 1, cases[i].bits));
        assert_int_equal(ink.curved, cases[i].curved);
        ink_tables_free(&tables);
    }
}

TEST(each_ink_has_its_own_curve)
{
    static const char text[] = "halftone-curve 1\n"
                               "point C 50 10\npoint M 50 20\n"
                               "point Y 50 30\npoint K 50 40\n";
    static const struct {
        uint32_t inks;
        int percent[MAX_INKS]; /* in the engine's order */
    } cases[] = {{1, {40}}, {3, {10, 20, 30}}, {4, {40, 10, 20, 30}}};
    struct ink_settings settings = INK_AS_IT_IS;
    unsigned line;

    settings.curved = true;
    assert_true(curve_parse(&settings.curve, text, sizeof text - 1, &line));
    for (size_t i = 0; i < 3; i++) {
        struct ink_tables tables = {0};
        struct ink ink;
        uint16_t row[MAX_INKS] = {32768, 32768, 32768, 32768};

        assert_true(ink_init(&ink, &settings, &tables, cases[i].inks, 1, 16));
        ink_apply(&ink, row, UINT16_MAX);
        ink_tables_free(&tables);
        for (uint32_t k = 0; k < cases[i].inks; k++) {
            case_is("ink %u of %u", k, cases[i].inks);
            assert_near(row[k], cases[i].percent[k] * 655.35, 2);
        }
    }
}

/* The tone of black ink that reflects the light of a gray, by the equation of
 * page/gray.h; bare paper and solid are exact. */
static void assert_gray(double k, double tone)
{
    const double gray = 1 - k;
    const double light =
        gray <= 0.04045 ? gray / 12.92 : pow((gray + 0.055) / 1.055, 2.4);

    assert_near(tone + 0.8 * tone * (1 - tone), 1 - light, 0.0037);
    assert_int_equal(k == 0, tone == 0);
    assert_int_equal(k == 1, tone == 1);
}

TEST(a_gray_page_is_as_light_as_a_screen)
{
    struct ink_settings settings = default_curve();
    struct ink_tables tables = {0}, plain = {0};
    struct ink gray, curve;
    uint32_t tone = 0;

    assert_true(ink_init(&curve, &settings, &plain, 1, 1, 16));
    settings.gray = true;
    assert_true(ink_init(&gray, &settings, &tables, 1, 1, 16));
    for (uint32_t v = 0; v <= UINT16_MAX; v += 257) {
        case_is("sample %u", v);
        while (curve.table[0][tone] < gray.table[0][v])
            tone++;
        assert_gray(v / 65535.0, tone / 65535.0);
    }
    ink_tables_free(&tables);
    ink_tables_free(&plain);
}

/* Each ink by its own, behind curve and density. */
TEST(drops_of_several_sizes_change_ink_last)
{
    static const struct curve_points drops[2] = {
        {.count = 3, .x = {0, .5, 1}, .y = {0, .25, 1}},
        {.count = 3, .x = {0, .5, 1}, .y = {0, .75, 1}}};
    struct ink_settings settings = default_curve();

    settings.density = 0.8;
    for (uint32_t which = 0; which < 2; which++) {
        struct ink_tables tables = {.drops = &drops[which]}, whole = {0};
        struct ink sized, plain;

        assert_true(ink_init(&sized, &settings, &tables, 1, 1, 16));
        assert_true(ink_init(&plain, &settings, &whole, 1, 1, 16));
        for (uint32_t v = 0; v <= UINT16_MAX; v += 257)
            assert_near(
                sized.table[0][v] / 65535.0,
                curve_points_at(&drops[which], plain.table[0][v] / 65535.0),
                1e-4);
        ink_tables_free(&tables);
        ink_tables_free(&whole);
    }
}

/* Four inks, in runs of more than a vector; engines apply the curve. */
TEST(black_alone_is_as_light_as_a_screen)
{
    enum { ROW = 50 };
    struct ink_settings settings = default_curve();

    settings.gray = true;
    for (uint32_t v = 0; v <= UINT8_MAX; v++) {
        struct ink_tables tables = {0};
        struct ink ink;
        uint8_t row[4 * ROW] = {0};

        case_is("sample %u", v);
        memset(row, (int)v, ROW);
        row[ROW + 7] = row[2 * ROW + 20] = row[3 * ROW + 49] = 1;
        assert_true(ink_init(&ink, &settings, &tables, 4, ROW, 8));
        assert_true(ink.curved);
        ink_apply(&ink, row, UINT16_MAX);
        for (int x = 0; x < ROW; x++)
            if (x == 7 || x == 20 || x == 49)
                assert_int_equal(row[x], v);
            else
                assert_gray(v / 255.0, row[x] / 255.0);
        ink_tables_free(&tables);
    }
}

/* 16 bits come in for more than 256 tones to leave. */
TEST(curves_keep_sixteen_bits)
{
    struct ink_settings settings = default_curve();
    struct ink_tables tables = {0};
    struct ink ink;
    uint32_t tones = 1;

    assert_true(ink_init(&ink, &settings, &tables, 1, 1, 16));
    for (uint32_t v = 1; v <= 65535; v++) {
        if (ink.table[0][v] < ink.table[0][v - 1])
            fail_msg("sample %u: %u after %u", v, ink.table[0][v],
                     ink.table[0][v - 1]);
        tones += ink.table[0][v] != ink.table[0][v - 1];
    }
    ink_tables_free(&tables);
    assert_between(tones, 40001, 65536);
}

TEST(each_table_is_made_once)
{
    struct ink_settings settings = default_curve();
    struct ink_tables tables = {0};
    struct ink four, one, small;

    assert_true(ink_init(&four, &settings, &tables, 4, 1, 16));
    assert_true(ink_init(&one, &settings, &tables, 1, 1, 16));
    assert_ptr_equal(one.table[0], four.table[0]); /* both are black */
    assert_true(ink_init(&small, &settings, &tables, 4, 1, 8));
    for (unsigned k = 0; k < 4; k++) {
        case_is("ink %u", k);
        assert_int_equal(small.table[k][100], four.table[k][100 * 257]);
    }
    settings.gamma = 2; /* is seen only by a table that is made again */
    const uint16_t before = four.table[1][30000];
    assert_true(ink_init(&four, &settings, &tables, 4, 1, 16));
    assert_int_equal(four.table[1][30000], before);
    ink_tables_free(&tables);
}

TEST(density_is_of_the_solid)
{
    struct ink_settings settings = INK_AS_IT_IS;
    uint16_t before[MAX_INKS * WIDTH], row[MAX_INKS * WIDTH];

    settings.density = 0.5;
    apply(&settings, 4, 2, before, row);
    for (uint32_t i = 0; i < 4 * WIDTH; i++)
        assert_near(2 * row[i], before[i], 1);
    settings.density = 1.5;
    apply(&settings, 4, 2, before, row);
    for (uint32_t i = 0; i < 4 * WIDTH; i++)
        assert_near(2 * row[i], before[i] >= 43690 ? 2 * 65535 : 3 * before[i],
                    before[i] >= 43690 ? 0 : 1);
}

/* ---- Tones of drops --------------------------------------------------- */

/* The tones are Gutenprint's, by its formula elsewhere. */
TEST(drops_with_tones_have_their_curve_and_solid)
{
    static const struct drop_tones tones = {
        .solid = {.907, .32, 1, .5},
        .contrast = 1,
        .brightness = 1,
        .print_gamma = 2.128,
        .gamma = {1, .6, 2, 1},
    };
    /* Lists the curve at samples 51, 102, 153 and 204, of K, C and M. */
    static const double part[3][4] = {{0.02693, 0.07628, 0.17417, 0.39339},
                                      {0.01518, 0.04045, 0.08827, 0.20319},
                                      {0.06194, 0.19121, 0.42641, 0.76501}};
    struct ink_settings settings = default_curve();

    settings.usual = settings.gray = true;
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        struct ink_tables tables = {.tones = &tones};
        struct ink ink;
        uint16_t row[MAX_INKS * 6] = {0};
        uint8_t *row8 = (uint8_t *)row;

        assert_true(ink_init(&ink, &settings, &tables, 4, 6, bits));
        assert_int_equal(ink.curved, bits == 8);
        for (uint32_t i = 0; i < MAX_INKS * 6; i++)
            if (bits == 8)
                row8[i] = (uint8_t)(51 * (i % 6));
            else
                row[i] = (uint16_t)(51 * 257 * (i % 6));
        ink_apply(&ink, row, UINT16_MAX);
        for (uint32_t i = 0; i < MAX_INKS * 6; i++) {
            const uint32_t k = i / 6, step = i % 6;
            const double got =
                (bits == 8 ? ink.table[k][row8[i]] : row[i]) / 65535.0;

            case_is("%u bits, ink %u, step %u", bits, k, step);
            if (step % 5 == 0)
                assert_near(got, step > 0 ? tones.solid[k] : 0, 1e-5);
            else if (k < 3)
                assert_near(got, tones.solid[k] * part[k][step - 1], 2e-5);
        }
        ink_tables_free(&tables);
    }
}

/* All samples of 8 bits; a second page finds the tables made. */
TEST(engines_have_solids_that_are_no_whole_dots)
{
    static const struct drop_tones tones = {
        .solid = {.907, .907, .907, .907},
        .contrast = 1,
        .brightness = 1,
        .print_gamma = 2.128,
        .gamma = {1, 1, 1, 1},
    };
    struct ink_settings settings = default_curve();
    struct ink_tables tables = {.tones = &tones};
    struct ink deep, ink;

    settings.usual = true;
    assert_true(ink_init(&deep, &settings, &tables, 1, 256, 16));
    for (int page = 0; page < 2; page++) {
        uint8_t row[512];

        assert_true(ink_init(&ink, &settings, &tables, 1, 256, 8));
        for (unsigned v = 0; v < 256; v++)
            row[v] = (uint8_t)v;
        ink_apply(&ink, row, 1);
        assert_true(ink.curved && ht_curve_valid(ink.table[0]));
        for (unsigned v = 0; v < 256; v++)
            assert_near(ink.table[0][row[v]], deep.table[0][257 * v],
                        v == 1 || v == 2 ? 65535 / 255 : 0);
    }
    ink_tables_free(&tables);
}

TEST(curves_of_the_user_keep_the_solid_of_drops)
{
    static const struct drop_tones tones = {
        .solid = {.5, .5, .5, .5},
        .contrast = 1,
        .brightness = 1,
        .print_gamma = 2,
        .gamma = {1, 1, 1, 1},
    };
    struct ink_settings settings = default_curve();
    struct ink_tables tables = {.tones = &tones}, plain = {0};
    struct ink sized, whole;

    for (int curved = 0; curved < 2; curved++) {
        settings.curved = curved;
        settings.gamma = 2;
        assert_true(ink_init(&sized, &settings, &tables, 4, 1, 16));
        assert_true(ink_init(&whole, &settings, &plain, 4, 1, 16));
        for (uint32_t v = 0; v <= UINT16_MAX; v += 257)
            assert_near(2 * sized.table[1][v], whole.table[1][v], 2);
        ink_tables_free(&tables);
        ink_tables_free(&plain);
        tables.tones = &tones;
    }
}

TEST(drops_have_a_limit_of_their_own)
{
    static const struct {
        double solid, limit, asked, got; /* 0: none */
    } cases[] = {{.5, 0, 2, 0},       {.5, 1.9, 4, 1.9}, {.5, 2, 4, 0},
                 {.5, 1.9, 1.5, 1.5}, {1, 0, 4, 0},      {1, 2.5, 4, 2.5},
                 {.8, .6, 4, .6}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double solid = cases[i].solid;
        const struct drop_tones tones = {.solid = {solid, solid, solid, solid},
                                         .contrast = 1,
                                         .brightness = 1,
                                         .print_gamma = 2,
                                         .gamma = {1, 1, 1, 1},
                                         .limit = cases[i].limit};
        struct ink_settings settings = INK_AS_IT_IS;
        struct ink_tables tables = {.tones = &tones};
        struct ink ink;
        uint16_t row[8] = {0};

        case_is("case %zu", i);
        settings.limit = cases[i].asked;
        assert_true(ink_init(&ink, &settings, &tables, 4, 1, 8));
        assert_int_equal(ink.limit, (uint32_t)(cases[i].got * 65535));
        memset(row, UINT8_MAX, 4);
        ink_apply(&ink, row, UINT16_MAX);
        if (cases[i].got > 0) { /* K stays, the others share the rest */
            const double rest = fmax(cases[i].got - solid, 0);

            assert_near(row[0] / 65535.0, solid, 1e-4);
            assert_near(row[2] / 65535.0, rest / 3, 1e-4);
        }
        ink_tables_free(&tables);
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

TEST(no_pixel_is_above_the_limit)
{
    uint16_t before[MAX_INKS * WIDTH], row[MAX_INKS * WIDTH];

    for (uint32_t inks = 3; inks <= 4; inks++)
        for (int percent = 100; percent < (int)inks * 100; percent += 30) {
            struct ink_settings settings = INK_AS_IT_IS;
            uint32_t limit = (uint32_t)percent * 65535 / 100;

            settings.limit = percent / 100.0;
            apply(&settings, inks, 3, before, row);
            for (uint32_t x = 0; x < WIDTH; x++) {
                uint32_t was = load(before, inks, x), is = load(row, inks, x);

                for (uint32_t k = 0; k < inks; k++)
                    if ((was <= limit || (k == 0 && inks == 4)) &&
                        row[k * WIDTH + x] != before[k * WIDTH + x])
                        fail_msg("column %u, ink %u: %u becomes %u", x, k,
                                 before[k * WIDTH + x], row[k * WIDTH + x]);
                /* Three roundings down, one of the limit. */
                if (was > limit && (is > limit + 1 || is + 4 < limit))
                    fail_msg("column %u: %u becomes %u, above %u", x, was, is,
                             limit);
            }
        }
}

/* More cyan is never less cyan, whatever else there is. */
TEST(the_limit_is_monotone)
{
    struct ink_settings settings = INK_AS_IT_IS;
    uint64_t seed = 4;
    struct ink_tables tables = {0};
    struct ink ink;

    settings.limit = 1.7;
    assert_true(ink_init(&ink, &settings, &tables, 4, 1, 16));
    for (int trial = 0; trial < 300; trial++) {
        uint16_t others[3] = {(uint16_t)random_below(&seed, 65536),
                              (uint16_t)random_below(&seed, 65536),
                              (uint16_t)random_below(&seed, 65536)};
        uint16_t last = 0;

        for (uint32_t c = 0; c <= 65535; c += 255) {
            uint16_t row[4] = {others[0], (uint16_t)c, others[1], others[2]};

            ink_apply(&ink, row, UINT16_MAX);
            if (row[1] < last)
                fail_msg("cyan %u beside %u, %u and %u: %u after %u", c,
                         others[0], others[1], others[2], row[1], last);
            last = row[1];
        }
    }
    ink_tables_free(&tables);
}
