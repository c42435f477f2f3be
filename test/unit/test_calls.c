/*
 * test_calls.c - calls of halftone.h with arguments out of range, out of order,
 * and with NULL.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "test/cases.h"

static const ht_page_t good_page = {.width = 10,
                                    .inks = 1,
                                    .bits = 8,
                                    .segment = HT_DEFAULT_SEGMENT,
                                    .band = 4};

TEST(refuses_pages_out_of_range)
{
    ht_page_t page;
    ht_table_t *table = NULL;
    ht_engine_t *engine = NULL;
    static const struct {
        size_t field;
        uint32_t value;
    } bad[] = {
        {offsetof(ht_page_t, width), 0},
        {offsetof(ht_page_t, width), HT_MAX_WIDTH + 1},
        {offsetof(ht_page_t, inks), 0},
        {offsetof(ht_page_t, inks), HT_MAX_INKS + 1},
        {offsetof(ht_page_t, bits), 0},
        {offsetof(ht_page_t, bits), 12},
        {offsetof(ht_page_t, segment), HT_MIN_SEGMENT - 1},
        {offsetof(ht_page_t, segment), HT_MAX_WIDTH + 1},
        {offsetof(ht_page_t, cells), HT_MIN_CELLS - 1},
        {offsetof(ht_page_t, cells), HT_MAX_CELLS + 1},
        {offsetof(ht_page_t, band), 0},
        {offsetof(ht_page_t, band), HT_MAX_BAND + 1},
        {offsetof(ht_page_t, method), HT_METHODS},
        {offsetof(ht_page_t, across), HT_MAX_DPI + 1},
        {offsetof(ht_page_t, down), HT_MAX_DPI + 1},
        {offsetof(ht_page_t, levels), 1},
        {offsetof(ht_page_t, levels), HT_MAX_LEVELS + 1},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        page = good_page;
        memcpy((char *)&page + bad[i].field, &bad[i].value, 4);
        assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_ERR_ARGUMENT);
    }
    assert_int_equal(ht_engine_open(&engine, "none such", &good_page),
                     HT_ERR_ENGINE);

    assert_int_equal(ht_table_tdfed4(&table), HT_OK);
    page = good_page;
    page.method = HT_FLOYD_STEINBERG; /* has no table to be chosen */
    page.table = table;
    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_ERR_ARGUMENT);
    assert_null(engine);
    ht_table_free(table);
}

TEST(refuses_sizes_that_are_not_valid)
{
    static const struct {
        uint32_t levels, mixed;
        uint16_t area[HT_MAX_LEVELS - 1];
        bool valid;
    } sizes[] = {
        {3, 0, {1, HT_WHOLE_DOT, 0}, true},
        {4, HT_MAX_MIXED, {1, 2, HT_WHOLE_DOT}, true},
        {2, HT_MAX_MIXED + 1, {0, 0, 0}, true}, /* ignored */
        {4, HT_MAX_MIXED + 1, {1, 2, HT_WHOLE_DOT}, false},
        {3, 0, {0, HT_WHOLE_DOT, 0}, false},
        {3, 0, {1, HT_WHOLE_DOT - 1, HT_WHOLE_DOT}, false},
        {3, 0, {HT_WHOLE_DOT, HT_WHOLE_DOT, 0}, false},
        {4, 0, {5000, 5000, HT_WHOLE_DOT}, false},
        {4, 0, {5001, 5000, HT_WHOLE_DOT}, false},
        {4, 0, {5000, 10000, HT_WHOLE_DOT + 1}, false},
        {5, 0, {1, 2, 3, HT_WHOLE_DOT}, true},
        {6, 0, {1, 2, 3, 4, HT_WHOLE_DOT}, true},
        {5, 1, {1, 2, 3, HT_WHOLE_DOT}, false}, /* cannot be mixed */
        {6, HT_MAX_MIXED, {1, 2, 3, 4, HT_WHOLE_DOT}, false},
        {6, 0, {1, 2, 3, 3, HT_WHOLE_DOT}, false},
        {6, 0, {1, 2, 3, HT_WHOLE_DOT, 0}, false},
    };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        ht_page_t page = good_page;
        ht_engine_t *engine = NULL;

        page.levels = sizes[i].levels;
        page.mixed = sizes[i].mixed;
        memcpy(page.area, sizes[i].area, sizeof page.area);
        assert_int_equal(ht_engine_open(&engine, NULL, &page),
                         sizes[i].valid ? HT_OK : HT_ERR_ARGUMENT);
        ht_engine_close(engine);
    }
}

/* Two bits a pixel from three levels on, three from five on. */
TEST(a_row_has_as_many_bytes_as_its_pixels_need)
{
    static const size_t bytes[HT_MAX_LEVELS + 1][3] = {
        [0] = {1, 1, 2}, [2] = {1, 1, 2}, [3] = {1, 2, 3},
        [4] = {1, 2, 3}, [5] = {1, 2, 4}, [6] = {1, 2, 4}};
    static const uint32_t widths[] = {1, 5, 9};

    for (uint32_t levels = 0; levels <= HT_MAX_LEVELS; levels++)
        for (int i = 0; i < 3 && levels != 1; i++) {
            const ht_page_t page = {.width = widths[i], .levels = levels};

            assert_int_equal(ht_row_bytes(&page), bytes[levels][i]);
        }
}

/* The leftmost pixel is in the top bits, and pixels go over the bytes' ends. */
TEST(a_row_s_sizes_are_read_bit_by_bit)
{
    static const uint8_t row[] = {0xa5, 0xc3, 0x0f};
    static const uint8_t threes[] = {5, 1, 3, 4, 1, 4, 1, 7};

    for (uint32_t x = 0; x < 8; x++) {
        assert_int_equal(ht_size_at(row, 2, x), 0xa5 >> (7 - x) & 1);
        assert_int_equal(ht_size_at(row, 4, x), 0xa5c3 >> (14 - 2 * x) & 3);
        assert_int_equal(ht_size_at(row, 6, x), threes[x]);
    }
}

TEST(refuses_curves_that_are_not_valid)
{
    static const struct {
        unsigned sample;
        uint16_t value;
    } bad[] = {{0, 1}, {255, 65534}, {1, 0}, {254, 65535}, {100, 99 * 257 - 1}};
    uint16_t curve[256];
    const uint16_t *curves[] = {curve};
    ht_page_t page = good_page;
    ht_engine_t *engine = NULL;

    page.curves = curves;
    for (size_t i = 0; i <= sizeof bad / sizeof bad[0]; i++) {
        bool valid = i == sizeof bad / sizeof bad[0];

        for (unsigned v = 0; v < 256; v++)
            curve[v] = (uint16_t)(257 * v);
        if (!valid)
            curve[bad[i].sample] = bad[i].value;
        assert_int_equal(ht_curve_valid(curve), valid);
        assert_int_equal(ht_engine_open(&engine, NULL, &page),
                         valid ? HT_OK : HT_ERR_ARGUMENT);
    }
    ht_engine_close(engine);
    page.bits = 16;
    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_ERR_ARGUMENT);
    page.bits = 8;
    curves[0] = NULL;
    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_ERR_ARGUMENT);
}

TEST(refuses_calls_out_of_order)
{
    uint8_t tones[100] = {0}, dots[100];
    int16_t errors[10] = {0};
    uint64_t row;
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(&engine, NULL, &good_page), HT_OK);
    assert_int_equal(ht_engine_take_state(engine, &row, errors),
                     HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_submit(engine, tones, NULL, 0), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_submit(engine, tones, NULL, 5), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_collect(engine, dots, 1), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_submit(engine, tones, NULL, 4), HT_OK);
    assert_int_equal(ht_engine_give_state(engine, 0, errors), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_submit(engine, tones, NULL, 4), HT_OK);
    if (ht_engine_ready(engine) == 8)
        assert_int_equal(ht_engine_submit(engine, tones, NULL, 1),
                         HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_end(engine), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_submit(engine, tones, NULL, 1), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_collect(engine, dots, 8), HT_OK);
    assert_int_equal(ht_engine_ready(engine), 0);
    ht_engine_close(engine);
    ht_engine_close(NULL);
}

TEST(a_state_is_given_once_and_first)
{
    uint8_t tones[10] = {0};
    int16_t errors[10] = {0};
    uint64_t row = 0;
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(&engine, NULL, &good_page), HT_OK);
    assert_int_equal(ht_engine_give_state(engine, HT_MAX_HEIGHT + 1, errors),
                     HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_give_state(engine, UINT64_MAX, errors),
                     HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_give_state(engine, 6, errors), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_give_state(engine, 8, errors), HT_OK);
    assert_int_equal(ht_engine_give_state(engine, 8, errors), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_take_state(engine, &row, errors), HT_OK);
    assert_int_equal(row, 8);
    assert_int_equal(ht_engine_submit(engine, tones, NULL, 1), HT_OK);
    ht_engine_close(engine);
    assert_int_equal(ht_engine_open(&engine, NULL, &good_page), HT_OK);
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_give_state(engine, 0, errors), HT_ERR_ARGUMENT);
    ht_engine_close(engine);
}

TEST(calls_with_a_status_refuse_null)
{
    uint8_t tones[10] = {0}, dots[2];
    uint16_t inked = 1;
    int16_t errors[10] = {0};
    uint64_t row = 0;
    size_t rows = 0;
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(NULL, NULL, &good_page), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_open(&engine, NULL, NULL), HT_ERR_ARGUMENT);
    assert_null(engine);
    assert_int_equal(ht_engine_submit(NULL, tones, NULL, 1), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_submit(NULL, tones, &inked, 1), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_end(NULL), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_collect(NULL, dots, 1), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_take_state(NULL, &row, errors), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_give_state(NULL, 0, errors), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_ready(NULL), 0);
    assert_null(ht_engine_buffer(NULL, &rows));

    assert_int_equal(ht_engine_open(&engine, NULL, &good_page), HT_OK);
    assert_int_equal(ht_engine_give_state(engine, 0, NULL), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_submit(engine, NULL, NULL, 1), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_submit(engine, tones, NULL, 1), HT_OK);
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_null(ht_engine_buffer(engine, &rows));
    assert_int_equal(ht_engine_take_state(engine, NULL, errors),
                     HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_take_state(engine, &row, NULL), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_collect(engine, NULL, 1), HT_ERR_ARGUMENT);
    assert_int_equal(ht_engine_collect(engine, NULL, 0), HT_OK);
    assert_int_equal(ht_engine_collect(engine, dots, 1), HT_OK);
    ht_engine_close(engine);
}

TEST(every_status_has_a_text)
{
    for (int status = HT_OK; status <= HT_ERR_BUSY; status++)
        assert_string_not_equal(ht_status_text((ht_status_t)status),
                                ht_status_text((ht_status_t)-1));
}
