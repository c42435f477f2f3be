/*
 * gpu_devices.c - how the CUDA engine takes the failure of a device, and how
 * pages share devices and their memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "halftone/engine.h"
#include "test/unit/between.h"
#include "test/gpu/gpu_test.h"
#include "test/unit/pages.h"

/* Makes the reference's dots, and returns the state behind them. */
static int16_t *by_the_reference(const ht_page_t *page, const void *samples,
                                 size_t rows, uint8_t *dots, size_t *lines)
{
    ht_page_t whole = *page;
    ht_engine_t *engine;

    whole.band = rows;
    assert_int_equal(ht_engine_open(&engine, "reference", &whole), HT_OK);
    assert_int_equal(ht_engine_submit(engine, samples, NULL, rows), HT_OK);
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_collect(engine, dots, rows), HT_OK);
    int16_t *state = state_behind(engine, page, rows, lines);
    ht_engine_close(engine);
    return state;
}

/* Prints a page of several launches whose device fails at `fault`. */
static void fail_at(const char *fault, ht_method_t method)
{
    ht_page_t page = {.method = method,
                      .width = 300 / SHRINK,
                      .inks = 3,
                      .bits = 8,
                      .segment = 64,
                      .band = 40};
    const size_t rows = 243;
    uint8_t *samples = make_samples(NOISE, page.width, rows, page.inks, 8, 7);
    size_t row_bytes = dot_row_bytes(&page), taken = 0, done = 0;
    uint8_t *got = poisoned(rows * row_bytes);
    uint8_t *wanted = poisoned(rows * row_bytes);
    size_t lines;
    int16_t *right = by_the_reference(&page, samples, rows, wanted, &lines);
    ht_engine_t *engine;

    setenv("HALFTONE_GPU_FAULT", fault, 1);
    assert_int_equal(ht_engine_open(&engine, "cuda", &page), HT_OK);
    while (done < rows) {
        size_t band = rows - done < 40 ? rows - done : 40;
        size_t ready = ht_engine_ready(engine);

        if (ready > 40) {
            assert_int_equal(
                ht_engine_collect(engine, got + taken * row_bytes, ready - 3),
                HT_OK);
            taken += ready - 3;
        }
        assert_int_equal(
            ht_engine_submit(engine, samples + done * page.inks * page.width,
                             NULL, band),
            HT_OK);
        done += band;
    }
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_ready(engine), rows - taken);
    assert_int_equal(
        ht_engine_collect(engine, got + taken * row_bytes, rows - taken),
        HT_OK);
    assert_non_null(ht_engine_trouble(engine));
    print_message("%s: %s\n", fault, ht_engine_trouble(engine));
    int16_t *left = state_behind(engine, &page, rows, &lines);
    ht_engine_close(engine);
    unsetenv("HALFTONE_GPU_FAULT");
    compare_dots("cuda", &page, rows, 7, got, wanted);
    compare_state("cuda", &page, rows, 7, left, right, lines);
    free(samples);
    free(got);
    free(wanted);
    free(left);
    free(right);
}

void a_page_outlives_the_device(void **state)
{
    static const char *const faults[] = {"launch:1", "launch:2", "launch:4",
                                         "copy:1",   "copy:2",   "copy:3",
                                         "hang:1",   "hang:3"};

    (void)state;
    for (ht_method_t method = HT_TDFED4; method < HT_METHODS; method++)
        for (size_t i = 0; i < sizeof faults / sizeof faults[0];
             i += FAULT_STEP)
            fail_at(faults[i], method);
    assert_true(gpu_is_usable());
}

void a_device_that_cannot_be_opened_is_an_error(void **state)
{
    ht_page_t page = {
        .method = HT_TDFED4, .width = 8, .inks = 1, .bits = 8, .band = 8};
    ht_engine_t *engine = NULL;

    (void)state;
    setenv("HALFTONE_GPU_FAULT", "open", 1);
    assert_int_equal(ht_engine_open(&engine, "cuda", &page), HT_ERR_DEVICE);
    setenv("HALFTONE_GPU_FAULT", "begin", 1);
    assert_int_equal(ht_engine_open(&engine, "cuda", &page), HT_ERR_DEVICE);
    setenv("HALFTONE_GPU_FAULT", "begin:1", 1);
    page.method = HT_SCREEN;
    assert_int_equal(ht_engine_open(&engine, "cuda", &page), HT_ERR_DEVICE);
    page.method = HT_TDFED4;
    check_page("cuda", NULL, &page, 30, SIZE_MAX, 1);
    setenv("HALFTONE_GPU_FAULT", "memory", 1);
    assert_int_equal(ht_engine_open(&engine, "cuda", &page), HT_ERR_MEMORY);
    unsetenv("HALFTONE_GPU_FAULT");
    page.device_memory = 1000;
    assert_int_equal(ht_engine_open(&engine, "cuda", &page), HT_ERR_MEMORY);
}

/* Pages are of shapes that no buffers wait for: another device prints them, or
 * this one with less memory, as if nothing had been. */
void memory_that_is_refused_is_no_trouble_later(void **state)
{
    static const char *const faults[] = {"allocate:1", "allocate:2",
                                         "allocate:9"};
    const size_t rows = 50;

    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        ht_page_t page = {.method = HT_TDFED4,
                          .width = 333 + (uint32_t)i,
                          .inks = 1,
                          .bits = 8,
                          .band = 20,
                          .height = rows};

        setenv("HALFTONE_GPU_FAULT", faults[i], 1);
        check_page("cuda", NULL, &page, rows, SIZE_MAX, i + 1);
        unsetenv("HALFTONE_GPU_FAULT");
    }
}

#ifdef FAKE
/* A dead device does not end its kernels when told to: the page goes on, others
 * go to other devices, and nothing waits for it again. Comes last. */
void a_device_that_is_dead_is_left_alone(void **state)
{
    static uint8_t samples[40 * 64], dots[40 * 8];
    ht_page_t page = {
        .method = HT_TDFED4, .width = 64, .inks = 1, .bits = 8, .band = 40};
    ht_engine_t *first, *second, *third;

    (void)state;
    assert_true(ht_module()->rest());
    assert_int_equal(ht_engine_open(&first, "cuda", &page), HT_OK);
    setenv("HALFTONE_GPU_FAULT", "dead", 1);
    assert_int_equal(ht_engine_submit(first, samples, NULL, 40), HT_OK);
    assert_int_equal(ht_engine_end(first), HT_OK);
    assert_int_equal(ht_engine_collect(first, dots, 40), HT_OK);
    assert_non_null(strstr(ht_engine_trouble(first), "no answer"));

    /* A page that is closed before anybody has waited for it. */
    assert_int_equal(ht_engine_open(&second, "cuda", &page), HT_OK);
    assert_string_not_equal(ht_engine_device(second), ht_engine_device(first));
    setenv("HALFTONE_GPU_FAULT", "dead:1", 1);
    assert_int_equal(ht_engine_submit(second, samples, NULL, 40), HT_OK);
    unsetenv("HALFTONE_GPU_FAULT");
    ht_engine_close(second);

    assert_int_equal(ht_engine_open(&third, "cuda", &page), HT_OK);
    assert_string_not_equal(ht_engine_device(third), ht_engine_device(first));
    ht_engine_close(third);
    ht_engine_close(first);
    assert_false(ht_module()->rest());
}
#endif

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
void pages_go_round_the_devices(void **state)
{
    enum { PAGES_OPEN = 24 };
    ht_page_t page = {
        .method = HT_TDFED4, .width = 8, .inks = 1, .bits = 8, .band = 8};
    ht_engine_t *engine[PAGES_OPEN];
    unsigned fewest = PAGES_OPEN, most = 0;

    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < PAGES_OPEN; i++)
            assert_int_equal(ht_engine_open(&engine[i], "cuda", &page), HT_OK);
        if (turn == 0) {
            sleep(1); /* devices may be on their way */
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
void pages_share_the_memory(void **state)
{
    static const struct {
        uint32_t bits;
        size_t memory;
        unsigned pages; /* of a device */
    } cases[] = {{8, 4000000, 3}, {16, 11000000, 2}};

    (void)state;
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

        while (count < MOST && (status = ht_engine_open(&engine[count], "cuda",
                                                        &page)) == HT_OK)
            count++;
        assert_int_equal(status, HT_ERR_BUSY);
        for (unsigned k = 0; k < count; k++)
            assert_int_equal(pages_beside(engine, count, engine[k]),
                             cases[i].pages);
        assert_int_equal(ht_engine_open(&more, NULL, &page), HT_OK);
        ht_engine_close(more); /* the CPU is as fast for such a page */
        ht_engine_close(engine[--count]);
        assert_int_equal(ht_engine_open(&engine[count++], "cuda", &page),
                         HT_OK);
        while (count > 0)
            ht_engine_close(engine[--count]);
    }
}
