/*
 * test_own_tables.c - the method's own table by the shape of a page's pixels:
 * the dots are those of the same page with the table's file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <limits.h>

#include "halftone/definition.h"
#include "test/cases.h"
#include "test/unit/pages.h"

enum { WIDTH = 150, ROWS = 40, INKS = 3 };

static const ht_page_t plain = {
    .width = WIDTH, .inks = INKS, .bits = 8, .segment = 64, .band = 9};

static const struct {
    uint32_t across, down;
    const char *table; /* of HT_TDFED4 */
} shapes[] = {
    {720, 360, "tdfed-4row-2x1"}, {600, 400, "tdfed-4row-2x1"},
    {600, 401, "tdfed-4row"},     {HT_MAX_DPI, 1, "tdfed-4row-2x1"},
    {360, 720, "tdfed-4row-1x2"}, {400, 600, "tdfed-4row-1x2"},
    {401, 600, "tdfed-4row"},     {1, HT_MAX_DPI, "tdfed-4row-1x2"},
    {600, 600, "tdfed-4row"},     {0, 0, "tdfed-4row"},
    {720, 0, "tdfed-4row"},       {0, 720, "tdfed-4row"},
};

#define SHAPES (sizeof shapes / sizeof shapes[0])

/* Prints the page with an engine and, with the file of the table, with the
 * reference. */
static void check_dots(const char *engine, const ht_page_t *page,
                       const char *file, const uint8_t *samples)
{
    const size_t bytes = ROWS * dot_row_bytes(page);
    uint8_t *got = poisoned(bytes), *wanted = poisoned(bytes);
    ht_page_t named = *page;
    ht_table_t *table = NULL;
    char path[PATH_MAX];

    snprintf(path, sizeof path, DATA "/%s.table", file);
    assert_int_equal(ht_table_load(&table, path, NULL), HT_OK);
    named.table = table;
    named.across = named.down = 0;
    halftone_page(engine, engine, page, samples, ROWS, ROWS / 2, 3, got);
    reference_page(&named, samples, ROWS, wanted);
    compare_dots(engine, page, ROWS, 0, got, wanted);
    ht_table_free(table);
    free(got);
    free(wanted);
}

TEST(the_shape_chooses_the_table)
{
    uint8_t *samples = make_samples(NOISE, WIDTH, ROWS, INKS, 8, 5);

    for (size_t i = 0; i < SHAPES; i++) {
        ht_page_t page = plain;

        page.across = shapes[i].across;
        page.down = shapes[i].down;
        assert_string_equal(ht_table_name(&page), shapes[i].table);
        check_dots("reference", &page, shapes[i].table, samples);
        check_dots("cpu", &page, shapes[i].table, samples);
    }
    free(samples);
}

TEST(close_sizes_that_are_not_mixed_have_a_table)
{
    uint8_t *samples = make_samples(NOISE, WIDTH, ROWS, INKS, 8, 5);
    ht_page_t page = plain;

    page.levels = 3;
    page.area[0] = HT_WHOLE_DOT / 2 - 1;
    page.area[1] = HT_WHOLE_DOT;
    assert_string_equal(ht_table_name(&page), "tdfed-4row");
    page.area[0] = HT_WHOLE_DOT / 2;
    assert_string_equal(ht_table_name(&page), "tdfed-4row-drops");
    check_dots("cpu", &page, "tdfed-4row-drops", samples);
    page.mixed = 4;
    assert_string_equal(ht_table_name(&page), "tdfed-4row");
    page.mixed = 0;
    page.across = 720;
    page.down = 360;
    assert_string_equal(ht_table_name(&page), "tdfed-4row-2x1");
    free(samples);
}

TEST(other_methods_have_one_table_or_none)
{
    uint8_t *samples = make_samples(NOISE, WIDTH, ROWS, INKS, 8, 6);
    ht_page_t page = plain;

    page.across = 720;
    page.down = 360;
    page.method = HT_TDFED1;
    assert_string_equal(ht_table_name(&page), "tdfed-1row");
    check_dots("cpu", &page, "tdfed-1row", samples);
    for (ht_method_t m = HT_FLOYD_STEINBERG; m < HT_METHODS; m++) {
        page.method = m;
        assert_null(ht_table_name(&page));
    }
    free(samples);
}

TEST(a_table_of_the_caller_is_taken_whatever_the_shape)
{
    uint8_t *samples = make_samples(NOISE, WIDTH, ROWS, INKS, 8, 7);
    ht_page_t page = plain;
    ht_table_t *table = NULL;

    assert_int_equal(ht_table_load(&table, DATA "/square.table", NULL), HT_OK);
    page.table = table;
    page.across = 720;
    page.down = 360;
    check_dots("cpu", &page, "square", samples);
    ht_table_free(table);
    free(samples);
}
