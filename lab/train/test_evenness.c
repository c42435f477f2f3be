/*
 * test_evenness.c - tests the meters of bands, round dots, ramps and tints, on
 * cases whose answers are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "lab/train/bands.h"
#include "lab/train/ramps.h"
#include "lab/train/random.h"
#include "lab/train/tints.h"
#include "test/cases.h"

#define PI 3.14159265358979323846

enum { WIDTH = 256, HEIGHT = 384 };

/* L* 50 and a wave down the page, of so many rows and from peak to peak. */
static struct evenness judge_wave(double rows, double peaks, double noise)
{
    static double lightness[WIDTH * HEIGHT];
    const struct colors seen = {WIDTH, HEIGHT, {lightness}};
    uint64_t seed = 1;

    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int y = i / WIDTH;

        lightness[i] = 50 + peaks / 2 * sin(2 * PI * y / rows) +
                       noise * (random_unit(&seed) - 0.5);
    }
    return bands_judge(&seen);
}

TEST(bands_have_the_height_of_a_wave)
{
    for (int rows = 8; rows <= 32; rows *= 2) {
        struct evenness even = judge_wave(rows, 1.5, 0);

        assert_near(even.grain, 1.5 / sqrt(8), 0.01);
        assert_near(even.bands, 1.5, 0.05);
    }
    assert_near(judge_wave(16, 1.5, 2).bands, 1.5, 0.1);
}

TEST(noise_and_other_waves_are_no_bands)
{
    assert_near(judge_wave(16, 0, 4).bands, 0, 0.1);
    assert_near(judge_wave(13, 1, 0).bands, 0, 0.1);
}

/* ---- Round dots ---------------------------------------------------------- */

static struct colors one_dot(int ink, uint8_t size, double right, double down)
{
    static const double area[HT_MAX_LEVELS] = {0, 1, .25, .5, 1, 1};
    const struct look look = {1.3, right, down, 1};
    struct plane dots[COLOR_INKS];

    for (int i = 0; i < COLOR_INKS; i++)
        dots[i] = plane_new(8, 8);
    dots[ink].value[0] = size;
    struct colors colors = round_dots(dots, area, &look);
    for (int i = 0; i < COLOR_INKS; i++)
        plane_free(&dots[i]);
    return colors;
}

/* Returns how much of a pixel the dot covers. */
static double cover_at(const struct colors *colors, int ink, int x, int y)
{
    const double *solid = color_primaries[1 << ink],
                 *paper = color_primaries[0];

    return (paper[1] - colors->plane[1][y * 8 + x]) / (paper[1] - solid[1]);
}

TEST(a_round_dot_covers_its_area_and_its_neighbors)
{
    for (int moved = 0; moved < 2; moved++) {
        struct colors colors = one_dot(2, 1, moved * 0.5, 0);
        double area = 0;

        for (int i = 0; i < 64; i++)
            area += cover_at(&colors, 2, i % 8, i / 8);
        assert_near(area, PI * 0.65 * 0.65, 0.15);
        assert_near(cover_at(&colors, 2, 0, 0), cover_at(&colors, 2, moved, 0),
                    1e-9);
        assert_near(cover_at(&colors, 2, 7, 0) > 0, moved == 0, 0);
        colors_free(&colors);
    }
}

TEST(a_smaller_drop_covers_less)
{
    struct colors colors = one_dot(2, 2, 0, 0);

    assert_near(cover_at(&colors, 2, 0, 0), PI * 0.65 * 0.65 / 4, 0.05);
    assert_near(cover_at(&colors, 2, 1, 0), 0, 0);
    colors_free(&colors);
}

TEST(other_inks_stay)
{
    struct colors still = one_dot(1, 1, 0, 0), moved = one_dot(1, 1, 0.5, 0.5);

    assert_memory_equal(still.plane[1], moved.plane[1], 64 * sizeof(double));
    colors_free(&still);
    colors_free(&moved);
}

/* ---- Ramps --------------------------------------------------------------- */

/* Without halftones an ink begins at 50 %, where its ramp then has an edge. */
TEST(a_threshold_stands_out_of_a_ramp)
{
    const struct printer printer = {.method = HT_THRESHOLD};
    double most;

    assert_true(ramps_measure(&most, &printer, &look_square));
    assert_true(most > 10);
}

/* ---- Tints --------------------------------------------------------------- */

static const double whole[] = {0, 1, 1, 1};

/* Light of bars of 32 columns: odd waves of amplitude 2 / (64 sin), blurred by
 * a Gaussian of .12 mm. */
TEST(light_of_a_tint_is_blurred)
{
    const double deviation = .12 / 25.4 * 720,
                 depth = 1 - color_primaries[1][1] / color_primaries[0][1];
    struct plane sheet[COLOR_INKS];
    double ink[COLOR_INKS], variance = 0;

    for (int i = 0; i < COLOR_INKS; i++)
        sheet[i] = plane_new(TINTS_SIDE, TINTS_SIDE);
    for (int i = 0; i < TINTS_SIDE * TINTS_SIDE; i++)
        sheet[0].value[i] = i % TINTS_SIDE / 32 % 2;
    for (int k = 1; k < 32; k += 2) {
        const double turn = PI * k / 64 * deviation,
                     wave = 2 / (64 * sin(PI * k / 64)) * exp(-2 * turn * turn);

        variance += wave * wave / 2;
    }
    struct unevenness seen = tints_judge(sheet, 0, whole, &look_square, 720);
    assert_near(seen.light / (100 * depth * sqrt(variance)), 1, 1e-3);
    assert_true(seen.l > 10);
    tints_ink(sheet, 0, whole, ink);
    assert_near(ink[0], 0.5, 1e-9);
    planes_free(sheet, COLOR_INKS);
}

TEST(tints_cover_what_was_asked)
{
    const struct printer printer = {
        .segment = HT_DEFAULT_SEGMENT,
        .drops = {.levels = 4, .area = {4751, 10322, HT_WHOLE_DOT}}};
    double wanted[][COLOR_INKS] = {{0, .05, .25, .3}, {.5, 0, 0, .0123}},
           area[HT_MAX_LEVELS], ink[COLOR_INKS];
    struct plane sheet[COLOR_INKS];

    assert_true(tints_print(&printer, wanted, 2, sheet));
    printer_areas(&printer, area);
    for (int tint = 0; tint < 2; tint++) {
        tints_ink(sheet, tint, area, ink);
        for (int i = 0; i < COLOR_INKS; i++)
            assert_near(ink[i], wanted[tint][i], 2e-4);
    }
    planes_free(sheet, COLOR_INKS);
}
