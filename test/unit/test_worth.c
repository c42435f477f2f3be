/*
 * test_worth.c - for which pages a GPU is worth it, by estimates alone: where
 * neither it nor the CPU waits for the input, and it is clearly faster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "gpu/cuda/worth.h"
#include "halftone/definition.h"
#include "test/cases.h"

/* Without rules for inks together. */
static const ht_table_t apart;

/* A4 at 600 dpi, whose inks do not meet. */
static ht_page_t sheet(ht_method_t method, uint32_t inks, uint32_t segment)
{
    return (ht_page_t){.method = method,
                       .table = &apart,
                       .width = 4960,
                       .inks = inks,
                       .bits = 8,
                       .segment = segment,
                       .band = 50,
                       .height = 7016};
}

/* On so many processors, which nobody else wants. */
static double gain(ht_page_t page, unsigned pages, unsigned processors)
{
    const struct ht_gpu_load load = {processors, processors, 0};

    return ht_gpu_gain(&page, pages, &load);
}

static double gain_under(unsigned allowed, unsigned online, unsigned others)
{
    const ht_page_t page = sheet(HT_TDFED4, 4, 256);
    const struct ht_gpu_load load = {allowed, online, others};

    return ht_gpu_gain(&page, 1, &load);
}

/* Four threads or five are as fast as the input, two are not. */
TEST(segments_pay_where_processors_are_few)
{
    const ht_page_t page = sheet(HT_TDFED4, 4, 256);

    assert_true(gain(page, 1, 1) > 0.05);
    assert_true(gain(page, 1, 2) > 0.02);
    assert_true(gain(page, 1, 1) > gain(page, 1, 2));
    assert_true(gain(page, 1, 4) == 0);
    assert_true(gain(page, 1, 64) == 0);
}

TEST(threads_that_the_caller_rules_out_do_not_count)
{
    ht_page_t page = sheet(HT_TDFED4, 4, 256);

    page.threads = 1;
    assert_true(gain(page, 1, 64) == gain(page, 1, 1));
    page.threads = 64;
    assert_true(gain(page, 1, 1) > 0);
}

/* A row has to have four segments for each thread. */
TEST(nor_do_those_that_have_no_segments)
{
    ht_page_t page = sheet(HT_TDFED4, 4, 1240);

    assert_true(gain(page, 1, 64) == gain(page, 1, 1));
    page.segment = 619;
    assert_true(gain(page, 1, 64) < gain(page, 1, 1));
}

/* A GPU takes as long as the CPU for one, and no longer for eight. */
TEST(unbroken_rows_pay_if_there_are_several_pages)
{
    ht_page_t page = sheet(HT_TDFED4, 4, 0);

    assert_true(gain(page, 1, 1) == 0);
    assert_true(gain(page, 2, 64) > 0.05);
    assert_true(gain(page, 8, 64) > gain(page, 2, 64));
    assert_true(gain(page, 8, 1) == gain(page, 8, 64));
    page.segment = page.width; /* no cut */
    assert_true(gain(page, 8, 1) == gain(sheet(HT_TDFED4, 4, 0), 8, 1));
    page.height = 0; /* the engine keeps a few rows of each */
    assert_true(gain(page, 8, 1) == 0);
}

/* Inks that meet take both, the GPU and the CPU, twice as long; a page's
 * own table, if it has none yet, lets them. */
TEST(inks_that_meet_pay_where_processors_are_few)
{
    ht_page_t page = sheet(HT_TDFED4, 4, 128);

    page.table = NULL;
    assert_true(gain(page, 1, 1) > gain(sheet(HT_TDFED4, 4, 128), 1, 1));
    assert_true(gain(page, 1, 3) > 0.02);
    assert_true(gain(page, 1, 9) == 0);
    page.inks = 1;
    assert_true(gain(page, 1, 1) == gain(sheet(HT_TDFED4, 1, 128), 1, 1));
    page = sheet(HT_TDFED4, 4, 0);
    page.table = NULL;
    assert_true(gain(page, 1, 1) == 0);
    assert_true(gain(page, 8, 64) > 0.05);
}

TEST(the_gain_is_of_the_whole_page)
{
    ht_page_t page = sheet(HT_TDFED4, 4, 256);
    double once = gain(page, 1, 1);

    page.height *= 2;
    assert_true(gain(page, 1, 1) > 1.99 * once);
    page.height = page.width;
    once = gain(page, 1, 1);
    page.height = 0;
    assert_true(gain(page, 1, 1) == once);
}

TEST(what_does_not_diffuse_pays_never)
{
    assert_true(gain(sheet(HT_THRESHOLD, 4, 0), 8, 1) == 0);
}

/* Launches of the rows that have come do not overlap, and each takes as long as
 * its rows are wide: of inks alone the CPU is as fast. */
TEST(floyd_steinberg_pays_where_inks_meet)
{
    ht_page_t page = sheet(HT_FLOYD_STEINBERG, 4, 0);

    assert_true(gain(page, 1, 16) == 0);
    page.table = NULL; /* the method's inks meet */
    assert_true(gain(page, 1, 16) > 0);
    page.inks = 1;
    assert_true(gain(page, 1, 16) == 0);
}

TEST(narrow_pages_do_not_pay)
{
    ht_page_t page = sheet(HT_TDFED4, 1, 256);

    page.width = 200;
    assert_true(gain(page, 1, 1) == 0);
}

TEST(pages_that_outlast_their_input_are_known)
{
    ht_page_t unbroken = sheet(HT_TDFED4, 4, 0), cut = sheet(HT_TDFED4, 4, 256);

    assert_true(ht_gpu_slower_than_input(&unbroken));
    assert_false(ht_gpu_slower_than_input(&cut));
}

/* Threads get equal shares: a page that loses three of its five processors
 * waits for them, but on a machine that is far too small for all, its input
 * comes more slowly, too. */
TEST(others_take_their_share)
{
    assert_true(gain_under(16, 16, 0) == 0);
    assert_true(gain_under(16, 16, 11) == 0);
    assert_true(gain_under(2, 2, 0) > 0);
    assert_true(gain_under(2, 2, 2) > gain_under(2, 2, 0));
    assert_true(gain_under(2, 64, 9) == gain_under(2, 64, 0));
    assert_true(gain_under(2, 64, 640) > gain_under(2, 64, 0));
    assert_true(gain_under(16, 16, 60) == 0);
}

TEST(the_machine_has_processors)
{
    struct ht_gpu_load load = ht_gpu_load_now();

    assert_between(load.allowed, 1, load.online);
}

/* Several sizes take both the CPU and the GPU longer, and by Floyd-Steinberg
 * more so the GPU. */
TEST(several_sizes_take_longer)
{
    ht_page_t page = sheet(HT_TDFED4, 4, 256);
    const double whole = gain(page, 1, 1);

    page.levels = 2;
    assert_true(gain(page, 1, 1) == whole);
    page.levels = 4;
    assert_true(gain(page, 1, 1) > whole);
    assert_true(gain(page, 1, 64) == 0);
    page.method = HT_FLOYD_STEINBERG;
    page.segment = 0;
    assert_true(gain(page, 1, 1) == 0);
    page.levels = 2;
    assert_true(gain(page, 8, 1) > 0);
}
