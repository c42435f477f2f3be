/*
 * test_black.c - what of a row of samples becomes black ink alone, or solid.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/ink.h"
#include "test/cases.h"
#include "test/unit/pages.h"

#define WIDTH 1000u
#define INKS 4u

/* K, C, M and Y of RGB black; in settings, C, M, Y and K. */
static const uint8_t rgb_black[INKS] = {226, 184, 173, 171};

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
                         const uint8_t pixel[INKS], uint32_t width,
                         uint16_t row[INKS * WIDTH])
{
    uint8_t *samples = (uint8_t *)row;
    uint16_t inked = 0;
    struct ink_tables tables = {0};
    struct ink ink;

    case_is("K %u, C %u, M %u, Y %u, width %u", pixel[0], pixel[1], pixel[2],
            pixel[3], width);
    for (uint32_t k = 0; k < INKS; k++) {
        memset(samples + k * width, pixel[k], width);
        inked |= (uint16_t)((pixel[k] != 0) << k);
    }
    assert_true(ink_init(&ink, settings, &tables, INKS, width, 8));
    inked = ink_apply(&ink, row, inked);
    ink_tables_free(&tables);
    return inked;
}

TEST(rgb_black_is_black_ink_alone)
{
    struct ink_settings settings = pure_black(), curved = pure_black();
    uint16_t row[INKS * WIDTH];

    curved.curved = true;
    curve_default(&curved.curve);
    curved.limit = 2.4;
    for (uint32_t width = 1; width < 70; width++)
        for (int off = -1; off <= 1; off++) {
            const uint8_t pixel[] = {
                (uint8_t)(rgb_black[0] + off), rgb_black[1],
                (uint8_t)(rgb_black[2] - off), rgb_black[3]};

            assert_int_equal(apply_to(&settings, pixel, width, row), 1);
            for (uint32_t i = 0; i < INKS * width; i++)
                assert_int_equal(((uint8_t *)row)[i], i < width ? 255 : 0);
            assert_int_equal(apply_to(&curved, pixel, width, row), 1);
            for (uint32_t i = 0; i < INKS * width; i++)
                assert_int_equal(row[i], i < width ? 65535 : 0);
        }
}

/* Tries black as Ghostscript 10.05 makes it in 16 bits, and as 10.00 does. */
TEST(rgb_black_of_16_bits_is_black_ink_alone)
{
    static const uint16_t pixels[][INKS] = {{0xe2ff, 0xb9ff, 0xadff, 0xabff},
                                            {0xe2e2, 0xb9b9, 0xadad, 0xabab},
                                            {0xe200, 0xb700, 0xac00, 0xaa00}};
    struct ink_settings settings = pure_black();
    struct ink_tables tables = {0};
    uint16_t row[INKS * WIDTH];
    struct ink ink;

    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++) {
        case_is("pixel %zu", i);
        for (uint32_t j = 0; j < INKS * WIDTH; j++)
            row[j] = pixels[i][j / WIDTH];
        assert_true(ink_init(&ink, &settings, &tables, INKS, WIDTH, 16));
        assert_int_equal(ink_apply(&ink, row, 15), 1);
        for (uint32_t j = 0; j < INKS * WIDTH; j++)
            assert_int_equal(row[j], j < WIDTH ? UINT16_MAX : 0);
    }
    ink_tables_free(&tables);
}

/* 60 40 40 100 % of a designer, black ink alone, and what is further away than
 * text. */
TEST(other_blacks_stay)
{
    static const uint8_t pixels[][INKS] = {
        {255, 153, 102, 102}, {255, 0, 0, 0},       {255, 255, 255, 255},
        {226, 225, 173, 171}, {185, 184, 173, 171}, {226, 143, 173, 171},
        {226, 184, 214, 171}, {226, 184, 173, 130}, {0, 184, 173, 171}};
    struct ink_settings settings = pure_black();
    uint16_t row[INKS * WIDTH];

    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++) {
        apply_to(&settings, pixels[i], 50, row);
        for (uint32_t j = 0; j < INKS * 50; j++)
            assert_int_equal(((uint8_t *)row)[j], pixels[i][j / 50]);
    }
}

/* The equation of ink.h, in samples of 0..`full`. */
static double drawn_to_black(const uint16_t *pixel, uint32_t k, unsigned full)
{
    const int unit = (int)full / 255, first = full == 255 ? 1 : 256;
    int most = 0;

    for (uint32_t i = 0; i < INKS; i++) {
        int v = pixel[i * WIDTH], least = rgb_black[i] * first;
        int off = v < least ? least - v : v - (least + first - 1);

        most = off > most ? off : most;
    }
    const double d = (double)most / unit;

    double t = fmin(fmax((16 - d) / 15, 0), 1);
    return (1 - t) * pixel[k * WIDTH] + (k == 0 ? t * full : 0);
}

/* Around black, and runs of it. */
TEST(what_is_nearly_black_has_no_edge)
{
    uint16_t before[INKS * WIDTH], row[INKS * WIDTH];
    uint8_t row8[INKS * WIDTH];
    struct ink_settings settings = pure_black();
    uint64_t seed = 6;
    struct ink_tables tables = {0};
    struct ink ink;

    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        unsigned full = bits == 8 ? 255 : 65535, reach = full / 255 * 20;

        for (uint32_t x = 0; x < WIDTH; x++)
            for (uint32_t k = 0; k < INKS; k++) {
                unsigned off = random_below(&seed, 2 * reach + 1);
                bool exact = x % 100 > 30 && x % 7 > 0;
                int near = (int)(rgb_black[k] * (full / 255)) +
                           (exact ? 0 : (int)off - (int)reach);
                unsigned v = near < (int)full ? (unsigned)near : full;

                before[k * WIDTH + x] = (uint16_t)v;
                row[k * WIDTH + x] = (uint16_t)v;
                row8[k * WIDTH + x] = (uint8_t)v;
            }
        assert_true(ink_init(&ink, &settings, &tables, INKS, WIDTH, bits));
        assert_int_equal(ink.bits, bits);
        ink_apply(&ink, bits == 8 ? (void *)row8 : (void *)row, UINT16_MAX);
        ink_tables_free(&tables);
        for (uint32_t i = 0; i < INKS * WIDTH; i++) {
            double got = bits == 8 ? row8[i] : row[i];
            double wanted = drawn_to_black(before + i % WIDTH, i / WIDTH, full);

            case_is("%u bits, ink %u, column %u", bits, i / WIDTH, i % WIDTH);
            assert_near(got, wanted, 0.51);
        }
    }
}

/* Grays of 255 levels in C, M, Y and K: what comes has four inks, and what
 * leaves those of the gray that shadows_gray() names. */
static void inks_of_gray(double gray, uint8_t cmyk[4])
{
    static const double dark[] = {184, 173, 171, 226}, step[] = {.2, .3, .3, 2};

    for (int k = 0; k < 4; k++)
        cmyk[k] = (uint8_t)(dark[k] - step[k] * gray + 0.5);
}

static void take_grays(struct ink_settings *settings,
                       struct shadow_grays *grays, double black)
{
    for (unsigned i = 0; i < SHADOWS_GRAYS; i++) {
        inks_of_gray(8 * i, grays->come[i]);
        inks_of_gray(shadows_gray(black, 8 * i), grays->leave[i]);
    }
    settings->shadows = grays;
}

/* K, C, M and Y, as they leave, of C, M, Y and K. */
static void lift(const struct ink_settings *settings, const uint8_t cmyk[4],
                 uint32_t bits, double kcmy[4])
{
    const uint32_t unit = bits == 8 ? 1 : 257;
    uint16_t row[INKS * 21];
    struct ink_tables tables = {0};
    struct ink ink;

    for (uint32_t k = 0; k < INKS; k++)
        for (uint32_t x = 0; x < 21; x++)
            if (bits == 8)
                ((uint8_t *)row)[k * 21 + x] = cmyk[(k + 3) % 4];
            else
                row[k * 21 + x] = (uint16_t)(cmyk[(k + 3) % 4] * unit);
    assert_true(ink_init(&ink, settings, &tables, INKS, 21, bits));
    ink_apply(&ink, row, 15);
    for (uint32_t k = 0; k < INKS; k++)
        for (uint32_t x = 0; x < 21; x++) {
            const uint32_t at = k * 21 + x;
            const double v = bits == 8 ? ((uint8_t *)row)[at] : row[at];

            if (x > 0)
                assert_near(v / unit, kcmy[k], 0);
            kcmy[k] = v / unit;
        }
}

TEST(no_gray_is_darker_than_black_alone)
{
    struct ink_settings settings = pure_black();
    struct shadow_grays grays;

    take_grays(&settings, &grays, 30);
    assert_near(shadows_gray(30, 0), 30, 0);
    assert_near(shadows_gray(30, 60), 60, 0);
    assert_near(shadows_gray(60, 72), 72, 0);
    assert_near(shadows_gray(200, 10), 72, 0);
    for (uint32_t bits = 8; bits <= 16; bits += 8)
        for (int gray = 0; gray <= 80; gray++) {
            uint8_t come[4], wanted[4];
            double is[4];

            case_is("gray %d, %u bits", gray, bits);
            inks_of_gray(gray, come);
            inks_of_gray(shadows_gray(30, gray), wanted);
            lift(&settings, come, bits, is);
            if (gray == 0)
                assert_near(is[0] + 10 * is[1], 255, 0);
            for (int k = 0; gray > 8 && k < 4; k++)
                assert_near(is[k], wanted[(k + 3) % 4], 2);
        }
}

/* Colors change less than grays, and from a distance of 40 of 255 on not at
 * all. */
TEST(shadows_of_colors_stay)
{
    struct ink_settings settings = pure_black();
    struct shadow_grays grays;
    uint8_t come[4];
    double gray[4], less[4], is[4];

    take_grays(&settings, &grays, 30);
    inks_of_gray(20, come);
    lift(&settings, come, 8, gray);
    come[1] -= 28, come[2] += 28;
    lift(&settings, come, 8, less);
    assert_near(come[3] - less[0], (come[3] - gray[0]) / 2, 1);
    come[1] -= 12, come[2] += 12;
    lift(&settings, come, 8, is);
    for (int k = 0; k < 4; k++)
        assert_near(is[k], come[(k + 3) % 4], 0);
}

/* Pixels near all grays, in one row and alone. */
TEST(shadows_do_not_depend_on_neighbors)
{
    struct ink_settings settings = pure_black();
    struct shadow_grays grays;
    struct ink_tables tables = {0};
    struct ink ink;
    uint64_t seed = 5;
    uint8_t row[INKS * WIDTH], alone[INKS][WIDTH];

    take_grays(&settings, &grays, 30);
    assert_true(ink_init(&ink, &settings, &tables, INKS, 1, 8));
    for (uint32_t x = 0; x < WIDTH; x++) {
        uint8_t cmyk[4], pixel[INKS];

        inks_of_gray(random_below(&seed, 90), cmyk);
        for (uint32_t k = 0; k < INKS; k++) {
            const int off = (int)random_below(&seed, 1 + x % 40) * 2 - 20;
            const int v = cmyk[(k + 3) % 4] + (x % 3 == 0 ? 0 : off);

            pixel[k] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
            row[k * WIDTH + x] = pixel[k];
        }
        ink_apply(&ink, pixel, 15);
        for (uint32_t k = 0; k < INKS; k++)
            alone[k][x] = pixel[k];
    }
    assert_true(ink_init(&ink, &settings, &tables, INKS, WIDTH, 8));
    ink_apply(&ink, row, 15);
    for (uint32_t k = 0; k < INKS; k++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            case_is("ink %u, column %u", k, x);
            assert_int_equal(row[k * WIDTH + x], alone[k][x]);
        }
}

/* Grays that their sum of inks does not tell apart, and those that all stay. */
TEST(unknown_shadows_stay)
{
    struct shadow_grays grays;
    struct ink_settings settings = pure_black();
    struct shadows shadows;

    take_grays(&settings, &grays, 30);
    assert_true(shadows_init(&shadows, &grays));
    memcpy(grays.come[4], grays.come[3], 4);
    assert_false(shadows_init(&shadows, &grays));
    take_grays(&settings, &grays, 0);
    assert_false(shadows_init(&shadows, &grays));
}

/* A row that had no K has some then. */
TEST(a_black_without_black_ink_becomes_some)
{
    static const uint8_t pixel[INKS] = {0, 255, 255, 255};
    struct ink_settings settings = pure_black();
    uint16_t row[INKS * WIDTH];

    memcpy(settings.black, "\xff\xff\xff", INKS);
    assert_int_equal(apply_to(&settings, pixel, 20, row), 1);
    assert_int_equal(((uint8_t *)row)[19], 255);
    assert_int_equal(((uint8_t *)row)[20], 0);
}

/* A chart that calibrates is printed without a curve, and a threshold makes all
 * text black. */
TEST(only_a_curve_makes_text_of_black_alone_solid)
{
    struct ink_settings settings = pure_black();
    struct ink_tables tables = {0};
    struct ink ink;

    curve_default(&settings.curve);
    for (uint32_t inks = 1; inks <= INKS; inks++)
        for (int i = 0; inks != 2 && i < 4; i++) {
            settings.curved = i % 2 != 0;
            settings.two_level = i / 2 != 0;
            case_is("%u inks, curve %d, threshold %d", inks, i % 2, i / 2);
            assert_true(ink_init(&ink, &settings, &tables, inks, 8, 8));
            assert_int_equal(
                ink.black_text,
                !settings.two_level &&
                    (inks == INKS || (inks == 1 && settings.curved)));
        }
    ink_tables_free(&tables);
}

TEST(three_inks_have_no_black)
{
    struct ink_settings settings = pure_black();
    struct ink_tables tables = {0};
    uint8_t row[3] = {171, 240, 255};
    struct ink ink;

    memset(settings.black, 171, sizeof settings.black);
    assert_true(ink_init(&ink, &settings, &tables, 3, 1, 8));
    ink_apply(&ink, row, UINT16_MAX);
    ink_tables_free(&tables);
    assert_memory_equal(row, "\xab\xf0\xff", sizeof row);
}
