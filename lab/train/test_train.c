/*
 * test_train.c - the training system: direct binary search, measures,
 * the search for anchors, tables, files and peers, on cases whose answers are
 * known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <unistd.h>

#include "halftone/definition.h"
#include "test/quick.h"
#include "lab/train/train_test.h"
#include "lab/train/anchors.h"
#include "lab/train/balance.h"
#include "lab/train/dbs.h"
#include "lab/train/measure.h"
#include "lab/train/peers/peers.h"
#include "lab/train/printer.h"
#include "lab/train/hvs.h"
#include "lab/train/random.h"
#include "lab/train/search.h"
#include "lab/train/table_file.h"

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

/* ---- Measures of a flat halftone -------------------------------------- */

TEST(texture_distance_on_a_worked_example)
{
    static struct measured a, b;

    for (int i = 0; i < SPECTRUM_BINS; i++) {
        a.amplitude[i] = 2;
        b.amplitude[i] = 1;
    }
    assert_near(measure_jump(&a, &b), 1 / 9.0, 1e-9);
    assert_near(measure_jump(&a, &a), 0, 1e-12);

    /* The mean's bin does not count, and a lone bin stands for two. */
    memcpy(b.amplitude, a.amplitude, sizeof b.amplitude);
    b.amplitude[0] = 100;
    b.amplitude[1] = 6;
    assert_near(measure_jump(&a, &b),
                2 / 4.0 / (SPECTRUM_SIDE * SPECTRUM_SIDE - 1), 1e-12);
}

TEST(row_spread_of_unequal_rows)
{
    struct plane dots = plane_new(64, 64);

    for (int y = 3; y < 64; y += 8)
        for (int x = 0; x < 32; x++)
            dots.value[y * 64 + x] = 1;
    assert_near(measure_row_range(&dots), 127.5, 1e-9);
    assert_near(measure_row_deviation(&dots), 127.5 * sqrt(7) / 8, 1e-9);
    plane_free(&dots);
}

/* ---- The search -------------------------------------------------------- */

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

TEST(downhill_finds_the_bottom_of_a_bowl)
{
    int calls = 0;
    struct search search = {.dimensions = 3,
                            .cost = bowl,
                            .context = &calls,
                            .step = {1, 1, 1},
                            .evaluations = 400,
                            .tolerance = 1e-12};
    double x[3] = {3, 3, 3};

    assert_near(search_downhill(&search, x), 7, 1e-6);
    assert_true(calls <= 410);
    for (int i = 0; i < 3; i++)
        assert_near(x[i], i, 1e-3);
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

/* Makes anchors at tones 1, 15 and 16 to 127 of two sets. */
static struct anchors two_sets(int step)
{
    struct anchors anchors = {.method = HT_TDFED4,
                              .segment = HT_DEFAULT_SEGMENT,
                              .most = {0, 0, 0.085, 0, 0.215, 0.395, 0, 0},
                              .feedback = true,
                              .sets = 2,
                              .set = {{{-1, -4}, 1, 15}, {{-1, -2}, 16, 127}},
                              .jobs = 1};

    anchors_place(&anchors, step);
    return anchors;
}

TEST(anchors_are_at_the_ends_of_sets)
{
    static const int tone[] = {1, 9, 15, 16, 32, 48, 64, 80, 96, 112, 127};
    struct anchors anchors = two_sets(16);

    assert_int_equal(anchors.count, 11);
    assert_memory_equal(anchors.tone, tone, sizeof tone);
}

TEST(numbers_lie_on_straight_lines_between_anchors)
{
    struct anchors anchors = two_sets(16);

    for (int i = 0; i < anchors.count; i++) {
        const double x[] = {0.4, 0.2, 0.1 - i * 0.01, i * 0.02, i * 0.01};

        memcpy(anchors.x[i], x, sizeof x);
    }
    for (int tone = 112; tone <= 127; tone++) { /* anchors 9 and 10 */
        double at = 9 + (tone - 112) / 15.0;
        ht_tone_t t = anchors_tone(&anchors, tone);

        assert_near(t.weight[0], 0.4, 1e-9);
        assert_near(t.weight[2], 0.1 - at * 0.01, 1e-9);
        assert_near(t.weight[3], 0.3 + at * 0.01, 1e-9);
        assert_near(t.t_upper - t.t_lower, at * 0.02, 1e-9);
        assert_near(t.feedback, at * 0.01, 1e-9);
    }
    for (int tone = 1; tone <= 127; tone++) {
        ht_tone_t t = anchors_tone(&anchors, tone);

        assert_int_equal(t.column[2], tone > 15 ? -2 : -4);
        assert_true(tone < 64 ? t.feedback == 0 : t.feedback > 0);
    }
}

/* Two anchors of one set, a short search of each: enough for all its steps. */
TEST(training_finds_the_same_with_any_number_of_jobs)
{
    static const struct cover_dots square = {0, 0};
    static struct anchors found[2];

    for (int i = 0; i < 2; i++) {
        found[i] = two_sets(16);
        found[i].sets = 1;
        found[i].set[0] = (struct anchor_set){{-1, -2}, 125, 127};
        found[i].draws = 4;
        found[i].search = found[i].polish = 8;
        found[i].sweeps = 1;
        found[i].seed = 5;
        found[i].jobs = 1 + (uint32_t)i;
        found[i].weight[0] = 1;
        anchors_place(&found[i], 16);
        grain_judge_new(&found[i].judge, 1, &square, 600, 600);
        assert_true(anchors_search(&found[i]));
        grain_judge_free(&found[i].judge);
    }
    assert_int_equal(found[0].count, 2);
    assert_memory_equal(found[0].x, found[1].x, sizeof found[0].x);
    assert_true(found[0].cost == found[1].cost);
    assert_true(found[0].cost > 0 && found[0].cost < 100);
}

TEST(written_table_is_read_back)
{
    const struct table_note note = {"test", "test_train", 5, 0.01};
    char path[] = "/tmp/test-train-XXXXXX";
    ht_tone_t tones[HT_TONES];
    int file = mkstemp(path);

    assert_true(file >= 0);
    close(file);
    for (unsigned i = 0; i < HT_TONES; i++) {
        ht_tone_t tone = {.t_upper = 0.5 + i / 1000.0,
                          .t_lower = 0.254321987,
                          .weight = {0.423456789, 0.134567891, 0.045678912},
                          .column = {1, -1, i < 20 ? -4 : -2, 0},
                          .feedback = i < 64 ? 0 : i / 1200.0};
        tone.weight[3] = 1 - tone.weight[0] - tone.weight[1] - tone.weight[2];
        tones[i] = table_rounded(&tone);
    }
    assert_true(table_write(path, &note, tones));
    ht_table_t *table = printer_load_table(path);
    assert_non_null(table);
    for (unsigned i = 0; i < HT_TONES; i++) {
        const ht_tone_t *back = &ht_table_tones(table)[i];

        assert_near(back->t_upper, tones[i].t_upper, 1e-9);
        assert_near(back->t_lower, 0.25432, 1e-9);
        assert_near(back->weight[0], 0.42345, 1e-9);
        assert_near(back->weight[3], tones[i].weight[3], 1e-9);
        assert_int_equal(back->column[2], i < 20 ? -4 : -2);
        assert_near(back->feedback, tones[i].feedback, 1e-9);
    }
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
    assert_near(0.6 - tones[10].t_upper, before, 0.01);
    assert_int_equal(ht_table_new(&table, tones, NULL, NULL), HT_OK);
    for (int tone = 1; tone < 255; tone += 23) {
        assert_true(balance_mean_error(HT_TDFED4, table, 0, tone, &after));
        assert_near(after, 0, 0.01);
    }
    ht_table_free(table);
}

/* ---- Planes and peers ------------------------------------------------- */

typedef bool (*plane_write)(const struct plane *plane, const char *path);
typedef bool (*plane_read)(struct plane *out, const char *path);

/* Writes and reads a plane of 37 x 37, which is freed. */
static void assert_survives(struct plane plane, plane_write write_file,
                            plane_read read_file)
{
    char path[] = "/tmp/test-train-XXXXXX";
    int file = mkstemp(path);
    struct plane back;

    assert_true(file >= 0);
    close(file);
    assert_true(write_file(&plane, path));
    assert_true(read_file(&back, path));
    assert_int_equal(back.width, 37);
    assert_memory_equal(back.value, plane.value, 37 * 37);
    plane_free(&plane);
    plane_free(&back);
    unlink(path);
}

TEST(dots_survive_a_pbm_file)
{
    assert_survives(stripes(37, 6, 10), plane_write_pbm, plane_read_pbm);
}

TEST(tones_and_sizes_of_drops_survive_a_pgm_file)
{
    assert_survives(plane_flat(37, 37, 100), plane_write_pgm, plane_read_pgm);
    assert_survives(plane_flat(37, 37, 2), plane_write_drops, plane_read_drops);
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
    static const double area[HT_MAX_LEVELS] = {0, .25, .5, 1, 1, 1};
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
