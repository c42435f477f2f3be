/*
 * test_train.c - the training system: direct binary search, costs,
 * searches, tables, files and peers, on cases whose answers are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <unistd.h>

#include "halftone/definition.h"
#include "test/quick.h"
#include "lab/train/train_test.h"
#include "lab/train/balance.h"
#include "lab/train/chain.h"
#include "lab/train/choose.h"
#include "lab/train/cost.h"
#include "lab/train/dbs.h"
#include "lab/train/measure.h"
#include "lab/train/peers/peers.h"
#include "lab/train/hvs.h"
#include "lab/train/random.h"
#include "lab/train/search.h"

#define BINS SPECTRUM_BINS

TEST(random_numbers_are_splitmix64)
{
    uint64_t seed = 0;

    assert_true(random_next(&seed) == 0xe220a8397b1dcdafu);
    assert_true(random_next(&seed) == 0x6e789e6aa1b965f4u);
}

/* ---- Direct binary search --------------------------------------------- */

TEST(autocorrelation_update_equals_recomputation)
{
    struct plane flat = plane_flat(48, 40, 60), dots = plane_new(48, 40);
    uint64_t random = 3;

    for (int i = 0; i < 48 * 40; i++)
        dots.value[i] = random_unit(&random) < 0.25;

    struct dbs dbs = dbs_open(&dots, &flat, HVS_SCALE, 15);
    for (uint64_t pass = 0; pass < 3; pass++)
        assert_true(dbs_pass(&dbs, pass == 1, pass) > 0);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 48; x++)
            assert_near(dbs.seen[y * 48 + x], dbs_brute_force(&dbs, x, y),
                        2e-4);
    dbs_close(&dbs);
    plane_free(&flat);
    plane_free(&dots);
}

TEST(swaps_keep_the_number_of_dots)
{
    static const int tones[] = {1, 40, 128, 230};

    for (int i = 0; i < 4; i++)
        for (int kind = DBS_USUAL; kind <= DBS_BEST; kind++) {
            struct plane dots =
                dbs_patch(64, 64, tones[i], HVS_SCALE, (enum dbs_kind)kind, 5);
            assert_near(plane_mean(&dots) * 64 * 64,
                        round(64 * 64 * tones[i] / 255.0), 1e-6);
            plane_free(&dots);
        }
}

TEST(search_lessens_the_error)
{
    struct plane flat = plane_flat(64, 64, 50), dots = plane_new(64, 64);
    uint64_t random = 8;

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

TEST(looking_less_far_leaves_more_error)
{
    struct plane flat = plane_flat(96, 96, 60);
    double error[2];

    for (int i = 0; i < 2; i++) {
        struct plane dots =
            dbs_patch_far(96, 96, 60, HVS_SCALE, i ? DBS_USUAL_FAR : 8, 5);
        error[i] = hvs_error(&dots, &flat, HVS_SCALE, 0);
        plane_free(&dots);
    }
    assert_true(error[0] > 1.5 * error[1]);
    plane_free(&flat);
}

/* ---- Costs ------------------------------------------------------------ */

TEST(costs_on_a_worked_example)
{
    static double dbs[BINS], halftone[BINS];
    const double bins = SPECTRUM_SIDE * SPECTRUM_SIDE - 1;

    for (int i = 0; i < BINS; i++) {
        dbs[i] = 2;
        halftone[i] = 1;
    }
    assert_near(cost_li(dbs, halftone), 1, 1e-9);
    assert_near(cost_chang(dbs, halftone), 1 / 4.0, 1e-9);
    assert_near(cost_han(dbs, halftone), 1 / 9.0, 1e-9);
    assert_near(cost_han(dbs, dbs), 0, 1e-12);

    /* The mean's bin does not count, and a lone bin stands for two. */
    memcpy(halftone, dbs, sizeof dbs);
    halftone[0] = 100;
    halftone[1] = 4;
    assert_near(cost_li(dbs, halftone), 2 * 4 / bins, 1e-12);
}

/* Even coarse stripes, which are nothing like DBS, by any kind of cost. */
TEST(a_printed_tone_costs_less_than_one_refused)
{
    static struct reference best;
    struct target target = {&best, &best};
    struct plane dots = dbs_patch(256, 256, 127, HVS_SCALE, DBS_USUAL, 1);
    struct plane bad = stripes(COST_SIDE, 16, 2 * COST_SIDE);

    spectrum_of(&best.spectrum, &dots, 127, SPECTRUM_SIDE / 2, true);
    best.hvs[0] = best.hvs[1] = 1e-6;
    for (int kind = COST_EXTENDED; kind <= COST_HAN; kind++)
        assert_true(cost_of((enum cost_kind)kind, &bad, 127, &target) <
                    COST_REFUSED);
    plane_free(&dots);
    plane_free(&bad);
}

TEST(row_spread_of_unequal_rows)
{
    struct plane dots = plane_new(64, 64);

    for (int y = 3; y < 64; y += 8)
        for (int x = 0; x < 32; x++)
            dots.value[y * 64 + x] = 1;
    assert_near(cost_row_spread(&dots), 127.5, 1e-9);
    assert_near(measure_row_deviation(&dots), 127.5 * sqrt(7) / 8, 1e-9);
    plane_free(&dots);
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

TEST(searches_find_the_bottom_of_a_bowl)
{
    int calls = 0;
    struct search search = {.dimensions = 3,
                            .cost = bowl,
                            .context = &calls,
                            .step = {1, 1, 1},
                            .evaluations = 400,
                            .tolerance = 1e-12};
    double x[3] = {3, 3, 3}, y[3] = {3, 3, 3};

    assert_near(search_downhill(&search, x), 7, 1e-6);
    assert_true(calls <= 410);
    assert_near(search_pattern(&search, y), 7, 1e-4);
    for (int i = 0; i < 3; i++) {
        assert_near(x[i], i, 1e-3);
        assert_near(y[i], i, 1e-2);
    }
}

TEST(downhill_follows_a_curved_valley)
{
    struct search search = {.dimensions = 2,
                            .cost = rosenbrock,
                            .step = {0.5, 0.5},
                            .evaluations = 1000,
                            .tolerance = 1e-14};
    double x[2] = {-1.2, 1};

    assert_true(search_downhill(&search, x) < 1e-8);
    assert_near(x[0], 1, 1e-3);
    assert_near(x[1], 1, 1e-3);
}

/* ---- Tables ----------------------------------------------------------- */

TEST(sets_change_only_where_it_pays)
{
    static struct trained trained[2 * HT_TONES];
    int choice[HT_TONES];

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

TEST(rounded_weights_sum_to_one)
{
    ht_tone_t tone = {.t_upper = 0.512345678,
                      .t_lower = 0.487654322,
                      .weight = {0.123456789, 0.234567891, 0.345678912},
                      .column = {1, -1, -3, 0}};
    ht_tone_t rounded = chain_rounded(&tone);

    assert_near(rounded.t_upper, 0.51235, 1e-12);
    assert_near(rounded.t_lower, 0.48765, 1e-12);
    assert_near(rounded.weight[0] + rounded.weight[1] + rounded.weight[2] +
                    rounded.weight[3],
                1, 1e-9);
}

/* To 0.54001, 0.30001 and 0.15999, which are 0.00001 too much. */
TEST(a_rest_below_0_is_taken_from_the_largest)
{
    ht_tone_t tone = {.t_upper = 0.5,
                      .t_lower = 0.5,
                      .weight = {0.540006, 0.300006, 0.159988},
                      .column = {1, -1, -3, 0}};
    ht_tone_t rounded = chain_rounded(&tone);

    assert_true(ht_tone_valid(&rounded));
    assert_near(rounded.weight[0], 0.54, 1e-12);
    assert_near(rounded.weight[1], 0.30001, 1e-12);
    assert_near(rounded.weight[3], 0, 0);
}

TEST(written_table_is_read_back)
{
    static const int column[1][HT_TAPS] = {{1, -1, -3, 0}};
    static const char *const comment[] = {"a test", NULL};
    const struct table_note note = {"test", "test_train", 5, comment};
    char path[] = "/tmp/test-train-XXXXXX";
    ht_tone_t tones[HT_TONES];
    int choice[HT_TONES] = {0}, file = mkstemp(path);

    assert_true(file >= 0);
    close(file);
    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = (ht_tone_t){.t_upper = 0.5 + i / 1000.0,
                               .t_lower = 0.25,
                               .weight = {0.4, 0.2, 0.1, 0.3},
                               .column = {1, -1, -3, 0}};
    assert_true(choose_write(path, &note, 1, column, choice, tones, 0.01));
    ht_table_t *table = printer_load_table(path);
    assert_non_null(table);
    assert_near(ht_table_tones(table)[100].t_upper, 0.6, 1e-9);
    assert_near(ht_table_tones(table)[100].t_lower, 0.25, 1e-9);
    assert_near(ht_table_tones(table)[7].weight[1], 0.2, 1e-9);
    assert_int_equal(ht_table_tones(table)[7].column[2], -3);
    ht_table_free(table);
    unlink(path);
}

/* With t_l = 1 - t_u each pixel of tone 10 has a fifth of a dot left over. */
TEST(balanced_thresholds_leave_no_error)
{
    ht_tone_t tones[HT_TONES];
    ht_table_t *table = NULL;
    double before, after;

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
        assert_near(tones[i].t_upper - tones[i].t_lower, 0.2, 1e-9);
    assert_near(0.6 - tones[10].t_upper, before, 1e-9);
    assert_int_equal(ht_table_new(&table, tones, NULL, NULL), HT_OK);
    for (int tone = 1; tone < 255; tone += 23) {
        assert_true(balance_mean_error(HT_TDFED4, table, 0, tone, &after));
        assert_near(after, 0, 0.01);
    }
    ht_table_free(table);
}

/* ---- Planes and peers ------------------------------------------------- */

TEST(dots_survive_a_pbm_file)
{
    char path[] = "/tmp/test-train-XXXXXX";
    int file = mkstemp(path);
    struct plane dots = stripes(37, 6, 10), back;

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

TEST(peers_keep_the_mean_tone)
{
    struct plane tones = plane_flat(256, 256, 90);

    for (int i = 0; i < peers_count; i++) {
        struct plane dots;

        if (peers[i].available != NULL)
            continue; /* other programs are not under test */
        assert_true(peers[i].print(&tones, &dots));
        assert_near(plane_mean(&dots), 90 / 255.0, 0.01);
        plane_free(&dots);
    }
    plane_free(&tones);
}

/* Three sizes at random: the search moves them, and keeps how many there are of
 * each. */
TEST(drops_of_several_sizes_find_better_places)
{
    static const double area[] = {0, .25, .5, 1};
    struct plane drops = plane_new(48, 48), seen[2];
    uint32_t count[2][4] = {{0}};
    uint64_t seed = 3;
    double error[2], mean = 0;

    for (int i = 0; i < 48 * 48; i++)
        drops.value[i] = (uint8_t)random_below(&seed, 4);
    struct plane found = dbs_drops(&drops, area, HVS_SCALE, 1);
    const struct plane *both[] = {&drops, &found};
    for (int k = 0; k < 2; k++) {
        seen[k] = plane_new(48, 48);
        for (int i = 0; i < 48 * 48; i++) {
            count[k][both[k]->value[i]]++;
            seen[k].value[i] = (uint8_t)(252 * area[both[k]->value[i]]);
            mean += seen[k].value[i] / (2.0 * 48 * 48);
        }
    }
    for (int k = 0; k < 2; k++)
        error[k] = hvs_error_flat(&seen[k], mean, HVS_SCALE, 0);
    assert_memory_equal(count[0], count[1], sizeof count[0]);
    assert_true(error[1] < error[0] / 20);
    planes_free(seen, 2);
    plane_free(&drops);
    plane_free(&found);
}
