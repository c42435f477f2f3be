/*
 * test_diffuse.c - what holds of the dots on any page: conservation, segments,
 * and an error that dies out. test_answers.c has the dots themselves, as
 * halftone-by-the-book works them out of doc/dev/halftone.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "test/cases.h"
#include "test/unit/pages.h"

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
