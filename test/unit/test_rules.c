/*
 * test_rules.c - tables with rules for inks together, without, and with any
 * weights: bands, states that are handed over, and what the rules of a pixel
 * are for. The reference's bits are checked by test_answers.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "test/cases.h"
#include "test/unit/pages.h"

static ht_table_t *load(const char *path)
{
    ht_table_t *table = NULL;

    assert_int_equal(ht_table_load(&table, path, NULL), HT_OK);
    return table;
}

/* Halftones rows 0..rows-1 of a page, to its end or not, and returns the error
 * line of ink 0 behind the last row that is ready, whose number is *row. */
static int64_t error_after(const ht_page_t *page, const uint8_t *samples,
                           size_t rows, bool end, uint8_t *dots, uint64_t *row)
{
    ht_engine_t *engine = NULL;
    int64_t sum = 0;

    assert_int_equal(ht_engine_open(&engine, "reference", page), HT_OK);
    assert_int_equal(ht_engine_submit(engine, samples, NULL, rows), HT_OK);
    if (end)
        assert_int_equal(ht_engine_end(engine), HT_OK);
    size_t count = ht_engine_state_lines(engine) * page->width;
    int16_t *errors = calloc(count, sizeof *errors);
    assert_non_null(errors);
    assert_int_equal(ht_engine_collect(engine, dots, ht_engine_ready(engine)),
                     HT_OK);
    assert_int_equal(ht_engine_take_state(engine, row, errors), HT_OK);
    for (uint32_t x = 0; x < page->width; x++)
        sum += errors[x];
    free(errors);
    ht_engine_close(engine);
    return sum;
}

/* On a page without white or solid pixels. */
TEST(ink_is_conserved_to_the_last_unit)
{
    enum { WIDTH = 200, ROWS = 40, FIRST = 9 };
    ht_table_t *table = load(DATA "/tdfed-4row.table");
    ht_page_t page = {.table = table,
                      .width = WIDTH,
                      .inks = 4,
                      .bits = 8,
                      .segment = 64,
                      .band = ROWS};
    uint8_t *samples =
        make_samples(NOISE, WIDTH, ROWS, page.inks, page.bits, 7);
    uint8_t *dots = calloc(ROWS, dot_row_bytes(&page));
    uint64_t first, last;
    int64_t tones = 0;

    assert_non_null(dots);
    for (size_t i = 0; i < (size_t)ROWS * page.inks * WIDTH; i++)
        samples[i] = (uint8_t)(60 + samples[i] / 2);
    int64_t before = error_after(&page, samples, FIRST, false, dots, &first);
    int64_t after = error_after(&page, samples, ROWS, true, dots, &last);
    assert_int_equal(first, FIRST - 1); /* one waits for the row below it */
    assert_int_equal(last, ROWS);
    for (size_t y = first; y < last; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            tones += ht_tone_of(samples[y * page.inks * WIDTH + x], 255);
    uint64_t count =
        count_dots(&page, dots, 0, (size_t)first, (size_t)last, 0, WIDTH);
    assert_int_equal(before + tones, after + (int64_t)(HT_ONE * count));
    free(dots);
    free(samples);
    ht_table_free(table);
}

/* A rule of one pixel on white, of `tone`, every eighth row or column. */
TEST(thin_lines_keep_their_ink)
{
    enum { WIDTH = 1024, ROWS = 512, APART = 8 };

    EACH_METHOD (method, diffuses)
        for (int i = 0; i < 8; i++) {
            bool upright = i % 2;
            int tone = 13 + 30 * (i / 2);
            ht_page_t page = {.method = method,
                              .width = WIDTH,
                              .inks = 1,
                              .bits = 8,
                              .segment = HT_DEFAULT_SEGMENT,
                              .band = ROWS};
            uint8_t *samples = calloc(ROWS, WIDTH);
            uint8_t *dots = calloc(ROWS, WIDTH / 8);

            assert_true(samples != NULL && dots != NULL);
            for (int k = 0; k < WIDTH * ROWS; k++)
                if ((upright ? k % WIDTH : k / WIDTH) % APART == APART / 2)
                    samples[k] = (uint8_t)tone;
            reference_page(&page, samples, ROWS, dots);
            const int inked = WIDTH * ROWS / APART;
            double wanted = inked * tone / 255.0;
            double ink = (double)count_dots(&page, dots, 0, 0, ROWS, 0, WIDTH);

            case_is("%s, tone %d", ht_method_info(method)->name, tone);
            assert_true(ink > 0.9 * wanted && ink < 1.1 * wanted);
            free(samples);
            free(dots);
        }
}
