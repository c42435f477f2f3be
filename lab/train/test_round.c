/*
 * test_round.c - tests the meters of one ink's round dots, on cases whose
 * answers are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "lab/train/grain.h"
#include "lab/train/random.h"
#include "lab/train/seen.h"
#include "test/cases.h"

#define PI 3.14159265358979323846

enum { SIDE = 160, FINE = 240 /* parts of a pixel */ };

/* The mean that dots of every second, fourth .. pixel cover. */
static double covered(double diameter, double aspect, int columns, int rows,
                      bool checkered)
{
    struct plane dots = plane_new(SIDE, SIDE);
    struct cover cover;

    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;

        dots.value[i] =
            checkered ? (x + y) % 2 == 0 : x % columns == 0 && y % rows == 0;
    }
    cover_init(&cover, (struct cover_dots){diameter, 0}, aspect, FINE);
    double *value = cover_plane(&cover, &dots);
    double mean = cover_mean(value, SIDE, SIDE);
    plane_free(&dots);
    free(value);
    return mean;
}

TEST(a_lone_dot_covers_its_circle)
{
    for (double diameter = 1.2; diameter < 1.7; diameter += 0.2)
        assert_near(covered(diameter, 1, 8, 8, false) * 64,
                    PI * diameter * diameter / 4, 0.01);
}

/* Neighbours at a distance of sqrt 2 touch at the corners of the bare pixels: a
 * circle of diameter d reaches beyond each side by a segment of d/2. */
TEST(a_checkerboard_has_bare_corners_only)
{
    double r = 1.41 / 2, angle = acos(0.5 / r);
    double segment = r * r * angle - 0.5 * sqrt(r * r - 0.25);

    assert_near(covered(1.41, 1, 0, 0, true), 0.5 + 4 * segment / 2, 0.002);
    assert_near(covered(0, 1, 0, 0, true), 0.5, 0);
}

TEST(a_solid_is_solid)
{
    assert_near(covered(1.415, 1, 1, 1, false), 1, 1e-9);
    assert_near(covered(1.2, 1, 1, 1, false) < 0.97, 1, 0);
    assert_near(covered(0, 2, 1, 1, false), 1, 1e-9);
}

/* Pixels that are twice as high as wide: the dot's diameter is that of the
 * diagonal, sqrt 5 widths; its area is counted in pixels of 2 widths. */
TEST(dots_on_oblong_pixels_reach_the_corners)
{
    assert_near(covered(1.4143, 2, 1, 1, false), 1, 1e-9);
    assert_near(covered(1.4143, 2, 8, 8, false) * 64, PI * 5 / 4 / 2, 0.01);
    assert_near(covered(1.4143, 0.5, 8, 8, false) * 64, PI * 5 / 4 / 2, 0.01);
}

/* Both meters see the same dots of black. */
TEST(the_look_of_one_ink_is_that_of_several)
{
    static const double whole[HT_MAX_LEVELS] = {0, 1, 1, 1, 1, 1};
    const double *paper = color_primaries[0], *black = color_primaries[1];
    struct plane dots[COLOR_INKS];
    struct cover cover;
    uint64_t seed = 1;

    for (int ink = 0; ink < COLOR_INKS; ink++)
        dots[ink] = plane_new(SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        dots[0].value[i] = random_unit(&seed) < 0.3;
    for (double aspect = 0.5; aspect <= 2; aspect *= 2) {
        const struct look look = {1.41, 0, 0, aspect};
        struct colors colors = round_dots(dots, whole, &look);

        cover_init(&cover, (struct cover_dots){1.41, 0}, aspect, 8);
        double *value = cover_plane(&cover, &dots[0]);
        for (int i = 0; i < SIDE * SIDE; i++)
            assert_near(colors.plane[1][i],
                        paper[1] + value[i] * (black[1] - paper[1]), 1e-9);
        free(value);
        colors_free(&colors);
    }
    planes_free(dots, COLOR_INKS);
}

/* ---- Seen ---------------------------------------------------------------- */

TEST(black_is_seen_as_colors_are)
{
    struct plane dots[COLOR_INKS];
    struct cover cover;
    uint64_t seed = 1;
    const struct sight sight = scielab_sight(720, 360, 12);

    for (int ink = 0; ink < COLOR_INKS; ink++)
        dots[ink] = plane_new(SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        dots[0].value[i] = random_unit(&seed) < 0.3;
    struct colors colors = colors_of_dots(dots);
    scielab_see_at(&colors, sight);
    colors_to_lab(&colors);
    cover_init(&cover, (struct cover_dots){0, 0}, 2, COVER_PARTS);
    double *value = cover_plane(&cover, &dots[0]);
    cover_see(value, SIDE, SIDE, sight);
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_near(value[i], colors.plane[0][i], 1e-6);
    assert_true(cover_grain(value, SIDE, SIDE) > 0.5);
    free(value);
    colors_free(&colors);
    planes_free(dots, COLOR_INKS);
}

TEST(sights_are_in_pixels_a_degree)
{
    struct sight sight = scielab_sight(600, 300, 12);

    assert_near(sight.across, SCIELAB_SCALE, 0.02);
    assert_near(sight.down, SCIELAB_SCALE / 2, 0.01);
}

/* The distance of black dots, of a picture as large as they are, from 6 inches
 * at 1200 dpi. */
static double distance(const struct plane *black, const struct plane *tones,
                       const struct look *look)
{
    struct plane none = plane_new(SIDE, SIDE);
    struct plane dots[COLOR_INKS] = {*black, none, none, none};
    struct plane wanted[COLOR_INKS] = {*tones, none, none, none};
    const struct sight sight = scielab_sight(1200, 1200, 6);
    const double whole[HT_MAX_LEVELS] = {0, 1};
    double seen;

    seen_distances(dots, whole, wanted, look, &sight, 1, &seen);

    plane_free(&none);
    return seen;
}

TEST(tone_curves_do_not_count_but_grain_does)
{
    struct plane dots = plane_new(SIDE, SIDE), tones = plane_new(SIDE, SIDE);
    uint64_t seed = 1;

    for (int tone = 60; tone < 255; tone += 64)
        for (int round = 0; round < 2; round++) {
            const struct look *look = round ? &look_round : &look_square;

            for (int i = 0; i < SIDE * SIDE; i++) {
                tones.value[i] = (uint8_t)tone;
                dots.value[i] = (i % SIDE + i / SIDE) % 2 == 0;
            }
            assert_near(distance(&dots, &tones, look), 0, 0.01);
            for (int i = 0; i < SIDE * SIDE; i++)
                dots.value[i] = random_unit(&seed) < 0.5;
            assert_true(distance(&dots, &tones, look) > 2);
        }
    plane_free(&dots);
    plane_free(&tones);
}

TEST(white_and_solid_are_what_they_are)
{
    struct plane dots = plane_new(SIDE, SIDE), tones = plane_new(SIDE, SIDE);

    for (int i = 0; i < SIDE * SIDE; i++) {
        dots.value[i] = i % SIDE < SIDE / 2;
        tones.value[i] = dots.value[i] ? 255 : 0;
    }
    assert_near(distance(&dots, &tones, &look_square), 0, 1e-6);
    tones.value[SIDE * SIDE / 2 + 40] = 0;
    assert_true(distance(&dots, &tones, &look_square) > 1e-4);
    plane_free(&dots);
    plane_free(&tones);
}

TEST(the_grain_of_prints_is_by_what_they_differ)
{
    const double whole[HT_MAX_LEVELS] = {0, 1};
    const struct sight sight = scielab_sight(1200, 1200, 6);
    struct plane none = plane_new(SIDE, 2 * SIDE),
                 prints = plane_new(SIDE, 2 * SIDE);
    uint64_t seed = 1;
    double grain;

    const struct plane dots[COLOR_INKS] = {prints, none, none, none};
    for (int i = 0; i < SIDE * SIDE; i++) /* any, but the same twice */
        prints.value[i] = prints.value[SIDE * SIDE + i] =
            random_unit(&seed) < 0.5;
    seen_grain(dots, whole, &look_round, &sight, 1, 2, &grain);
    assert_near(grain, 0, 1e-9);
    for (int i = 0; i < SIDE * SIDE; i++)
        prints.value[i] = random_unit(&seed) < 0.5;
    seen_grain(dots, whole, &look_round, &sight, 1, 2, &grain);
    assert_true(grain > 2);
    plane_free(&prints);
    plane_free(&none);
}

TEST(paper_and_black_have_their_lightness)
{
    assert_near(cover_lightness(0), 100, 1e-9);
    assert_near(cover_lightness(1), 22.4, 0.2);
}

/* ---- Grain of a tint ---------------------------------------------------- */

/* Judges square dots and round ones where `is_dot` says so. */
static struct grain grain_of(bool (*is_dot)(int x, int y))
{
    static const struct cover_dots kinds[] = {{0, 0}, {1.41, 0}};
    const int side = GRAIN_SIDE + 2;
    struct plane dots = plane_new(side, side);
    struct grain_judge judge;
    struct grain grain;

    for (int i = 0; i < side * side; i++)
        dots.value[i] = is_dot(i % side, i / side);
    grain_judge_new(&judge, 2, kinds, 600, 600);
    grain_measure(&grain, &judge, &dots);
    grain_judge_free(&judge);
    plane_free(&dots);
    return grain;
}

static bool checkered(int x, int y)
{
    return (x + y) % 2 == 0;
}

static bool solid(int x, int y)
{
    return x >= 0 && y >= 0;
}

static bool wave(int x, int y)
{
    return y >= 0 && x / 16 % 2 == 0;
}

TEST(a_checkerboard_has_no_grain_and_is_darker_with_round_dots)
{
    struct grain grain = grain_of(checkered);

    assert_near(grain.mean, 0.5, 1e-9);
    assert_near(grain.rows, 0, 1e-9);
    assert_near(grain.light[0], cover_lightness(0.5), 1e-6);
    assert_near(grain.light[1], cover_lightness(covered(1.41, 1, 0, 0, true)),
                0.5);
    for (int kind = 0; kind < 2; kind++)
        assert_near(grain.seen[kind][0], 0, 0.001);
}

TEST(a_solid_has_no_grain)
{
    struct grain grain = grain_of(solid);

    assert_near(grain.mean, 1, 1e-9);
    assert_near(grain.light[0], cover_lightness(1), 1e-6);
    assert_near(grain.seen[0][0], 0, 1e-6);
    assert_near(grain.seen[0][1], 0, 1e-6);
}

/* Bars of 16 columns: 1/2 and odd waves of amplitude 2 / (32 sin), each seen as
 * far as the eye lets it through, times the slope of L*. */
TEST(the_grain_of_bars_is_that_of_their_waves)
{
    struct grain grain = grain_of(wave);
    const double slope =
        (cover_lightness(0.499) - cover_lightness(0.501)) / 0.002;

    for (int d = 0; d < GRAIN_DISTANCES; d++) {
        double variance = 0;

        for (int k = 1; k < 16; k += 2) {
            double r = scielab_response(0, k / 32.0, SCIELAB_SCALE / (d + 1));
            double amplitude = 2 / (32 * sin(PI * k / 32)) * r;

            variance += amplitude * amplitude / 2;
        }
        assert_near(grain.seen[0][d] / (slope * sqrt(variance)), 1, 0.03);
    }
    assert_true(grain.seen[0][1] > grain.seen[0][0]);
}
