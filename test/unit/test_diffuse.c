/*
 * test_diffuse.c - the definition of the dots: examples worked by hand from
 * doc/dev/halftone.md, conservation, segments.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "test/cases.h"
#include "test/unit/pages.h"

/* ---- Worked by hand --------------------------------------------------- */

/* Weights 1/2 (0,+1), 1/4 (1,+1), 1/8 (1,-1), rest 1/8 (1,0); t_u 1/2, so
 * that the pattern does not matter. */
static ht_table_t *plain_table(void)
{
    ht_table_t *table = NULL;
    ht_tone_t tones[HT_TONES];

    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = (ht_tone_t){.t_upper = 0.5,
                               .t_lower = 0.5,
                               .weight = {1 / 2., 1 / 4., 1 / 8., 1 / 8.},
                               .column = {1, 1, -1, 0}};
    assert_int_equal(ht_table_new(&table, tones, NULL, NULL), HT_OK);
    return table;
}

/* A row, above one that is toned. */
struct row {
    int16_t tone[4], error[4], below[4];
    uint8_t level[4], dots[1];
};

static void run_row(struct row *row, uint32_t width, uint64_t number)
{
    ht_table_t *table = plain_table();
    struct ht_scan scan = {
        .table = table, .width = width, .swath = 4, .sizes = HT_ONE_SIZE};
    struct ht_place place = {.row = number};
    const uint8_t next[4] = {128, 128, 128, 128};
    int16_t aside[4];
    struct ht_row diffused = {.tone = row->tone,
                              .level = row->level,
                              .error = row->error,
                              .below = row->below,
                              .dots = row->dots,
                              .next = next,
                              .aside = aside};

    ht_diffuse_row(&scan, &place, &diffused);
    ht_table_free(table);
}

static void assert_below(const struct row *row, int a, int b, int c)
{
    const int wanted[] = {a, b, c};

    for (int x = 0; x < 3; x++)
        if (row->below[x] != wanted[x])
            fail_msg("below column %d: %d instead of %d", x, row->below[x],
                     wanted[x]);
}

/*
 * Three pixels of 0.25 = 4096, going right, nothing inherited:
 *   x 0: u 4096, no dot, e 4096: right 2048, down-right 1024, down 512,
 *        down-left 512, which is outside and goes down too
 *   x 1: u 6144, no dot, e 6144: right 3072, 1536, 768, 768
 *   x 2: u 7168, no dot, e 7168: right 3584 and down-right 1792 are outside
 *        and go down, with 896; down-left 896
 */
TEST(a_row_to_the_right_worked_by_hand)
{
    struct row row = {.tone = {4096, 4096, 4096}, .level = {64, 64, 64}};

    run_row(&row, 3, 0);
    assert_int_equal(row.dots[0], 0);
    assert_below(&row, 512 + 512 + 768, 1024 + 768 + 896,
                 1536 + 3584 + 1792 + 896);
}

/*
 * Going left with 8192, and an inherited 2048 at x 2:
 *   x 2: u 10240, dot, e -6144: left -3072, down-left -1536, down -768, and
 *        -768 that would go down-right goes down
 *   x 1: u 5120, no dot, e 5120: left 2560, 1280, 640, 640 to x 2
 *   x 0: u 10752, dot, e -5632: -2816 and -1408 stay, -704 down, -704 to x 1
 */
TEST(a_row_to_the_left_worked_by_hand)
{
    struct row row = {.tone = {8192, 8192, 8192},
                      .level = {128, 128, 128},
                      .error = {0, 0, 2048}};

    run_row(&row, 3, 4);
    assert_int_equal(row.dots[0], 0xa0);
    assert_below(&row, 1280 - 2816 - 1408 - 704, -1536 + 640 - 704,
                 -768 - 768 + 640);
}

/*
 * A segment's last pixel has a threshold of its own: up to level 32 by 2048
 * higher, at 40 by 24 steps of 64, from 64 on by nothing, and of dark levels
 * lower by as much. `u` is reached by what is inherited.
 */
TEST(the_last_threshold_of_a_segment_is_raised)
{
    static const struct {
        int level, threshold;
    } at[] = {{1, 8192 + 2048},   {32, 8192 + 2048}, {40, 8192 + 24 * 64},
              {63, 8192 + 64},    {64, 8192},        {128, 8192},
              {191, 8192},        {192, 8192 - 64},  {215, 8192 - 24 * 64},
              {223, 8192 - 2048}, {254, 8192 - 2048}};

    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        for (int above = 0; above < 2; above++)
            for (int left = 0; left < 2; left++) {
                int short_of = above ? 0 : 1, last = left ? 0 : 1;
                uint8_t level = (uint8_t)at[i].level;
                struct row row = {.level = {level, level}};

                case_is("level %d, to the %s, u %s the threshold", level,
                        left ? "left" : "right", above ? "at" : "below");
                row.tone[last] = 4096;
                row.error[last] = (int16_t)(at[i].threshold - short_of - 4096);
                run_row(&row, 2, left ? 4 : 0);
                assert_int_equal(row.dots[0] >> (7 - last) & 1, above);
            }
}

/*
 * White with 12000 inherited prints nothing: the error is held to 8192, three
 * quarters are kept, 6144: down-right 1536, and 4608 down, since the next pixel
 * is solid. Solid with -12000 prints: u 4384, e -12000, held to -8192, kept
 * -6144: right -3072, down-right -1536, down-left -768, down -768.
 */
TEST(white_and_solid_are_forced)
{
    struct row row = {.tone = {0, HT_ONE, 4096},
                      .level = {0, 255, 64},
                      .error = {12000, -12000, 0}};

    run_row(&row, 3, 0);
    assert_int_equal(row.dots[0], 0x40);
    /* x 2: u 4096 - 3072 = 1024, no dot: down-left 128, the rest down. */
    assert_below(&row, 4608 - 768, 1536 - 768 + 128, -1536 + 896);
}

/* A dot of the ink's pattern at a pixel selects its threshold. Every other copy
 * is the inverse of the one before. */
TEST(the_pattern_chooses_the_threshold)
{
    static const uint8_t levels[] = {64, 111, 112, 143, 144, 191};
    ht_table_t *table = NULL;
    ht_tone_t tones[HT_TONES];

    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = (ht_tone_t){.t_upper = 0.75,
                               .t_lower = 0.375,
                               .weight = {1 / 2., 1 / 4., 1 / 8., 1 / 8.},
                               .column = {1, 1, -1, 0}};
    assert_int_equal(ht_table_new(&table, tones, NULL, NULL), HT_OK);
    struct ht_scan scan = {
        .table = table, .width = 1, .swath = 4, .sizes = HT_ONE_SIZE};
    for (unsigned i = 0; i < 16 * sizeof levels; i++)
        for (uint32_t copy = 0; copy < 2; copy++) {
            uint8_t level = levels[i / 16];
            struct ht_place place = {.row = i % 16};
            bool black = table->pattern[i % 16 * (HT_PATTERN_SIZE / 8)] >> 7;
            int upper = level < 128 ? 12288 : 16384 - 6144;
            int lower = level < 128 ? 6144 : 16384 - 12288;
            int wanted = black != (copy == 1) ? lower : upper;

            for (int below = 0; below < 2; below++) {
                int16_t tone = (int16_t)(wanted - below), error = 0;
                int16_t left, aside;
                uint8_t dots;

                case_is("level %u, row %u, copy %u, u %s the threshold", level,
                        i % 16, copy, below ? "below" : "at");
                struct ht_row row = {.copy = copy,
                                     .tone = &tone,
                                     .level = &level,
                                     .error = &error,
                                     .below = &left,
                                     .dots = &dots,
                                     .next = &level,
                                     .aside = &aside};

                ht_diffuse_row(&scan, &place, &row);
                assert_int_equal(dots, below ? 0 : 0x80);
            }
        }
    ht_table_free(table);
}

/* Going left over a mirrored row is going right over the row, mirrored. */
TEST(odd_swaths_are_mirrored)
{
    enum { WIDTH = 50 };
    ht_table_t *table = plain_table();
    struct ht_scan scan = {
        .table = table, .width = WIDTH, .swath = 4, .sizes = HT_ONE_SIZE};
    int16_t tone[2][WIDTH], error[2][WIDTH], below[2][WIDTH], aside[WIDTH];
    uint8_t level[2][WIDTH], dots[2][(WIDTH + 7) / 8];
    uint64_t seed = 5;

    for (int x = 0; x < WIDTH; x++) {
        uint8_t sample = (uint8_t)random_below(&seed, 256);
        int m = WIDTH - 1 - x;

        ht_tones_from_samples(&sample, 8, 1, &tone[0][x], &level[0][x]);
        tone[1][m] = tone[0][x];
        level[1][m] = level[0][x];
        error[0][x] = error[1][m] = (int16_t)(random_below(&seed, 8192) - 4096);
    }
    for (int i = 0; i < 2; i++) {
        struct ht_place place = {.row = (uint64_t)i * 4};
        struct ht_row row = {.tone = tone[i],
                             .level = level[i],
                             .error = error[i],
                             .below = below[i],
                             .dots = dots[i],
                             .next = level[i],
                             .aside = aside};

        ht_diffuse_row(&scan, &place, &row);
    }
    for (int x = 0; x < WIDTH; x++) {
        case_is("column %d", x);
        assert_int_equal(below[0][x], below[1][WIDTH - 1 - x]);
    }
    ht_table_free(table);
}

/* From a whole dot at every pixel, by the rows that doc/dev/halftone.md says.
 */
TEST(an_error_dies_out_in_white)
{
    enum { WIDTH = 1000 };
    const size_t rows = 29;

    EACH_METHOD (method, diffuses)
        for (int sign = -1; sign <= 1; sign += 2) {
            ht_page_t page = {.method = (ht_method_t)method,
                              .width = WIDTH,
                              .inks = 1,
                              .bits = 8,
                              .segment = HT_DEFAULT_SEGMENT,
                              .band = 32};
            uint8_t *white = calloc(rows, WIDTH);
            int16_t error[WIDTH];
            ht_engine_t *engine = NULL;
            uint64_t row;

            case_is("%s, error of %d dot", ht_method_info(page.method)->choice,
                    sign);
            assert_non_null(white);
            for (int x = 0; x < WIDTH; x++)
                error[x] = (int16_t)(sign * HT_ONE);
            assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
            assert_int_equal(ht_engine_give_state(engine, 0, error), HT_OK);
            assert_int_equal(ht_engine_submit(engine, white, NULL, rows),
                             HT_OK);
            assert_int_equal(ht_engine_end(engine), HT_OK);
            assert_int_equal(ht_engine_take_state(engine, &row, error), HT_OK);
            assert_int_equal(row, rows);
            for (int x = 0; x < WIDTH; x++)
                if (error[x] != 0)
                    fail_msg("column %d inherits %d", x, error[x]);
            ht_engine_close(engine);
            free(white);
        }
}

/* ---- Conservation and segments ---------------------------------------- */

/* Without white and solid, all that comes in is dots or is inherited by the
 * row below, to the last unit. */
TEST(ink_is_conserved_to_the_last_unit)
{
    enum { WIDTH = 333, ROWS = 61 };

    EACH_METHOD (method, diffuses) {
        ht_page_t page = {.method = (ht_method_t)method,
                          .width = WIDTH,
                          .inks = 2,
                          .bits = 8,
                          .segment = 32,
                          .band = ROWS};
        uint8_t *samples = make_samples(RAMP, WIDTH, ROWS, 2, 8, 1);
        uint8_t dots[ROWS * 2 * ((WIDTH + 7) / 8)];
        int16_t error[4 * WIDTH] = {0}; /* and what inks together leave */
        ht_engine_t *engine = NULL;
        int64_t balance = 0;
        uint64_t row;

        case_is("%s", ht_method_info(page.method)->choice);
        for (size_t i = 0; i < ROWS * 2 * WIDTH; i++) {
            int16_t tone;
            uint8_t level;

            samples[i] = (uint8_t)(1 + samples[i] * 253 / 255);
            ht_tones_from_samples(&samples[i], 8, 1, &tone, &level);
            balance += tone;
        }
        assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
        assert_int_equal(ht_engine_give_state(engine, 0, error), HT_OK);
        assert_int_equal(ht_engine_submit(engine, samples, NULL, ROWS), HT_OK);
        assert_int_equal(ht_engine_end(engine), HT_OK);
        assert_int_equal(ht_engine_take_state(engine, &row, error), HT_OK);
        assert_int_equal(row, ROWS);
        assert_int_equal(ht_engine_collect(engine, dots, ROWS), HT_OK);
        for (uint32_t ink = 0; ink < 2; ink++)
            balance -= HT_ONE *
                       (int64_t)count_dots(&page, dots, ink, 0, ROWS, 0, WIDTH);
        for (size_t i = 0; i < 2 * WIDTH; i++)
            balance -= error[i];
        assert_int_equal(balance, 0);
        ht_engine_close(engine);
        free(samples);
    }
}

/* Where tones change, no ink is withheld or in advance: at each tone, what
 * rows inherit is 0 on average. (With t_l = 1 - t_u
 * it would be up to 0.16.) */
TEST(flat_tones_owe_no_ink)
{
    enum { WIDTH = 1024, BAND = 128, BANDS = 8 };
    static uint8_t samples[BAND * WIDTH], dots[BAND * WIDTH / 8];

    EACH_METHOD (method, table)
        for (int tone = 1; tone < 255; tone += 11) {
            ht_page_t page = {.method = (ht_method_t)method,
                              .width = WIDTH,
                              .inks = 1,
                              .bits = 8,
                              .segment = HT_DEFAULT_SEGMENT,
                              .band = BAND};
            ht_engine_t *engine = NULL;
            int16_t error[WIDTH];
            double owed = 0;
            uint64_t row;

            memset(samples, tone, sizeof samples);
            assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
            for (int band = 0; band < BANDS; band++) {
                assert_int_equal(ht_engine_submit(engine, samples, NULL, BAND),
                                 HT_OK);
                assert_int_equal(
                    ht_engine_collect(engine, dots, ht_engine_ready(engine)),
                    HT_OK);
                assert_int_equal(ht_engine_take_state(engine, &row, error),
                                 HT_OK);
                for (int x = 0; x < WIDTH; x++)
                    owed += error[x] / ((double)BANDS * WIDTH * HT_ONE);
            }
            if (fabs(owed) > 0.03)
                fail_msg("%s, tone %d: %.4f dots a column",
                         ht_method_info(page.method)->choice, tone, owed);
            ht_engine_close(engine);
        }
}

TEST(cuts_move_by_a_quarter_segment_at_least)
{
    static const uint32_t segments[] = {16, 17, 63, 256, 1000};

    for (size_t i = 0; i < sizeof segments / sizeof segments[0]; i++) {
        uint32_t t = segments[i];
        struct ht_scan scan = {.width = 5000, .swath = 4, .segment = t};
        struct ht_place place;
        uint32_t shift;

        ht_place_first(&scan, &place);
        shift = place.shift;
        for (uint64_t row = 1; row < 4000; row++) {
            uint32_t moved;

            case_is("segments of %u, row %d", t, (int)row);
            ht_place_next(&scan, &place);
            assert_int_equal(place.row, row);
            moved = (place.shift + t - shift) % t;
            if (row % 4 != 0)
                assert_int_equal(moved, 0);
            else
                assert_between(moved, t / 4, t - t / 4);
            shift = place.shift;
        }
    }
}

/* In the swath in which a pixel changes, no dot of another segment does. */
TEST(no_error_leaves_its_segment_sideways)
{
    enum { WIDTH = 640, SEGMENT = 64 };
    ht_page_t page = {
        .width = WIDTH, .inks = 1, .bits = 8, .segment = SEGMENT, .band = 8};
    uint8_t *samples = make_samples(NOISE, WIDTH, 8, 1, 8, 9);
    uint8_t dots[2][8 * WIDTH / 8];
    struct ht_scan scan = {.width = WIDTH, .swath = 4, .segment = SEGMENT};
    struct ht_place place;
    bool changed = false;

    for (int i = 0; i < 8 * WIDTH; i++) /* toned, also when they change */
        samples[i] = (uint8_t)(64 + samples[i] / 2);
    ht_place_first(&scan, &place);
    while (place.row < HT_PREROLL + 4)
        ht_place_next(&scan, &place);
    const uint32_t swath = (uint32_t)(place.row / 4);
    const uint64_t begin = ht_cut(SEGMENT, place.shift, swath, 2);
    const uint64_t end = ht_cut(SEGMENT, place.shift, swath, 3);
    for (int i = 0; i < 2; i++) {
        halftone_page(NULL, NULL, &page, samples, 8, SIZE_MAX, 0, dots[i]);
        for (uint64_t x = begin; x < end; x++) /* of the page's swath 1 */
            samples[4 * WIDTH + x] ^= 0x15;
    }
    for (size_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            uint8_t bit = (uint8_t)(0x80 >> x % 8);
            size_t byte = y * WIDTH / 8 + x / 8;

            if (((dots[0][byte] ^ dots[1][byte]) & bit) == 0)
                continue;
            if (y < 4 || x < begin || x >= end)
                fail_msg("row %zu, column %u changes, which is outside", y, x);
            changed = true;
        }
    assert_true(changed);
    free(samples);
}
