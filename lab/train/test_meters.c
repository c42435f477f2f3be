/*
 * test_meters.c - tests the measures of dots: the eye model, spectra,
 * overprint, lines, tints, clusters and sharpness, on dots whose measures are
 * known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "lab/train/train_test.h"
#include "lab/train/begin.h"
#include "lab/train/cluster.h"
#include "lab/train/inks.h"
#include "lab/train/lines.h"
#include "lab/train/measure.h"
#include "lab/train/random.h"
#include "lab/train/repeat.h"
#include "lab/train/sharpness.h"

#define BINS SPECTRUM_BINS

/* ---- The eye ---------------------------------------------------------- */

TEST(eye_lets_through_known_values)
{
    assert_near(hvs_response(0, HVS_SCALE), 1, 1e-12);
    assert_near(hvs_response(0.1, HVS_SCALE), 0.306723, 1e-6);
    assert_near(hvs_response(0.05, 2 * HVS_SCALE), 0.306723, 1e-6);
}

TEST(eye_sees_known_error_of_a_checkerboard)
{
    struct plane dots = stripes(64, 2, 2), flat = plane_flat(64, 64, 127);
    double r = hvs_response(sqrt(0.5), HVS_SCALE), mean = 0.5 / 255;

    assert_near(hvs_error(&dots, &flat, HVS_SCALE, 0),
                0.25 * r * r + mean * mean, 1e-12);
    plane_free(&dots);
    plane_free(&flat);
}

TEST(eye_finds_the_displacement_of_a_picture)
{
    struct plane tones = plane_new(64, 64), dots = plane_new(64, 64);
    double dx, dy;

    for (int i = 0; i < 64 * 64; i++) {
        tones.value[i] = i % 64 / 32 == 0 && i / 64 < 32 ? 255 : 0;
        dots.value[i] = (i + 63) % 64 / 32 == 0 && i / 64 < 32;
    }
    assert_true(hvs_error_displaced(&dots, &tones, HVS_SCALE, &dx, &dy) < 1e-6);
    assert_near(fabs(dx), 1, 0.01);
    assert_near(dy, 0, 0.01);
    plane_free(&tones);
    plane_free(&dots);
}

TEST(eye_sees_an_even_error_in_any_rows)
{
    struct plane dots = plane_flat(64, 64, 1), tones = plane_flat(64, 64, 204);

    assert_near(hvs_error_rows(&dots, &tones, HVS_SCALE, 5, 7), 0.04, 1e-9);
    memset(tones.value + 64 * 32, 255, 64 * 32); /* there is none below */
    double error = hvs_error_rows(&dots, &tones, HVS_SCALE, 44, 8);
    assert_true(error > 0 && error < 0.001);
    plane_free(&dots);
    plane_free(&tones);
}

/* ---- Spectra ---------------------------------------------------------- */

TEST(spectrum_of_stripes_is_one_line)
{
    static struct spectrum spectrum;
    struct plane dots = stripes(256, 4, 256 * 2);

    spectrum_of(&spectrum, &dots, 127.5, SPECTRUM_SIDE, false);
    for (int v = 0; v < SPECTRUM_SIDE; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            /* +-1/2 with period 4 is a wave of amplitude 1/sqrt(2). */
            double line = v == 0 && u == 32 ? SPECTRUM_SIDE * sqrt(0.125) : 0;
            assert_near(spectrum_at(spectrum.amplitude, u, v), line, 1e-9);
        }
    plane_free(&dots);
}

TEST(symmetrised_spectrum_has_the_symmetries_of_the_square)
{
    static struct spectrum s;
    struct plane dots = plane_new(256, 256);
    uint64_t random = 4;

    for (int i = 0; i < 256 * 256; i++)
        dots.value[i] = random_unit(&random) < 0.3;
    spectrum_of(&s, &dots, 0.3 * 255, 64, true);
    spectrum_symmetrise(&s);
    for (int v = -63; v < 64; v++)
        for (int u = -63; u < 64; u++) {
            assert_near(spectrum_at(s.power, u, v), spectrum_at(s.power, v, u),
                        1e-12);
            assert_near(spectrum_at(s.power, u, v), spectrum_at(s.power, -u, v),
                        1e-12);
        }
    plane_free(&dots);
}

TEST(white_noise_has_flat_power_and_no_direction)
{
    static struct spectrum s;
    struct plane dots = plane_new(512, 512);
    double rapsd[MEASURE_RINGS], line;
    uint64_t random = 6;

    for (int i = 0; i < 512 * 512; i++)
        dots.value[i] = random_unit(&random) < 0.5;
    spectrum_of(&s, &dots, 127.5, SPECTRUM_SIDE, false);
    assert_near(measure_rings(s.power, rapsd, &line), -12, 0.5);
    assert_near(rapsd[40], 0.25, 0.02);
    plane_free(&dots);
}

TEST(stripes_have_a_direction_and_one_line)
{
    static struct spectrum spectrum;
    struct plane dots = stripes(256, 8, 1000);
    double rapsd[MEASURE_RINGS], line;

    spectrum_of(&spectrum, &dots, 127.5, SPECTRUM_SIDE, true);
    double anisotropy = measure_rings(spectrum.power, rapsd, &line);
    assert_true(anisotropy > 10 && anisotropy < 30);
    assert_true(line > 10 && line < 30);
    assert_true(rapsd[15] > 0 && rapsd[20] < 1e-12);
    plane_free(&dots);
}

/* Half of each ring has twice the mean power, half has none: 0 dB. Lines in
 * rings outside the band of tone 3, which is 4.9 to 19.4, do not count. */
TEST(band_holds_the_texture_of_few_dots)
{
    static double power[BINS];
    double rapsd[MEASURE_RINGS], line;

    for (int v = 0; v < SPECTRUM_SIDE; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            double f = hypot(u, v > 64 ? v - SPECTRUM_SIDE : v);
            bool inside = f >= 4.5 && f < 19.5;
            double wave = v % 64 == 0 ? 1 : v < 64 ? 2 : 0;

            power[v * SPECTRUM_HALF + u] = inside ? wave : u == 0 ? 100 : 1;
        }
    assert_near(measure_band_anisotropy(power, 3), 0, 0.2);
    assert_near(measure_band_anisotropy(power, 252), 0, 0.2);
    assert_true(measure_band_anisotropy(power, 4) > 3);
    assert_true(measure_band_anisotropy(power, 2) > 1.5);
    assert_true(measure_rings(power, rapsd, &line) > 3);
    memset(power, 0, sizeof power);
    assert_near(measure_band_anisotropy(power, 3), 0, 0);
}

/* ---- Inks -------------------------------------------------------------- */

/* Every second column and every second row meet as chance would have it. */
TEST(overprint_is_a_share_of_chance)
{
    struct plane columns = plane_new(64, 32), others = plane_new(64, 32);
    struct plane rows = plane_new(64, 32);

    for (int i = 0; i < 64 * 32; i++) {
        columns.value[i] = i % 2 == 0;
        others.value[i] = i % 2 == 1;
        rows.value[i] = i / 64 % 2 == 0;
    }
    assert_near(inks_overprint(&columns, &columns), 2, 1e-12);
    assert_near(inks_overprint(&columns, &others), 0, 1e-12);
    assert_near(inks_overprint(&columns, &rows), 1, 1e-12);
    plane_free(&columns);
    plane_free(&others);
    plane_free(&rows);
}

/* ---- Lines and tints --------------------------------------------------- */

/* Prints a dot where the tone is 128 or more. */
static const struct printer threshold = {.method = HT_THRESHOLD,
                                         .segment = HT_DEFAULT_SEGMENT};

TEST(lines_have_their_width_and_direction)
{
    const int side = LINES_SIDE;

    for (int width = 1; width <= LINES_WIDEST; width++)
        for (int k = 0; k < LINES_DIRECTIONS; k++) {
            struct plane lines = lines_draw(k, width, 255);
            /* Down the middle column or along the middle row. */
            int runs = 0, pixels = 0, step = k == LINES_VERTICAL ? 1 : side;
            const uint8_t *from =
                lines.value +
                (k == LINES_VERTICAL ? side * side / 2 : side / 2);

            for (int i = 30; k <= LINES_DIAGONAL && i < side - 30; i++) {
                runs += from[i * step] && !from[(i - 1) * step];
                pixels += from[i * step] != 0;
            }
            assert_true(k > LINES_DIAGONAL || (runs > 20 && runs < 30));
            assert_true(abs(pixels - runs * width) < width);
            assert_near(plane_mean(&lines) / 255,
                        width / (double)LINES_APART * (side - 32) / side,
                        0.02 * width / LINES_APART);
            plane_free(&lines);
        }
}

TEST(ink_of_lines_is_a_share_of_what_they_want)
{
    double ink, least, largest;

    for (int k = 0; k < LINES_DIRECTIONS; k++) {
        assert_true(lines_ink(&threshold, k, 2, 128, &ink));
        assert_near(ink, 255 / 128.0, 1e-9);
    }
    assert_true(lines_ink_of_pixels(&threshold, 204, &ink));
    assert_near(ink, 1.25, 1e-9);
    assert_true(lines_ink_of_pixels(&threshold, 127, &ink));
    assert_near(ink, 0, 0);
    assert_true(lines_extremes(&threshold, &least, &largest));
    assert_near(least, 0, 0);
    assert_near(largest, 255 / 128.0, 1e-9); /* of 50 % */
}

TEST(correlation_finds_what_repeats)
{
    struct plane dots = stripes(512, 8, 2000), noise = plane_new(512, 128);
    double found, own;
    uint64_t random = 9;

    assert_near(repeat_correlation(&dots, 16, 0, 64), 1, 0.01);
    assert_near(repeat_correlation(&dots, 20, 64, 64), -1, 0.01);
    assert_near(repeat_correlation(&dots, 18, 64, 64), 0, 0.01);
    plane_free(&dots);

    /* Chance, but for rows 64 and below, half of whose dots come again. */
    for (int i = 0; i < 512 * 128; i++)
        noise.value[i] = random_unit(&random) < 0.2;
    for (int y = 64; y < 128; y++)
        for (int x = 0; x < 256; x++)
            if ((x ^ y) & 1)
                noise.value[y * 512 + x + 256] = noise.value[y * 512 + x];
    assert_near(repeat_correlation(&noise, 256, 0, 64), 0, 0.03);
    assert_near(repeat_correlation(&noise, 256, 64, 64), 0.5, 0.03);
    assert_near(repeat_correlation(&noise, 255, 64, 64), 0, 0.03);
    plane_free(&noise);
    assert_true(repeat_measure(&threshold, 100, &found, &own)); /* white */
    assert_near(found, 0, 0);
    assert_near(own, 0, 0);
}

TEST(beginning_of_a_tint_is_measured_over_its_tone)
{
    struct beginning b;

    assert_true(begin_measure(&b, &threshold, 204));
    for (int i = 0; i < BEGIN_ROWS; i++)
        assert_near(b.row[i], 1.25, 1e-9);
    assert_near(b.highest, 1.25, 1e-9);
    assert_near(b.furthest, 0.25, 1e-9);
    assert_true(b.error > 0.03 && b.error < 0.04); /* 0.04 far below */
    assert_true(begin_measure(&b, &threshold, 51));
    assert_near(b.highest, 0, 0);
    assert_near(b.furthest, 1, 0);
}

/* ---- Clusters --------------------------------------------------------- */

TEST(clusters_of_squares_and_of_a_lone_dot)
{
    struct plane squares = plane_new(66, 66), bare = plane_new(16, 16);
    double isolated, edges;

    for (int i = 0; i < 66 * 66; i++) /* 2 x 2 pixels, 4 apart */
        squares.value[i] = (i % 66 + 3) % 4 < 2 && (i / 66 + 3) % 4 < 2;
    cluster_measure(&squares, &isolated, &edges);
    assert_near(isolated, 0, 0);
    assert_near(edges, 2, 1e-12);
    for (int i = 0; i < 66 * 66; i++) /* the top left pixel of each */
        squares.value[i] = i % 66 % 4 == 1 && i / 66 % 4 == 1;
    cluster_measure(&squares, &isolated, &edges);
    assert_near(isolated, 1, 0);
    assert_near(edges, 4, 0);
    squares.value[66 + 2] = 1; /* beside the first of 256 */
    cluster_measure(&squares, &isolated, &edges);
    assert_near(isolated, 255 / 257.0, 1e-12);
    assert_near(edges, (255 * 4 + 2 * 3) / 257.0, 1e-12);
    cluster_measure(&bare, &isolated, &edges);
    assert_near(edges, 0, 0);
    for (int y = 4; y < 7; y++) /* a column of three */
        bare.value[y * 16 + 5] = 1;
    cluster_measure(&bare, &isolated, &edges);
    assert_near(isolated, 0, 0);
    assert_near(edges, 8 / 3.0, 1e-12);
    plane_free(&squares);
    plane_free(&bare);
}

/* The size of a row of these bytes. */
static size_t packed(const char *bytes, int count)
{
    struct plane row = plane_new(8 * count, 1);

    for (int x = 0; x < row.width; x++)
        row.value[x] = bytes[x / 8] >> (7 - x % 8) & 1;
    size_t size = cluster_packbits(&row);
    plane_free(&row);
    return size;
}

TEST(packbits_of_known_rows)
{
    struct plane white = plane_new(8 * 300, 2);

    assert_int_equal(packed("abcd", 4), 5);
    assert_int_equal(packed("aaaa", 4), 2);
    assert_int_equal(packed("abbc", 4), 5);   /* all literal */
    assert_int_equal(packed("abbbc", 5), 6);  /* literal, run, literal */
    assert_int_equal(packed("aabbb", 5), 4);  /* two runs */
    assert_int_equal(packed("aaaaab", 6), 4); /* run, literal */
    assert_int_equal(cluster_packbits(&white), 2 * 3 * 2); /* 128, 128, 44 */
    white.width = 13; /* of two bytes, the second of which is padded */
    for (int y = 0; y < 2; y++)
        white.value[13 * y] = white.value[13 * y + 8] = 1;
    assert_int_equal(cluster_packbits(&white), 2 + 2);
    plane_free(&white);
}

/* ---- Sharpness --------------------------------------------------------- */

/* Dots at random are as sharp as their tones, but for chance. At 1/4 cycle one
 * way ht_sharpen() adds 2 strengths of 1/64, both ways 2.2. */
TEST(transfers_of_random_dots_are_known)
{
    static const double added[] = {2, 2, 2.2};
    static const int strength[] = {0, 4, 7, 10};
    uint64_t seed = 1;

    for (int d = 0; d < SHARPNESS_DIRECTIONS; d++)
        for (uint32_t s = 0; s < 4; s++) {
            double transfer = 0;

            for (int wave = 0; wave < SHARPNESS_WAVES; wave++) {
                enum sharpness_direction direction =
                    (enum sharpness_direction)d;
                struct plane tones =
                    sharpness_waves(direction, wave, 90, 165, 50);
                struct plane dots = sharpness_apply(&tones, s);

                for (int i = 0; i < dots.width * dots.height; i++)
                    dots.value[i] = random_unit(&seed) * 255 < dots.value[i];
                transfer += sharpness_transfer(&dots, &tones, direction, wave) /
                            SHARPNESS_WAVES;
                plane_free(&tones);
                plane_free(&dots);
            }
            assert_near(transfer, 1 + added[d] * strength[s] / 64, 0.03);
        }
}
