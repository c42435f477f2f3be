/*
 * gpu_sizes.c - accelerators and drops of several sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "test/gpu/gpu_test.h"

/* Few kinds of pages, as OpenCL builds a program for each. */
static const struct {
    ht_method_t method;
    uint32_t inks, bits;
    bool curves;
} kinds[] = {
    {HT_TDFED4, 1, 8, false},           {HT_TDFED4, 4, 8, true},
    {HT_TDFED4, 2, 8, false},           {HT_TDFED4, 6, 16, false},
    {HT_TDFED1, 1, 16, false},          {HT_TDFED1, 3, 8, false},
    {HT_SCREEN, 3, 16, false},          {HT_THRESHOLD, 2, 8, true},
    {HT_FLOYD_STEINBERG, 1, 8, false},  {HT_FLOYD_STEINBERG, 4, 8, true},
    {HT_FLOYD_STEINBERG, 5, 16, false},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* A page of any sizes, one in two of 1..9 columns, and one in five of a single
 * row. */
static ht_page_t page_of_sizes(uint64_t seed, const struct curves *curves,
                               size_t *rows)
{
    uint64_t random = seed;
    ht_page_t page = random_page(&random);

    page.method = kinds[seed % KINDS].method;
    page.inks = kinds[seed % KINDS].inks;
    page.bits = kinds[seed % KINDS].bits;
    page.curves = kinds[seed % KINDS].curves ? curves->of : NULL;
    if (random_below(&random, 2) == 0)
        page.width = 1 + random_below(&random, 9);
    give_sizes(&page, random, HT_MIXED_LEVELS);
    *rows = random_below(&random, 5) ? 1 + random_below(&random, 70) : 1;
    return page;
}

TEST(drops_may_have_several_sizes)
{
    static struct curves curves;

    for (uint64_t seed = 1; seed <= PAGES; seed++) {
        size_t rows;

        make_curves(&curves, seed % CURVE_KINDS, seed);
        ht_page_t page = page_of_sizes(seed, &curves, &rows);
        check_page(ENGINE, NULL, &page, rows, SIZE_MAX, seed);
        check_page(seed % 3 ? ENGINE : "cpu", seed % 3 ? "cpu" : ENGINE, &page,
                   rows, seed % rows, seed);
    }
}

TEST(their_inks_and_state_are_the_reference_s)
{
    static struct curves curves;

    make_curves(&curves, 1, 1);
    for (uint64_t seed = 1; seed <= PAGES / 2; seed++) {
        size_t rows;
        ht_page_t page = page_of_sizes(seed, &curves, &rows);

        page.width = 1 + page.width % 70;
        page.height = 1 + (uint32_t)(seed * rows % 200);
        check_inks(&page, seed);
    }
}

TEST(more_than_three_sizes_are_left_to_the_processor)
{
    ht_page_t page = {.width = 8,
                      .inks = 1,
                      .bits = 8,
                      .band = 8,
                      .levels = HT_MIXED_LEVELS,
                      .area = {1, 2, HT_WHOLE_DOT}};

    EACH_METHOD (method, tones) {
        page.method = method;
        page.levels = HT_MIXED_LEVELS;
        page.area[2] = HT_WHOLE_DOT;
        case_is("%s", ht_method_info(method)->choice);
        if (!engine_can_do(ENGINE, &page))
            continue;
        page.levels++;
        page.area[2] = 3;
        page.area[3] = HT_WHOLE_DOT;
        assert_false(engine_can_do(ENGINE, &page));
        assert_true(engine_can_do("cpu", &page));
    }
}

#ifndef OPENCL
/* Checks pages of so many inks that meet, of all numbers of sizes, mixed or
 * not, with rows in one piece or cut where ends are many; the processor begins
 * them or ends them. Only Floyd-Steinberg is for more than eight inks. */
static void check_meeting_inks(uint32_t inks)
{
    static const uint32_t mixed[] = {0, 8, HT_MAX_MIXED};
    static const ht_method_t methods[] = {HT_TDFED1, HT_TDFED4,
                                          HT_FLOYD_STEINBERG};
    enum { ROWS = 13, MIXED = sizeof mixed / sizeof mixed[0] };
    ht_page_t page = {.width = 71, .inks = inks, .band = 8};

    for (uint32_t i = 0; i < MIXED * (HT_MIXED_LEVELS - 1); i++) {
        const uint64_t seed = inks * 100 + i;
        const uint32_t levels = 2 + i / MIXED;

        page.method = methods[inks > 8 ? 2 : (i / 2 + inks) % 3];
        page.bits = (inks + i) % 2 ? 16 : 8;
        page.segment = i % 4 ? HT_MIN_SEGMENT + i : 0;
        page.levels = 2;
        for (uint64_t any = seed; page.levels < levels; any++)
            give_sizes(&page, any, levels);
        page.mixed = levels > 2 ? mixed[i % MIXED] : 0;
        page.lighter[inks - 1] = (ht_lighter_t){.of = 0, .share = 3000 * i};
        check_page(seed % 2 ? ENGINE : "cpu", seed % 2 ? "cpu" : ENGINE, &page,
                   ROWS, seed / 2 % ROWS, seed);
    }
}

TEST(inks_that_meet_choose_between_sizes)
{
    for (uint32_t inks = 2; inks <= HT_MAX_INKS; inks++)
        check_meeting_inks(inks);
}

/* As they_are_printed_in_a_crowd(). */
TEST(they_have_several_sizes_in_a_crowd)
{
    static struct curves curves;
    ht_page_t other = {
        .method = HT_TDFED4, .width = 8, .inks = 1, .bits = 8, .band = 8};
    ht_engine_t *engine[CROWD];

    make_curves(&curves, 1, 1);
    for (int i = 0; i < CROWD; i++)
        assert_int_equal(ht_engine_open(&engine[i], ENGINE, &other), HT_OK);
    for (uint64_t seed = 1; seed <= PAGES / 2; seed++) {
        size_t rows;
        ht_page_t page = page_of_sizes(seed, &curves, &rows);

        check_page(ENGINE, NULL, &page, rows, SIZE_MAX, seed);
    }
    check_meeting_inks(2);
    check_meeting_inks(4);
    for (int i = 0; i < CROWD; i++)
        ht_engine_close(engine[i]);
}
#endif
