/*
 * gpu_tables.c - accelerators and tables that are given.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "test/gpu/gpu_test.h"

/* With rules for inks together, but for the last one. */
static const char *const tables[] = {
    DATA "/tdfed-4row.table", DATA "/tdfed-4row-2x1.table",
    DATA "/tdfed-1row.table", TESTS "/together.table", TESTS "/alone.table"};

enum { TABLES = sizeof tables / sizeof tables[0] };

static ht_table_t *load(const char *path)
{
    ht_table_t *table = NULL;

    assert_int_equal(ht_table_load(&table, path, NULL), HT_OK);
    return table;
}

/* A page with one of these, or with the method's own for its pixels; free its
 * table. */
static ht_page_t page_with_table(uint64_t seed, size_t *rows)
{
    uint64_t random = seed;
    ht_page_t page = random_page(&random);

    page.method = seed % 4 == 3 ? HT_TDFED1 : HT_TDFED4;
    if (seed % 5 > 0)
        page.table = load(tables[random_below(&random, TABLES)]);
    page.across = 720;
    page.down = seed % 2 ? 360 : 720;
    *rows = 1 + random_below(&random, 50);
    return page;
}

TEST(pages_with_tables_too)
{
    for (uint64_t seed = 1; seed <= PAGES; seed++) {
        size_t rows;
        ht_page_t page = page_with_table(seed, &rows);

        check_page(ENGINE, NULL, &page, rows, SIZE_MAX, seed);
        ht_table_free((ht_table_t *)page.table);
    }
}

TEST(their_state_is_handed_over)
{
    for (uint64_t seed = 1; seed <= PAGES / 2; seed++) {
        size_t rows;
        ht_page_t page = page_with_table(seed, &rows);

        check_page(ENGINE, "reference", &page, rows, seed % rows, seed);
        check_page("reference", ENGINE, &page, rows, seed % rows, seed);
        ht_table_free((ht_table_t *)page.table);
    }
}

TEST(they_have_curves_too)
{
    static struct curves curves;

    for (uint64_t seed = 1; seed <= PAGES / 4; seed++) {
        size_t rows;
        ht_page_t page = page_with_table(seed, &rows);

        make_curves(&curves, seed % CURVE_KINDS, seed);
        page.bits = 8;
        page.curves = curves.of;
        check_page(ENGINE, NULL, &page, rows, SIZE_MAX, seed);
        ht_table_free((ht_table_t *)page.table);
    }
}

TEST(their_inks_come_and_go)
{
    for (uint64_t seed = 1; seed <= PAGES / 2; seed++) {
        size_t rows;
        ht_page_t page = page_with_table(seed, &rows);
        uint64_t random = seed;

        page.height = 1 + random_below(&random, 200);
        check_inks(&page, seed);
        ht_table_free((ht_table_t *)page.table);
    }
}

/* A row is ready when the one below it is known. */
TEST(a_row_waits_for_the_one_below)
{
    ht_table_t *table = load(tables[0]);
    ht_page_t page = {.method = HT_TDFED4,
                      .table = table,
                      .width = 50,
                      .inks = 2,
                      .bits = 8,
                      .band = 8};
    uint8_t *samples = make_samples(NOISE, 50, 8, 2, 8, 1);
    ht_engine_t *engine;

    assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_OK);
    assert_int_equal(ht_engine_submit(engine, samples, NULL, 4), HT_OK);
    assert_int_equal(ht_engine_ready(engine), 0);
    assert_int_equal(ht_engine_submit(engine, samples, NULL, 1), HT_OK);
    assert_int_equal(ht_engine_ready(engine), 4);
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_ready(engine), 5);
    ht_engine_close(engine);
    free(samples);
    ht_table_free(table);
}

#ifndef OPENCL
TEST(they_are_printed_in_a_crowd)
{
    ht_page_t other = {
        .method = HT_TDFED4, .width = 8, .inks = 1, .bits = 8, .band = 8};
    ht_engine_t *engine[CROWD + 1];

    for (int i = 0; i <= CROWD; i++) {
        assert_int_equal(ht_engine_open(&engine[i], ENGINE, &other), HT_OK);
        for (uint64_t seed = 1; i >= CROWD - 1 && seed <= PAGES / 4; seed++) {
            size_t rows;
            ht_page_t page = page_with_table(seed + i * PAGES, &rows);

            check_page(ENGINE, NULL, &page, rows, SIZE_MAX, seed);
            ht_table_free((ht_table_t *)page.table);
        }
    }
    for (int i = 0; i <= CROWD; i++)
        ht_engine_close(engine[i]);
}

TEST(tables_that_no_kernel_suits_are_refused)
{
    ht_table_t *table = load(TESTS "/hostile.table");
    ht_page_t page = {.method = HT_TDFED4,
                      .table = table,
                      .width = 50,
                      .inks = 2,
                      .bits = 8,
                      .band = 8};

    assert_false(engine_can_do(ENGINE, &page));
    ht_table_free(table);
}
#endif
