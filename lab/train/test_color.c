/*
 * test_color.c - the color meter: colors, S-CIELAB, mixtures, gradients, boxes
 * and joint direct binary search, on cases whose answers are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "lab/train/boxes.h"
#include "lab/train/gradient.h"
#include "lab/train/hvs.h"
#include "lab/train/joint.h"
#include "lab/train/measure.h"
#include "lab/train/mixture.h"
#include "lab/train/random.h"
#include "lab/train/scene.h"
#include "lab/train/scielab.h"
#include "test/cases.h"

#define PI 3.14159265358979323846

static void assert_color(const double value[3], double a, double b, double c,
                         double tolerance)
{
    assert_near(value[0], a, tolerance);
    assert_near(value[1], b, tolerance);
    assert_near(value[2], c, tolerance);
}

static void white_planes(struct plane *planes, int width, int height)
{
    for (int ink = 0; ink < COLOR_INKS; ink++)
        planes[ink] = plane_new(width, height);
}

/* Dots at random places, `share` of them, 0..1. */
static void scatter(struct plane *dots, double share, uint64_t seed)
{
    for (int i = 0; i < dots->width * dots->height; i++)
        dots->value[i] = random_unit(&seed) < share;
}

/* ---- Colors ----------------------------------------------------------- */

TEST(known_colors_in_lab)
{
    static const double paper[3] = {96.42, 100, 82.49};
    static const double red[3] = {43.6075, 22.2504, 1.3932}; /* sRGB's, D50 */
    double gray[3], dark[3], lab[3];

    for (int c = 0; c < 3; c++) {
        gray[c] = 0.1841865 * paper[c];
        dark[c] = 0.001 * paper[c];
    }
    color_lab(paper, lab);
    assert_color(lab, 100, 0, 0, 1e-9);
    color_lab(gray, lab);
    assert_color(lab, 50, 0, 0, 1e-4);
    color_lab(dark, lab);
    assert_color(lab, 0.9033, 0, 0, 1e-4);
    color_lab(red, lab);
    assert_color(lab, 54.29, 80.81, 69.88, 0.02);
}

TEST(areas_mix_the_primaries)
{
    static const double magenta[COLOR_INKS] = {0, 0, 1, 0};
    static const double half[COLOR_INKS] = {0, 0.5, 0.5, 0};
    const double(*p)[3] = color_primaries;
    double xyz[3];

    color_of_areas(magenta, xyz);
    assert_color(xyz, 41.5507, 21.9310, 21.2075, 1e-9);
    color_of_areas(half, xyz);
    assert_color(xyz, (p[0][0] + p[2][0] + p[4][0] + p[6][0]) / 4,
                 (p[0][1] + p[2][1] + p[4][1] + p[6][1]) / 4,
                 (p[0][2] + p[2][2] + p[4][2] + p[6][2]) / 4, 1e-9);
}

TEST(densities_lie_between_the_primaries)
{
    const double(*p)[3] = color_primaries;
    double density[COLOR_INKS], xyz[3], dark[3];

    for (int set = 0; set < COLOR_PRIMARIES; set++) {
        for (int ink = 0; ink < COLOR_INKS; ink++)
            density[ink] = set >> ink & 1;
        color_of_densities(density, xyz);
        assert_color(xyz, p[set][0], p[set][1], p[set][2], 1e-9);
    }
    for (int ink = 0; ink < COLOR_INKS; ink++) {
        const double root = sqrt(p[1 << ink][1] / p[0][1]);

        memset(density, 0, sizeof density);
        density[ink] = color_density(ink, 0.3);
        color_of_densities(density, xyz);
        assert_near(sqrt(xyz[1] / p[0][1]), 1 - 0.3 * (1 - root), 1e-9);
        density[ink] += 1;
        color_of_densities(density, dark);
        assert_near(dark[1] / p[1 << ink][1], xyz[1] / p[0][1], 1e-9);
    }
}

TEST(palettes_are_linear_between_stops)
{
    uint8_t tones[COLOR_INKS];

    palette_tones(&palette_gray, 1, tones);
    assert_int_equal(tones[0], 226); /* K, C, M, Y */
    assert_int_equal(tones[1], 184);
    assert_int_equal(tones[2], 173);
    assert_int_equal(tones[3], 171);
    palette_tones(&palette_two, 0.4, tones);
    assert_int_equal(tones[0], 0);
    assert_int_equal(tones[1], 102);
    assert_int_equal(tones[2], 102);
    assert_int_equal(tones[3], 0);
}

/* ---- S-CIELAB --------------------------------------------------------- */

TEST(eye_lets_known_shares_through)
{
    for (int opponent = 0; opponent < 3; opponent++)
        assert_near(scielab_response(opponent, 0, SCIELAB_SCALE), 1, 1e-12);
    /* 10 cycles a degree: 0.921 exp(-(0.283 pi)^2) / 0.918 */
    assert_near(scielab_response(0, 0.1, 100), 0.455125, 1e-6);
    /* 0.531 exp(-(0.392 pi)^2) / 0.861 */
    assert_near(scielab_response(1, 0.1, 100), 0.135344, 1e-6);
}

TEST(flat_white_stays_white)
{
    struct plane dots[COLOR_INKS];

    white_planes(dots, 48, 40);
    struct colors colors = colors_of_dots(dots);
    scielab_see(&colors, SCIELAB_SCALE);
    colors_to_lab(&colors);
    for (int i = 0; i < 48 * 40; i++)
        for (int c = 0; c < 3; c++)
            assert_near(colors.plane[c][i], c == 0 ? 100 : 0, 1e-6);
    colors_free(&colors);
    planes_free(dots, COLOR_INKS);
}

/* A wave of light alone, whose X, Y and Z are those of the opponent color. */
TEST(a_wave_is_blurred_by_the_response)
{
    static const double light[3] = {0.6265545042, 1.3698554501, 1.5056507549};
    struct plane dots[COLOR_INKS];
    double share = scielab_response(0, 4 / 64.0, SCIELAB_SCALE);

    white_planes(dots, 64, 32);
    struct colors colors = colors_of_dots(dots);
    for (int i = 0; i < 64 * 32; i++)
        for (int c = 0; c < 3; c++)
            colors.plane[c][i] -= 10 * light[c] * cos(2 * PI * 4 * i / 64.0);
    scielab_see(&colors, SCIELAB_SCALE);
    for (int i = 0; i < 64 * 32; i++)
        assert_near(colors.plane[1][i],
                    100 - 10 * light[1] * share * cos(2 * PI * 4 * i / 64.0),
                    1e-6);
    colors_free(&colors);
    planes_free(dots, COLOR_INKS);
}

/* ---- Mixtures --------------------------------------------------------- */

/* Inks that meet as often as by chance, however M is shifted: each fifth
 * column, each fifth row, and each fifth block of columns. */
TEST(exact_areas_have_demichels_color)
{
    static const int tones[COLOR_INKS] = {0, 51, 51, 51};
    struct plane dots[COLOR_INKS];

    white_planes(dots, 50, 50);
    for (int i = 0; i < 50 * 50; i++) {
        dots[1].value[i] = i % 50 % 5 == 0;
        dots[2].value[i] = i / 50 % 5 == 0;
        dots[3].value[i] = i % 50 / 5 % 5 == 0;
    }
    struct mixed mixed = mixture_judge(dots, tones, 0, &look_square);
    assert_near(mixed.distance, 0, 1e-9);
    assert_near(mixed.misregistered, 0, 1e-9);
    planes_free(dots, COLOR_INKS);
}

/* C and M in the same places are as dark as they get; a shift by a row or a
 * column parts all of them. */
TEST(a_shift_parts_dots_that_lie_on_each_other)
{
    static const int tones[COLOR_INKS] = {0, 64, 64, 0};
    const double(*p)[3] = color_primaries;
    struct plane dots[COLOR_INKS];
    double together[3], apart[3], a[3], b[3];

    white_planes(dots, 32, 32);
    for (int i = 0; i < 32 * 32; i++)
        dots[1].value[i] = dots[2].value[i] = i % 2 == 0 && i / 32 % 2 == 0;
    for (int c = 0; c < 3; c++) {
        together[c] = 0.75 * p[0][c] + 0.25 * p[6][c];
        apart[c] = 0.5 * p[0][c] + 0.25 * p[2][c] + 0.25 * p[4][c];
    }
    color_lab(together, a);
    color_lab(apart, b);
    assert_near(mixture_judge(dots, tones, 0, &look_square).misregistered,
                color_distance(a, b), 1e-9);
    planes_free(dots, COLOR_INKS);
}

/* K is nearly as neutral as paper, of whose Y the eye's opponent colors hold
 * 1.234, -0.193 and -0.041. */
TEST(random_dots_have_the_grain_of_white_noise)
{
    static const int tones[COLOR_INKS] = {128, 0, 0, 0};
    const double hold[3] = {1.234, -0.193, -0.041};
    const int side = 256;
    struct plane dots[COLOR_INKS];
    double power = 0, a = 128 / 255.0;

    white_planes(dots, side, side);
    scatter(&dots[0], a, 1);
    for (int v = 0; v < side; v++)
        for (int u = 0; u < side; u++) {
            double f = hypot(hvs_bin(u, side), hvs_bin(v, side)), sum = 0;

            for (int c = 0; c < 3; c++)
                sum += hold[c] * scielab_response(c, f, SCIELAB_SCALE);
            power += sum * sum / (side * side);
        }
    double paper = 1, solid = color_primaries[1][1] / 100;
    double mean = a * solid + (1 - a) * paper;
    double noise = sqrt(power * a * (1 - a)) * (paper - solid);
    assert_near(mixture_judge(dots, tones, 0, &look_square).grain[0],
                116 / 3.0 * pow(mean, -2 / 3.0) * noise, 0.15);
    planes_free(dots, COLOR_INKS);
}

TEST(noise_has_no_direction_and_rows_have)
{
    struct plane dots[COLOR_INKS];
    uint64_t seed = 1;

    white_planes(dots, MEASURE_WIDTH, MEASURE_HEIGHT);
    scatter(&dots[2], 0.3, 1);
    assert_near(mixture_anisotropy(dots), -12, 1);
    for (int y = 0; y < MEASURE_HEIGHT; y++)
        memset(dots[2].value + y * MEASURE_WIDTH, random_unit(&seed) < 0.3,
               MEASURE_WIDTH);
    assert_true(mixture_anisotropy(dots) > 10);
    planes_free(dots, COLOR_INKS);
}

TEST(values_have_the_spectrum_of_the_same_dots)
{
    static struct spectrum of_dots, of_values;
    struct plane dots = plane_new(300, 260);
    double *value = train_alloc(300 * 260, sizeof *value);

    scatter(&dots, 0.2, 1);
    for (int i = 0; i < 300 * 260; i++)
        value[i] = dots.value[i];
    spectrum_of(&of_dots, &dots, 51, SPECTRUM_SIDE, false);
    spectrum_of_values(&of_values, value, 300, 260, 0.2);
    for (int i = 0; i < SPECTRUM_BINS; i++)
        assert_near(of_values.power[i], of_dots.power[i], 1e-9);
    free(value);
    plane_free(&dots);
}

/* ---- Gradients, boxes, scenes ----------------------------------------- */

TEST(unevenness_is_the_largest_step)
{
    const double even[3][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    const double steps[3][3] = {{0, 0, 0}, {3, 4, 0}, {3, 4, 2}};

    assert_near(gradient_unevenness(even, 3), 0, 0);
    assert_near(gradient_unevenness(steps, 3), 5, 1e-12);
}

/* Without halftones half of the colors become white, the others solid. */
TEST(a_threshold_shifts_the_color_of_boxes_and_gradients)
{
    struct printer printer = {.method = HT_THRESHOLD};
    double shift[GRADIENT_PARTS][3], furthest = 0;
    double solid[3], white[3] = {100, 0, 0};

    color_lab(color_primaries[14], solid);
    for (int i = 1; i < 10; i++) {
        int sample = i * 255 / 10;
        double a = sample / 255.0, area[COLOR_INKS] = {0, a, a, a};
        double xyz[3], lab[3];

        color_of_areas(area, xyz);
        color_lab(xyz, lab);
        furthest = fmax(furthest, color_distance(lab, a < 0.5 ? white : solid));
    }
    struct boxes boxes;

    assert_true(boxes_measure(&boxes, &printer));
    assert_near(boxes.distance, furthest, 1e-9);
    assert_near(boxes.top[1], 0, 1e-9);
    assert_near(boxes.two_rows.worst, 0, 1e-9);
    assert_near(boxes.four_rows.worst, 0, 1e-9);

    assert_true(gradient_shifts(shift, &printer, &palette_equal));
    double step = color_distance(shift[GRADIENT_PARTS / 2 - 1],
                                 shift[GRADIENT_PARTS / 2]);
    assert_near(gradient_unevenness(shift, GRADIENT_PARTS), step, 1e-12);
    assert_near(step, 100 - solid[0], 10);
}

TEST(solid_inks_are_their_own_picture)
{
    struct plane dots[COLOR_INKS], tones[COLOR_INKS];
    const double whole[HT_MAX_LEVELS] = {0, 1, 1, 1, 1, 1};
    double solid[3], white[3] = {100, 0, 0};

    white_planes(dots, 96, 96);
    white_planes(tones, 96, 96);
    memset(tones[0].value, 255, 96 * 96);
    color_lab(color_primaries[1], solid);
    assert_near(scene_distance(dots, whole, tones),
                color_distance(white, solid), 1e-6);
    memset(dots[0].value, 1, 96 * 96);
    assert_near(scene_distance(dots, whole, tones), 0, 1e-6);
    planes_free(dots, COLOR_INKS);
    planes_free(tones, COLOR_INKS);
}

TEST(scenes_use_most_of_their_palettes)
{
    for (int scene = 0; scene < SCENES; scene++) {
        struct plane tones[COLOR_INKS];
        int least = 255, most = 0;

        scene_planes(tones, scene);
        for (int i = 0; i < tones[2].width * tones[2].height; i++) {
            least = tones[2].value[i] < least ? tones[2].value[i] : least;
            most = tones[2].value[i] > most ? tones[2].value[i] : most;
        }
        assert_true(most - least > 75);
        planes_free(tones, COLOR_INKS);
    }
}

/* ---- Joint direct binary search --------------------------------------- */

TEST(joint_search_keeps_its_books)
{
    struct plane dots[COLOR_INKS], flat[COLOR_INKS];
    double share[COLOR_INKS];

    for (int ink = 0; ink < COLOR_INKS; ink++) {
        flat[ink] = plane_flat(48, 40, 60);
        dots[ink] = plane_new(48, 40);
        scatter(&dots[ink], 0.25, (uint64_t)ink);
        share[ink] = plane_mean(&dots[ink]);
    }
    struct colors wanted = colors_of_tones(flat, NULL);
    struct joint joint = joint_open(dots, &wanted);
    double before = joint_error(&joint);

    assert_true(joint_pass(&joint, false, 1) > 0);
    double after = joint_error(&joint);
    assert_true(after < before / 2);
    for (int ink = 0; ink < COLOR_INKS; ink++)
        assert_near(plane_mean(&dots[ink]), share[ink], 0);
    assert_true(joint_pass(&joint, true, 2) > 0);
    assert_true(joint_error(&joint) < after);

    struct joint anew = joint_open(dots, &wanted);
    for (int i = 0; i < 48 * 40; i++)
        assert_near(joint.seen[i], anew.seen[i], 2e-4);
    joint_close(&anew);
    joint_close(&joint);
    colors_free(&wanted);
    planes_free(dots, COLOR_INKS);
    planes_free(flat, COLOR_INKS);
}

TEST(joint_patches_have_their_dots_and_little_grain)
{
    static const int tones[COLOR_INKS] = {0, 102, 102, 102};
    struct plane joint[COLOR_INKS], random[COLOR_INKS];

    joint_patch(joint, 96, 96, tones, 1);
    white_planes(random, 96, 96);
    for (int ink = 1; ink < COLOR_INKS; ink++) {
        assert_near(plane_mean(&joint[ink]), 0.4, 1e-4);
        scatter(&random[ink], 0.4, (uint64_t)ink);
    }
    assert_true(mixture_judge(joint, tones, 0, &look_square).grain[0] <
                mixture_judge(random, tones, 0, &look_square).grain[0] / 10);

    double area[COLOR_INKS] = {0, 0.4, 0.4, 0.4}, wanted[3], is[3];
    struct colors colors = colors_of_dots(joint);
    color_of_areas(area, wanted);
    colors_mean(&colors, 0, 0, 96, 96, is);
    assert_near(is[1], wanted[1], 0.1);
    colors_free(&colors);
    planes_free(joint, COLOR_INKS);
    planes_free(random, COLOR_INKS);
}

TEST(a_drop_that_covers_half_is_half_as_dark)
{
    const double area[HT_MAX_LEVELS] = {0, .5, 1, 1, 1, 1};
    struct plane drops[COLOR_INKS];

    white_planes(drops, 8, 8);
    drops[1].value[0] = 1;
    drops[1].value[1] = 2;
    struct colors colors = colors_of_drops(drops, area);
    assert_near(colors.plane[1][1], color_primaries[2][1], 1e-9);
    assert_near(colors.plane[1][0],
                (color_primaries[0][1] + color_primaries[2][1]) / 2, 1e-9);
    colors_free(&colors);
    planes_free(drops, COLOR_INKS);
}
