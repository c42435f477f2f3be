/*
 * test_train.c - the training system: its eye model, direct binary search,
 * spectra, costs and searches, on cases whose answers are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "halftone/definition.h"
#include "test/quick.h"
#include "train/avoid.h"
#include "train/balance.h"
#include "train/begin.h"
#include "train/chain.h"
#include "train/choose.h"
#include "train/cluster.h"
#include "train/cost.h"
#include "train/dbs.h"
#include "train/inks.h"
#include "train/lines.h"
#include "train/measure.h"
#include "train/peers/peers.h"
#include "train/random.h"
#include "train/repeat.h"
#include "train/search.h"
#include "train/sharpness.h"

#define BINS SPECTRUM_BINS

static void assert_close(double value, double expected, double tolerance)
{
    if (fabs(value - expected) > tolerance)
        fail_msg("%.9g is not %.9g", value, expected);
}

static struct plane stripes(int side, int period_x, int period_y)
{
    struct plane plane = plane_new(side, side);

    for (int i = 0; i < side * side; i++)
        plane.value[i] =
            (uint8_t)((i % side * 2 / period_x + i / side * 2 / period_y) & 1);
    return plane;
}

static void random_numbers_are_splitmix64(void **state)
{
    uint64_t seed = 0;

    (void)state;
    assert_true(random_next(&seed) == 0xe220a8397b1dcdafu);
    assert_true(random_next(&seed) == 0x6e789e6aa1b965f4u);
}

/* ---- The eye ---------------------------------------------------------- */

static void eye_lets_through_known_values(void **state)
{
    (void)state;
    assert_close(hvs_response(0, HVS_SCALE), 1, 1e-12);
    assert_close(hvs_response(0.1, HVS_SCALE), 0.306723, 1e-6);
    assert_close(hvs_response(0.05, 2 * HVS_SCALE), 0.306723, 1e-6);
}

static void eye_sees_known_error_of_a_checkerboard(void **state)
{
    struct plane dots = stripes(64, 2, 2), flat = plane_flat(64, 64, 127);
    double r = hvs_response(sqrt(0.5), HVS_SCALE), mean = 0.5 / 255;

    (void)state;
    assert_close(hvs_error(&dots, &flat, HVS_SCALE, 0),
                 0.25 * r * r + mean * mean, 1e-12);
    plane_free(&dots);
    plane_free(&flat);
}

static void eye_finds_the_displacement_of_a_picture(void **state)
{
    struct plane tones = plane_new(64, 64), dots = plane_new(64, 64);
    double dx, dy;

    (void)state;
    for (int i = 0; i < 64 * 64; i++) {
        tones.value[i] = i % 64 / 32 == 0 && i / 64 < 32 ? 255 : 0;
        dots.value[i] = (i + 63) % 64 / 32 == 0 && i / 64 < 32;
    }
    assert_true(hvs_error_displaced(&dots, &tones, HVS_SCALE, &dx, &dy) < 1e-6);
    assert_close(fabs(dx), 1, 0.01);
    assert_close(dy, 0, 0.01);
    plane_free(&tones);
    plane_free(&dots);
}

static void eye_sees_an_even_error_in_any_rows(void **state)
{
    struct plane dots = plane_flat(64, 64, 1), tones = plane_flat(64, 64, 204);

    (void)state;
    assert_close(hvs_error_rows(&dots, &tones, HVS_SCALE, 5, 7), 0.04, 1e-9);
    memset(tones.value + 64 * 32, 255, 64 * 32); /* there is none below */
    double error = hvs_error_rows(&dots, &tones, HVS_SCALE, 44, 8);
    assert_true(error > 0 && error < 0.001);
    plane_free(&dots);
    plane_free(&tones);
}

/* ---- Direct binary search --------------------------------------------- */

static void autocorrelation_update_equals_recomputation(void **state)
{
    struct plane flat = plane_flat(48, 40, 60), dots = plane_new(48, 40);
    uint64_t random = 3;

    (void)state;
    for (int i = 0; i < 48 * 40; i++)
        dots.value[i] = random_unit(&random) < 0.25;

    struct dbs dbs = dbs_open(&dots, &flat, HVS_SCALE, 15);
    for (uint64_t pass = 0; pass < 3; pass++)
        assert_true(dbs_pass(&dbs, pass == 1, pass) > 0);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 48; x++)
            assert_close(dbs.seen[y * 48 + x], dbs_brute_force(&dbs, x, y),
                         2e-4);
    dbs_close(&dbs);
    plane_free(&flat);
    plane_free(&dots);
}

static void swaps_keep_the_number_of_dots(void **state)
{
    static const int tones[] = {1, 40, 128, 230};

    (void)state;
    for (int i = 0; i < 4; i++)
        for (int kind = DBS_USUAL; kind <= DBS_BEST; kind++) {
            struct plane dots =
                dbs_patch(64, 64, tones[i], HVS_SCALE, (enum dbs_kind)kind, 5);
            assert_close(plane_mean(&dots) * 64 * 64,
                         round(64 * 64 * tones[i] / 255.0), 1e-6);
            plane_free(&dots);
        }
}

static void search_lessens_the_error(void **state)
{
    struct plane flat = plane_flat(64, 64, 50), dots = plane_new(64, 64);
    uint64_t random = 8;

    (void)state;
    for (int i = 0; i < 64 * 64; i++)
        dots.value[i] = random_unit(&random) < 50 / 255.0;

    struct dbs dbs = dbs_open(&dots, &flat, HVS_SCALE, 31);
    double before = hvs_error(&dbs.dots, &flat, HVS_SCALE, 0);
    dbs_pass(&dbs, false, 1);
    assert_true(hvs_error(&dbs.dots, &flat, HVS_SCALE, 0) < before / 2);
    dbs_close(&dbs);
    plane_free(&flat);
    plane_free(&dots);
}

static void looking_less_far_leaves_more_error(void **state)
{
    struct plane flat = plane_flat(96, 96, 60);
    double error[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct plane dots =
            dbs_patch_far(96, 96, 60, HVS_SCALE, i ? DBS_USUAL_FAR : 8, 5);
        error[i] = hvs_error(&dots, &flat, HVS_SCALE, 0);
        plane_free(&dots);
    }
    assert_true(error[0] > 1.5 * error[1]);
    plane_free(&flat);
}

/* ---- Spectra ---------------------------------------------------------- */

static void spectrum_of_stripes_is_one_line(void **state)
{
    static struct spectrum spectrum;
    struct plane dots = stripes(256, 4, 256 * 2);

    (void)state;
    spectrum_of(&spectrum, &dots, 127.5, SPECTRUM_SIDE, false);
    for (int v = 0; v < SPECTRUM_SIDE; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            /* +-1/2 with period 4 is a wave of amplitude 1/sqrt(2). */
            double line = v == 0 && u == 32 ? SPECTRUM_SIDE * sqrt(0.125) : 0;
            assert_close(spectrum_at(spectrum.amplitude, u, v), line, 1e-9);
        }
    plane_free(&dots);
}

static void symmetrised_spectrum_has_the_symmetries_of_the_square(void **state)
{
    static struct spectrum s;
    struct plane dots = plane_new(256, 256);
    uint64_t random = 4;

    (void)state;
    for (int i = 0; i < 256 * 256; i++)
        dots.value[i] = random_unit(&random) < 0.3;
    spectrum_of(&s, &dots, 0.3 * 255, 64, true);
    spectrum_symmetrise(&s);
    for (int v = -63; v < 64; v++)
        for (int u = -63; u < 64; u++) {
            assert_close(spectrum_at(s.power, u, v), spectrum_at(s.power, v, u),
                         1e-12);
            assert_close(spectrum_at(s.power, u, v),
                         spectrum_at(s.power, -u, v), 1e-12);
        }
    plane_free(&dots);
}

static void white_noise_has_flat_power_and_no_direction(void **state)
{
    static struct spectrum s;
    struct plane dots = plane_new(512, 512);
    double rapsd[MEASURE_RINGS], line;
    uint64_t random = 6;

    (void)state;
    for (int i = 0; i < 512 * 512; i++)
        dots.value[i] = random_unit(&random) < 0.5;
    spectrum_of(&s, &dots, 127.5, SPECTRUM_SIDE, false);
    assert_close(measure_rings(s.power, rapsd, &line), -12, 0.5);
    assert_close(rapsd[40], 0.25, 0.02);
    plane_free(&dots);
}

static void stripes_have_a_direction_and_one_line(void **state)
{
    static struct spectrum spectrum;
    struct plane dots = stripes(256, 8, 1000);
    double rapsd[MEASURE_RINGS], line;

    (void)state;
    spectrum_of(&spectrum, &dots, 127.5, SPECTRUM_SIDE, true);
    double anisotropy = measure_rings(spectrum.power, rapsd, &line);
    assert_true(anisotropy > 10 && anisotropy < 30);
    assert_true(line > 10 && line < 30);
    assert_true(rapsd[15] > 0 && rapsd[20] < 1e-12);
    plane_free(&dots);
}

/* Half of each ring has twice the mean power, half has none: 0 dB. Lines in
 * rings outside the band of tone 3, which is 4.9 to 19.4, do not count. */
static void band_holds_the_texture_of_few_dots(void **state)
{
    static double power[BINS];
    double rapsd[MEASURE_RINGS], line;

    (void)state;
    for (int v = 0; v < SPECTRUM_SIDE; v++)
        for (int u = 0; u < SPECTRUM_HALF; u++) {
            double f = hypot(u, v > 64 ? v - SPECTRUM_SIDE : v);
            bool inside = f >= 4.5 && f < 19.5;
            double wave = v % 64 == 0 ? 1 : v < 64 ? 2 : 0;

            power[v * SPECTRUM_HALF + u] = inside ? wave : u == 0 ? 100 : 1;
        }
    assert_close(measure_band_anisotropy(power, 3), 0, 0.2);
    assert_close(measure_band_anisotropy(power, 252), 0, 0.2);
    assert_true(measure_band_anisotropy(power, 4) > 3);
    assert_true(measure_band_anisotropy(power, 2) > 1.5);
    assert_true(measure_rings(power, rapsd, &line) > 3);
    memset(power, 0, sizeof power);
    assert_close(measure_band_anisotropy(power, 3), 0, 0);
}

/* ---- Costs ------------------------------------------------------------ */

static void costs_on_a_worked_example(void **state)
{
    static double dbs[BINS], halftone[BINS];
    const double bins = SPECTRUM_SIDE * SPECTRUM_SIDE - 1;

    (void)state;
    for (int i = 0; i < BINS; i++) {
        dbs[i] = 2;
        halftone[i] = 1;
    }
    assert_close(cost_li(dbs, halftone), 1, 1e-9);
    assert_close(cost_chang(dbs, halftone), 1 / 4.0, 1e-9);
    assert_close(cost_han(dbs, halftone), 1 / 9.0, 1e-9);
    assert_close(cost_han(dbs, dbs), 0, 1e-12);

    /* The mean's bin does not count, and a lone bin stands for two. */
    memcpy(halftone, dbs, sizeof dbs);
    halftone[0] = 100;
    halftone[1] = 4;
    assert_close(cost_li(dbs, halftone), 2 * 4 / bins, 1e-12);
}

/* Even coarse stripes, which are nothing like DBS, by any kind of cost. */
static void a_printed_tone_costs_less_than_one_refused(void **state)
{
    static struct reference best;
    struct target target = {&best, &best};
    struct plane dots = dbs_patch(256, 256, 127, HVS_SCALE, DBS_USUAL, 1);
    struct plane bad = stripes(COST_SIDE, 16, 2 * COST_SIDE);

    (void)state;
    spectrum_of(&best.spectrum, &dots, 127, SPECTRUM_SIDE / 2, true);
    best.hvs[0] = best.hvs[1] = 1e-6;
    for (int kind = COST_EXTENDED; kind <= COST_HAN; kind++)
        assert_true(cost_of((enum cost_kind)kind, &bad, 127, &target) <
                    COST_REFUSED);
    plane_free(&dots);
    plane_free(&bad);
}

static void row_spread_of_unequal_rows(void **state)
{
    struct plane dots = plane_new(64, 64);

    (void)state;
    for (int y = 3; y < 64; y += 8)
        for (int x = 0; x < 32; x++)
            dots.value[y * 64 + x] = 1;
    assert_close(cost_row_spread(&dots), 127.5, 1e-9);
    assert_close(measure_row_deviation(&dots), 127.5 * sqrt(7) / 8, 1e-9);
    plane_free(&dots);
}

static void avoidance_costs_nothing_when_all_is_kept(void **state)
{
    struct together kept = {.ratio = 1, .texture = 1, .sum = 0.9};
    struct together over = {.overprint = 0.1, .ratio = 1, .texture = 1};
    struct together disturbed = {.ratio = 1.04, .texture = 1};

    (void)state;
    assert_close(avoid_cost(&kept, 51), 0, 1e-12);
    assert_close(avoid_cost(&over, 51), 4 * 0.0525 + 0.01, 1e-9);
    assert_close(avoid_cost(&over, 102), 0.01, 1e-9);
    assert_close(avoid_cost(&disturbed, 51), 0.004, 1e-9);
}

/* ---- Searches --------------------------------------------------------- */

static double bowl(const double *x, void *context)
{
    double sum = 0;

    ++*(int *)context;
    for (int i = 0; i < 3; i++)
        sum += (i + 1) * (x[i] - i) * (x[i] - i);
    return sum + 7;
}

static double rosenbrock(const double *x, void *context)
{
    (void)context;
    return pow(1 - x[0], 2) + 100 * pow(x[1] - x[0] * x[0], 2);
}

static void searches_find_the_bottom_of_a_bowl(void **state)
{
    int calls = 0;
    struct search search = {.dimensions = 3,
                            .cost = bowl,
                            .context = &calls,
                            .step = {1, 1, 1},
                            .evaluations = 400,
                            .tolerance = 1e-12};
    double x[3] = {3, 3, 3}, y[3] = {3, 3, 3};

    (void)state;
    assert_close(search_downhill(&search, x), 7, 1e-6);
    assert_true(calls <= 410);
    assert_close(search_pattern(&search, y), 7, 1e-4);
    for (int i = 0; i < 3; i++) {
        assert_close(x[i], i, 1e-3);
        assert_close(y[i], i, 1e-2);
    }
}

static void downhill_follows_a_curved_valley(void **state)
{
    struct search search = {.dimensions = 2,
                            .cost = rosenbrock,
                            .step = {0.5, 0.5},
                            .evaluations = 1000,
                            .tolerance = 1e-14};
    double x[2] = {-1.2, 1};

    (void)state;
    assert_true(search_downhill(&search, x) < 1e-8);
    assert_close(x[0], 1, 1e-3);
    assert_close(x[1], 1, 1e-3);
}

/* ---- Tables ----------------------------------------------------------- */

static void sets_change_only_where_it_pays(void **state)
{
    static struct trained trained[2 * HT_TONES];
    int choice[HT_TONES];

    (void)state;
    for (unsigned i = 0; i < HT_TONES; i++) {
        trained[i].cost = i < 64 ? 0.010 : 0.020;
        trained[HT_TONES + i].cost = i < 64 ? 0.020 : 0.010;
    }
    trained[20].cost = 0.0205; /* not worth two changes at 0.002 */
    trained[HT_TONES + 20].cost = 0.0200;
    choose_sets(2, trained, choice);
    for (unsigned i = 0; i < HT_TONES; i++)
        assert_int_equal(choice[i], i >= 64);
}

static void rounded_weights_sum_to_one(void **state)
{
    ht_tone_t tone = {.t_upper = 0.512345678,
                      .t_lower = 0.487654322,
                      .weight = {0.123456789, 0.234567891, 0.345678912},
                      .column = {1, -1, -3, 0}};
    ht_tone_t rounded = chain_rounded(&tone);

    (void)state;
    assert_close(rounded.t_upper, 0.51235, 1e-12);
    assert_close(rounded.t_lower, 0.48765, 1e-12);
    assert_close(rounded.weight[0] + rounded.weight[1] + rounded.weight[2] +
                     rounded.weight[3],
                 1, 1e-9);
}

/* To 0.54001, 0.30001 and 0.15999, which are 0.00001 too much. */
static void a_rest_below_0_is_taken_from_the_largest(void **state)
{
    ht_tone_t tone = {.t_upper = 0.5,
                      .t_lower = 0.5,
                      .weight = {0.540006, 0.300006, 0.159988},
                      .column = {1, -1, -3, 0}};
    ht_tone_t rounded = chain_rounded(&tone);

    (void)state;
    assert_true(ht_tone_valid(&rounded));
    assert_close(rounded.weight[0], 0.54, 1e-12);
    assert_close(rounded.weight[1], 0.30001, 1e-12);
    assert_close(rounded.weight[3], 0, 0);
}

static void written_table_is_read_back(void **state)
{
    static const int column[1][HT_TAPS] = {{1, -1, -3, 0}};
    static const char *const comment[] = {"a test", NULL};
    const struct table_note note = {"test", "test_train", 5, comment};
    char path[] = "/tmp/test-train-XXXXXX";
    ht_tone_t tones[HT_TONES];
    int choice[HT_TONES] = {0}, file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    close(file);
    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = (ht_tone_t){.t_upper = 0.5 + i / 1000.0,
                               .t_lower = 0.25,
                               .avoid = 0.125,
                               .weight = {0.4, 0.2, 0.1, 0.3},
                               .column = {1, -1, -3, 0}};
    assert_true(choose_write(path, &note, 1, column, choice, tones, 0.01));
    ht_table_t *table = printer_load_table(path);
    assert_non_null(table);
    assert_close(ht_table_tones(table)[100].t_upper, 0.6, 1e-9);
    assert_close(ht_table_tones(table)[100].t_lower, 0.25, 1e-9);
    assert_close(ht_table_tones(table)[7].weight[1], 0.2, 1e-9);
    assert_close(ht_table_tones(table)[7].avoid, 0.125, 1e-9);
    assert_int_equal(ht_table_tones(table)[7].column[2], -3);
    ht_table_free(table);
    unlink(path);
}

/* With t_l = 1 - t_u each pixel of tone 10 has a fifth of a dot left over. */
static void balanced_thresholds_leave_no_error(void **state)
{
    ht_tone_t tones[HT_TONES];
    ht_table_t *table = NULL;
    double before, after;

    (void)state;
    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = (ht_tone_t){.t_upper = 0.6,
                               .t_lower = 0.4,
                               .weight = {0.5, 0.2, 0.1, 0.2},
                               .column = {1, -1, -2, 0}};
    assert_int_equal(ht_table_new(&table, tones, NULL, NULL), HT_OK);
    assert_true(balance_mean_error(HT_TDFED4, table, 0, 10, &before));
    assert_true(before > 0.15 && before < 0.25);
    ht_table_free(table);

    if (one_in(2) > 1) {
        print_message("# SKIP a table's balance: long; make check has it\n");
        return;
    }
    assert_true(balance_thresholds(tones, HT_TDFED4, 0, NULL));
    for (unsigned i = 0; i < HT_TONES; i++)
        assert_close(tones[i].t_upper - tones[i].t_lower, 0.2, 1e-9);
    assert_close(0.6 - tones[10].t_upper, before, 1e-9);
    assert_int_equal(ht_table_new(&table, tones, NULL, NULL), HT_OK);
    for (int tone = 1; tone < 255; tone += 23) {
        assert_true(balance_mean_error(HT_TDFED4, table, 0, tone, &after));
        assert_close(after, 0, 0.01);
    }
    ht_table_free(table);
}

/* ---- Inks -------------------------------------------------------------- */

/* Every second column and every second row meet as chance would have it. */
static void overprint_is_a_share_of_chance(void **state)
{
    struct plane columns = plane_new(64, 32), others = plane_new(64, 32);
    struct plane rows = plane_new(64, 32);

    (void)state;
    for (int i = 0; i < 64 * 32; i++) {
        columns.value[i] = i % 2 == 0;
        others.value[i] = i % 2 == 1;
        rows.value[i] = i / 64 % 2 == 0;
    }
    assert_close(inks_overprint(&columns, &columns), 2, 1e-12);
    assert_close(inks_overprint(&columns, &others), 0, 1e-12);
    assert_close(inks_overprint(&columns, &rows), 1, 1e-12);
    plane_free(&columns);
    plane_free(&others);
    plane_free(&rows);
}

/* A patch of four inks has each ink's tone, and inks that look at each other
 * hardly meet. */
static void inks_of_a_patch_keep_apart(void **state)
{
    const int column[HT_TAPS] = {1, -1, -2, 0};
    const double x[CHAIN_FREE] = {0.44, 0.18, 0.08, 0.52};
    struct chain chain = {.method = HT_TDFED4, .segment = 256};
    ht_tone_t tone = chain_tone(column, x, false);
    struct plane patch[CHAIN_INKS];

    (void)state;
    assert_close(tone.weight[3], 0.3, 1e-12);
    assert_close(tone.t_lower, 0.48, 1e-12);
    assert_close(chain_outside(&tone), 0, 1e-12);
    balance_shift(&tone, 0.23); /* about what balances it */
    assert_close(tone.t_upper, 0.29, 1e-12);
    tone.avoid = 0.15;
    assert_true(chain_print(&chain, 26, &tone, CHAIN_INKS, 1, patch));
    for (int ink = 0; ink < CHAIN_INKS; ink++) {
        assert_int_equal(patch[ink].width, COST_SIDE);
        assert_int_equal(patch[ink].height, COST_SIDE);
        assert_close(plane_mean(&patch[ink]), 26 / 255.0, 0.5 / 255);
        for (int other = 0; other < ink; other++)
            assert_true(inks_overprint(&patch[ink], &patch[other]) < 0.2);
    }
    for (int ink = 0; ink < CHAIN_INKS; ink++)
        plane_free(&patch[ink]);
}

/* ---- Lines and tints --------------------------------------------------- */

/* Has a dot where the tone is 128 or more. */
static const struct printer threshold = {.method = HT_THRESHOLD,
                                         .segment = 256};

static void lines_have_their_width_and_direction(void **state)
{
    const int side = LINES_SIDE;

    (void)state;
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
            assert_close(plane_mean(&lines) / 255,
                         width / (double)LINES_APART * (side - 32) / side,
                         0.02 * width / LINES_APART);
            plane_free(&lines);
        }
}

static void ink_of_lines_is_a_share_of_what_they_want(void **state)
{
    double ink, least, largest;

    (void)state;
    for (int k = 0; k < LINES_DIRECTIONS; k++) {
        assert_true(lines_ink(&threshold, k, 2, 128, &ink));
        assert_close(ink, 255 / 128.0, 1e-9);
    }
    assert_true(lines_ink_of_pixels(&threshold, 204, &ink));
    assert_close(ink, 1.25, 1e-9);
    assert_true(lines_ink_of_pixels(&threshold, 127, &ink));
    assert_close(ink, 0, 0);
    assert_true(lines_extremes(&threshold, &least, &largest));
    assert_close(least, 0, 0);
    assert_close(largest, 255 / 128.0, 1e-9); /* of 50 % */
}

static void correlation_finds_what_repeats(void **state)
{
    struct plane dots = stripes(512, 8, 2000), noise = plane_new(512, 128);
    double found, own;
    uint64_t random = 9;

    (void)state;
    assert_close(repeat_correlation(&dots, 16, 0, 64), 1, 0.01);
    assert_close(repeat_correlation(&dots, 20, 64, 64), -1, 0.01);
    assert_close(repeat_correlation(&dots, 18, 64, 64), 0, 0.01);
    plane_free(&dots);

    /* Chance, but for rows 64 and below, half of whose dots come again. */
    for (int i = 0; i < 512 * 128; i++)
        noise.value[i] = random_unit(&random) < 0.2;
    for (int y = 64; y < 128; y++)
        for (int x = 0; x < 256; x++)
            if ((x ^ y) & 1)
                noise.value[y * 512 + x + 256] = noise.value[y * 512 + x];
    assert_close(repeat_correlation(&noise, 256, 0, 64), 0, 0.03);
    assert_close(repeat_correlation(&noise, 256, 64, 64), 0.5, 0.03);
    assert_close(repeat_correlation(&noise, 255, 64, 64), 0, 0.03);
    plane_free(&noise);
    assert_true(repeat_measure(&threshold, 100, &found, &own)); /* white */
    assert_close(found, 0, 0);
    assert_close(own, 0, 0);
}

static void beginning_of_a_tint_is_measured_over_its_tone(void **state)
{
    struct beginning b;

    (void)state;
    assert_true(begin_measure(&b, &threshold, 204));
    for (int i = 0; i < BEGIN_ROWS; i++)
        assert_close(b.row[i], 1.25, 1e-9);
    assert_close(b.highest, 1.25, 1e-9);
    assert_close(b.furthest, 0.25, 1e-9);
    assert_true(b.error > 0.03 && b.error < 0.04); /* 0.04 far below */
    assert_true(begin_measure(&b, &threshold, 51));
    assert_close(b.highest, 0, 0);
    assert_close(b.furthest, 1, 0);
}

/* ---- Clusters --------------------------------------------------------- */

static void clusters_of_squares_and_of_a_lone_dot(void **state)
{
    struct plane squares = plane_new(66, 66), bare = plane_new(16, 16);
    double isolated, edges;

    (void)state;
    for (int i = 0; i < 66 * 66; i++) /* 2 x 2 pixels, 4 apart */
        squares.value[i] = (i % 66 + 3) % 4 < 2 && (i / 66 + 3) % 4 < 2;
    cluster_measure(&squares, &isolated, &edges);
    assert_close(isolated, 0, 0);
    assert_close(edges, 2, 1e-12);
    for (int i = 0; i < 66 * 66; i++) /* the top left pixel of each */
        squares.value[i] = i % 66 % 4 == 1 && i / 66 % 4 == 1;
    cluster_measure(&squares, &isolated, &edges);
    assert_close(isolated, 1, 0);
    assert_close(edges, 4, 0);
    squares.value[66 + 2] = 1; /* beside the first of 256 */
    cluster_measure(&squares, &isolated, &edges);
    assert_close(isolated, 255 / 257.0, 1e-12);
    assert_close(edges, (255 * 4 + 2 * 3) / 257.0, 1e-12);
    cluster_measure(&bare, &isolated, &edges);
    assert_close(edges, 0, 0);
    for (int y = 4; y < 7; y++) /* a column of three */
        bare.value[y * 16 + 5] = 1;
    cluster_measure(&bare, &isolated, &edges);
    assert_close(isolated, 0, 0);
    assert_close(edges, 8 / 3.0, 1e-12);
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

static void packbits_of_known_rows(void **state)
{
    struct plane white = plane_new(8 * 300, 2);

    (void)state;
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

/* ---- Planes and peers ------------------------------------------------- */

static void dots_survive_a_pbm_file(void **state)
{
    char path[] = "/tmp/test-train-XXXXXX";
    int file = mkstemp(path);
    struct plane dots = stripes(37, 6, 10), back;

    (void)state;
    assert_true(file >= 0);
    close(file);
    assert_true(plane_write_pbm(&dots, path));
    assert_true(plane_read_pbm(&back, path));
    assert_int_equal(back.width, 37);
    assert_memory_equal(back.value, dots.value, 37 * 37);
    plane_free(&dots);
    plane_free(&back);
    unlink(path);
}

static void peers_keep_the_mean_tone(void **state)
{
    struct plane tones = plane_flat(256, 256, 90);

    (void)state;
    for (int i = 0; i < peers_count; i++) {
        struct plane dots;

        if (peers[i].available != NULL)
            continue; /* other programs are not under test */
        assert_true(peers[i].print(&tones, &dots));
        assert_close(plane_mean(&dots), 90 / 255.0, 0.01);
        plane_free(&dots);
    }
    plane_free(&tones);
}

/* Dots at random are as sharp as their tones, but for chance. At 1/4 cycle one
 * way ht_sharpen() adds 2 strengths of 1/64, both ways 2.2. */
static void transfers_of_random_dots_are_known(void **state)
{
    static const double added[] = {2, 2, 2.2};
    static const int strength[] = {0, 4, 7, 10};
    uint64_t seed = 1;

    (void)state;
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
            assert_close(transfer, 1 + added[d] * strength[s] / 64, 0.03);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers_are_splitmix64),
        cmocka_unit_test(eye_lets_through_known_values),
        cmocka_unit_test(eye_sees_known_error_of_a_checkerboard),
        cmocka_unit_test(eye_finds_the_displacement_of_a_picture),
        cmocka_unit_test(eye_sees_an_even_error_in_any_rows),
        cmocka_unit_test(autocorrelation_update_equals_recomputation),
        cmocka_unit_test(swaps_keep_the_number_of_dots),
        cmocka_unit_test(search_lessens_the_error),
        cmocka_unit_test(looking_less_far_leaves_more_error),
        cmocka_unit_test(spectrum_of_stripes_is_one_line),
        cmocka_unit_test(symmetrised_spectrum_has_the_symmetries_of_the_square),
        cmocka_unit_test(white_noise_has_flat_power_and_no_direction),
        cmocka_unit_test(stripes_have_a_direction_and_one_line),
        cmocka_unit_test(band_holds_the_texture_of_few_dots),
        cmocka_unit_test(costs_on_a_worked_example),
        cmocka_unit_test(a_printed_tone_costs_less_than_one_refused),
        cmocka_unit_test(row_spread_of_unequal_rows),
        cmocka_unit_test(avoidance_costs_nothing_when_all_is_kept),
        cmocka_unit_test(searches_find_the_bottom_of_a_bowl),
        cmocka_unit_test(downhill_follows_a_curved_valley),
        cmocka_unit_test(sets_change_only_where_it_pays),
        cmocka_unit_test(rounded_weights_sum_to_one),
        cmocka_unit_test(a_rest_below_0_is_taken_from_the_largest),
        cmocka_unit_test(written_table_is_read_back),
        cmocka_unit_test(balanced_thresholds_leave_no_error),
        cmocka_unit_test(overprint_is_a_share_of_chance),
        cmocka_unit_test(inks_of_a_patch_keep_apart),
        cmocka_unit_test(lines_have_their_width_and_direction),
        cmocka_unit_test(ink_of_lines_is_a_share_of_what_they_want),
        cmocka_unit_test(correlation_finds_what_repeats),
        cmocka_unit_test(beginning_of_a_tint_is_measured_over_its_tone),
        cmocka_unit_test(clusters_of_squares_and_of_a_lone_dot),
        cmocka_unit_test(packbits_of_known_rows),
        cmocka_unit_test(dots_survive_a_pbm_file),
        cmocka_unit_test(peers_keep_the_mean_tone),
        cmocka_unit_test(transfers_of_random_dots_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
