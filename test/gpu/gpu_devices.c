/*
 * gpu_devices.c - CUDA alone: devices that cannot be opened or are dead, how
 * pages share devices and their memory, and which pages go to them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <unistd.h>

#include "halftone/engine.h"
#include "test/gpu/gpu_test.h"

TEST(a_device_that_cannot_be_opened_is_an_error)
{
    ht_page_t page = {
        .method = HT_TDFED4, .width = 8, .inks = 1, .bits = 8, .band = 8};
    ht_engine_t *engine = NULL;

    setenv("HALFTONE_GPU_FAULT", "open", 1);
    assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_ERR_DEVICE);
    setenv("HALFTONE_GPU_FAULT", "begin", 1);
    assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_ERR_DEVICE);
    setenv("HALFTONE_GPU_FAULT", "begin:1", 1);
    page.method = HT_SCREEN;
    assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_ERR_DEVICE);
    page.method = HT_TDFED4;
    check_page(ENGINE, NULL, &page, 30, SIZE_MAX, 1);
    setenv("HALFTONE_GPU_FAULT", "memory", 1);
    assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_ERR_MEMORY);
    unsetenv("HALFTONE_GPU_FAULT");
    page.device_memory = 1000;
    assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_ERR_MEMORY);
}

/* Pages are of shapes that no buffers wait for: another device prints them, or
 * this one with less memory, as if nothing had been. */
TEST(memory_that_is_refused_is_no_trouble_later)
{
    static const char *const faults[] = {"allocate:1", "allocate:2",
                                         "allocate:9"};
    const size_t rows = 50;

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        ht_page_t page = {.method = HT_TDFED4,
                          .width = 333 + (uint32_t)i,
                          .inks = 1,
                          .bits = 8,
                          .band = 20,
                          .height = rows};

        setenv("HALFTONE_GPU_FAULT", faults[i], 1);
        check_page(ENGINE, NULL, &page, rows, SIZE_MAX, i + 1);
        unsetenv("HALFTONE_GPU_FAULT");
    }
}

static unsigned pages_beside(ht_engine_t *const *engines, unsigned count,
                             const ht_engine_t *one)
{
    unsigned beside = 0;

    for (unsigned i = 0; i < count; i++)
        beside +=
            strcmp(ht_engine_device(engines[i]), ht_engine_device(one)) == 0;
    return beside;
}

/* Devices that have been started have the same number of pages, or one more.
 * There is room for pages again where some have ended. */
TEST(pages_go_round_the_devices)
{
    enum { PAGES_OPEN = 24 };
    ht_page_t page = {
        .method = HT_TDFED4, .width = 8, .inks = 1, .bits = 8, .band = 8};
    ht_engine_t *engine[PAGES_OPEN];
    unsigned fewest = PAGES_OPEN, most = 0;

    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < PAGES_OPEN; i++)
            assert_int_equal(ht_engine_open(&engine[i], ENGINE, &page), HT_OK);
        if (turn == 0) {
            sleep(5); /* devices may be on their way */
            for (int i = 0; i < PAGES_OPEN; i++)
                ht_engine_close(engine[i]);
        }
    }
    for (int i = 0; i < PAGES_OPEN; i++) {
        unsigned beside = pages_beside(engine, PAGES_OPEN, engine[i]);
        fewest = beside < fewest ? beside : fewest;
        most = beside > most ? beside : most;
    }
    assert_between(most, fewest, fewest + 1);
#ifdef FAKE
    assert_true(most < PAGES_OPEN);
#endif
    print_message("# %u pages on a device\n", most);
    for (int i = 0; i < PAGES_OPEN; i++)
        ht_engine_close(engine[i]);
}

/* Pages of 1.25 bytes a sample, or of 5.25 with 16 bits, as many as fit on each
 * device: the next one has to wait for their memory. */
TEST(pages_share_the_memory)
{
    static const struct {
        uint32_t bits;
        size_t memory;
        unsigned pages; /* of a device */
    } cases[] = {{8, 4000000, 3}, {16, 11000000, 2}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum { MOST = 64 };
        ht_page_t page = {.method = HT_TDFED4,
                          .width = 1000,
                          .inks = 1,
                          .bits = cases[i].bits,
                          .band = 500,
                          .device_memory = cases[i].memory};
        ht_engine_t *engine[MOST], *more = NULL;
        unsigned count = 0;
        ht_status_t status = HT_OK;

        while (count < MOST && (status = ht_engine_open(&engine[count], ENGINE,
                                                        &page)) == HT_OK)
            count++;
        assert_int_equal(status, HT_ERR_BUSY);
        for (unsigned k = 0; k < count; k++)
            assert_int_equal(pages_beside(engine, count, engine[k]),
                             cases[i].pages);
        assert_int_equal(ht_engine_open(&more, NULL, &page), HT_OK);
        ht_engine_close(more); /* the CPU is as fast for such a page */
        ht_engine_close(engine[--count]);
        assert_int_equal(ht_engine_open(&engine[count++], ENGINE, &page),
                         HT_OK);
        while (count > 0)
            ht_engine_close(engine[--count]);
    }
}

/* In a crowd of pages other kernels run than for a page alone. One page more
 * than a device takes goes to another. */
TEST(pages_in_a_crowd_are_the_reference_s)
{
    ht_page_t page = {
        .method = HT_TDFED4, .width = 8, .inks = 1, .bits = 8, .band = 8};
    ht_engine_t *engine[CROWD + 1];

    for (int i = 0; i <= CROWD; i++) {
        assert_int_equal(ht_engine_open(&engine[i], ENGINE, &page), HT_OK);
        if (i >= CROWD - 1)
            check_pages(ENGINE, NULL, false, PAGES + i * PAGES, PAGES / 2);
    }
    for (int i = 0; i <= CROWD; i++)
        ht_engine_close(engine[i]);
}

/* The built-in table with its errors at a column where no kernel puts any. */
static ht_table_t *table_that_reaches(int column)
{
    ht_tone_t tones[HT_TONES];
    ht_table_t *builtin = NULL, *table = NULL;

    assert_int_equal(ht_table_load(&builtin, DATA "/tdfed-4row.table", NULL),
                     HT_OK);
    memcpy(tones, ht_table_tones(builtin), sizeof tones);
    ht_table_free(builtin);
    tones[7].weight[3] += tones[7].weight[1] - 0.01;
    tones[7].weight[1] = 0.01;
    tones[7].column[1] = column;
    assert_int_equal(ht_table_new(&table, tones, NULL, NULL), HT_OK);
    return table;
}

TEST(the_choice_is_explained)
{
    ht_page_t page = {.method = HT_TDFED4,
                      .width = 5000,
                      .inks = 4,
                      .bits = 8,
                      .segment = 256,
                      .band = 64,
                      .threads = 1};
    const ht_page_t far = page;
    static struct curves curves;
    ht_engine_t *engine;

    assert_true(gpu_is_usable()); /* and now it has been started */
    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
    assert_string_equal(ht_engine_name(engine), ENGINE);
    assert_string_equal(ht_engine_why(engine),
                        "the GPU is faster for such a page");
    ht_engine_close(engine);
    page.width = 100;
    page.inks = 1;
    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
    assert_string_not_equal(ht_engine_name(engine), ENGINE);
    assert_string_equal(ht_engine_why(engine),
                        "the CPU is as fast for such a page");
    ht_engine_close(engine);
    page.width = 5000;
    page.inks = 4;
    setenv("HALFTONE_GPU_FAULT", "open", 1);
    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
    assert_string_not_equal(ht_engine_name(engine), ENGINE);
    assert_string_equal(ht_engine_why(engine), "the GPU could not be used");
    ht_engine_close(engine);
    unsetenv("HALFTONE_GPU_FAULT");
    make_curves(&curves, 0, 1);
    page.method = HT_THRESHOLD;
    page.curves = curves.of;
    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
    assert_string_equal(ht_engine_why(engine),
                        "the CPU is as fast for such a page");
    ht_engine_close(engine);
    page = far;
    page.table = table_that_reaches(-HT_REACH);
    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
    assert_string_equal(ht_engine_why(engine), "no GPU here does such a page");
    ht_engine_close(engine);
    ht_table_free((ht_table_t *)page.table);
}

#ifdef FAKE
/* A dead device does not end its kernels when told to: the page goes on, others
 * go to other devices, and nothing waits for it again. Comes last. */
TEST(a_device_that_is_dead_is_left_alone)
{
    static uint8_t samples[40 * 64], dots[40 * 8];
    ht_page_t page = {
        .method = HT_TDFED4, .width = 64, .inks = 1, .bits = 8, .band = 40};
    ht_engine_t *first, *second, *third;

    assert_true(ht_module()->rest());
    assert_int_equal(ht_engine_open(&first, ENGINE, &page), HT_OK);
    setenv("HALFTONE_GPU_FAULT", "dead", 1);
    assert_int_equal(ht_engine_submit(first, samples, NULL, 40), HT_OK);
    assert_int_equal(ht_engine_end(first), HT_OK);
    assert_int_equal(ht_engine_collect(first, dots, 40), HT_OK);
    assert_non_null(strstr(ht_engine_trouble(first), "no answer"));

    /* A page that is closed before anybody has waited for it. */
    assert_int_equal(ht_engine_open(&second, ENGINE, &page), HT_OK);
    assert_string_not_equal(ht_engine_device(second), ht_engine_device(first));
    setenv("HALFTONE_GPU_FAULT", "dead:1", 1);
    assert_int_equal(ht_engine_submit(second, samples, NULL, 40), HT_OK);
    unsetenv("HALFTONE_GPU_FAULT");
    ht_engine_close(second);

    assert_int_equal(ht_engine_open(&third, ENGINE, &page), HT_OK);
    assert_string_not_equal(ht_engine_device(third), ht_engine_device(first));
    ht_engine_close(third);
    ht_engine_close(first);
    assert_false(ht_module()->rest());
}
#endif
