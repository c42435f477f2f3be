/*
 * gpu_failures.c - devices that fail in a page: the CPU goes on with it, and
 * every row that was said to be ready comes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "test/gpu/gpu_test.h"

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
                      .across = 720,
                      .down = 360,
                      .band = 40};
    const size_t rows = 243;
    uint8_t *samples = make_samples(NOISE, page.width, rows, page.inks, 8, 7);
    size_t row_bytes = dot_row_bytes(&page), taken = 0, done = 0;
    uint8_t *got = poisoned(rows * row_bytes);
    uint8_t *wanted = poisoned(rows * row_bytes);
    size_t lines;
    int16_t *right = by_the_reference(&page, samples, rows, wanted, &lines);
    ht_engine_t *engine;

    /* The device has been started, and an OpenCL program tested. */
    check_page(ENGINE, NULL, &page, 1, SIZE_MAX, 0);
    setenv("HALFTONE_GPU_FAULT", fault, 1);
    assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_OK);
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
    compare_dots(ENGINE, &page, rows, 7, got, wanted);
    compare_state(ENGINE, &page, rows, 7, left, right, lines);
    free(samples);
    free(got);
    free(wanted);
    free(left);
    free(right);
}

TEST(a_page_outlives_the_device)
{
    static const char *const faults[] = {"launch:1", "launch:2", "launch:4",
                                         "copy:1",   "copy:2",   "copy:3",
#ifndef OPENCL /* where that is for good */
                                         "hang:1",   "hang:3"
#endif
    };

    for (ht_method_t method = HT_TDFED4; method < HT_METHODS; method++)
        for (size_t i = 0; i < sizeof faults / sizeof faults[0];
             i += FAULT_STEP)
            fail_at(faults[i], method);
    assert_true(gpu_is_usable());
}

/* The whole page waits to be collected, some of its rows from the engine's own
 * buffer: it fills the ring, and goes on to the CPU when the device fails. */
void check_waiting_page(ht_method_t method, const struct curves *curves,
                        const char *fault, bool troubled)
{
    ht_page_t page = {.method = method,
                      .width = 300 / SHRINK,
                      .inks = 2,
                      .bits = 8,
                      .curves = curves != NULL ? curves->of : NULL,
                      .segment = 64,
                      .band = 20,
                      .height = 1000};
    const size_t row = (size_t)page.inks * page.width;
    const size_t dot_row = dot_row_bytes(&page);
    uint8_t *samples = make_samples(NOISE, page.width, page.height, 2, 8, 3);
    uint8_t *got = poisoned(page.height * dot_row);
    uint8_t *wanted = poisoned(page.height * dot_row);
    ht_engine_t *engine = NULL;
    size_t rows = 0;

    reference_page(&page, samples, page.height, wanted);
    setenv("HALFTONE_GPU_FAULT", fault, 1);
    assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_OK);
    assert_between(ht_engine_room(engine), page.height, page.height + 8);
    for (size_t done = 0; done < page.height; done += page.band) {
        size_t space = 0;
        uint8_t *from = samples + done * row;
        uint8_t *buffer = ht_engine_buffer(engine, &space);

        if (done % (3 * page.band) == 0 && space >= page.band)
            from = memcpy(buffer, from, page.band * row);
        assert_int_equal(ht_engine_submit(engine, from, NULL, page.band),
                         HT_OK);
    }
    assert_int_equal(ht_engine_end(engine), HT_OK);
    for (size_t ready; (ready = ht_engine_ready(engine)) > 0;) {
        size_t done = ht_engine_done(engine);
        size_t some = done > 0 ? done : ready < 77 ? ready : 77;

        assert_true(done <= ready);
        assert_int_equal(ht_engine_collect(engine, got + rows * dot_row, some),
                         HT_OK);
        rows += some;
    }
    unsetenv("HALFTONE_GPU_FAULT");
    assert_int_equal(rows, page.height);
    assert_int_equal(ht_engine_trouble(engine) != NULL, troubled);
    ht_engine_close(engine);
    compare_dots(ENGINE, &page, rows, 0, got, wanted);
    free(samples);
    free(got);
    free(wanted);
}

TEST(a_whole_page_waits_in_the_engine)
{
    static const char *const faults[] = {"none", "launch:5", "copy:3",
#ifndef OPENCL
                                         "hang:9"
#endif
    };
    static struct curves curves;

    make_curves(&curves, 1, 3);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i += FAULT_STEP)
        check_waiting_page(HT_TDFED4, &curves, faults[i], i > 0);
}

/* Rows in the engine's own buffer, up to the end of its ring, and rows that it
 * copies take turns, also after the device has failed. */
TEST(rows_may_be_put_in_the_buffer)
{
    static const char *const faults[] = {"none", "launch:3"};
    ht_page_t page = {.method = HT_FLOYD_STEINBERG,
                      .width = 90,
                      .inks = 2,
                      .bits = 16,
                      .band = 40};
    const size_t rows = 403, row = 2 * sizeof(uint16_t) * page.width;
    uint8_t *samples = make_samples(NOISE, page.width, rows, 2, 16, 9);
    size_t dot_row = dot_row_bytes(&page);
    uint8_t *got = poisoned(rows * dot_row);
    uint8_t *wanted = poisoned(rows * dot_row);

    halftone_page("reference", NULL, &page, samples, rows, SIZE_MAX, 0, wanted);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        ht_engine_t *engine;
        size_t taken = 0, wraps = 0, some;
        uint8_t *before = NULL;

        setenv("HALFTONE_GPU_FAULT", faults[i], 1);
        poison(got, rows * dot_row);
        assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_OK);
        for (size_t done = 0, band = 0; done < rows; done += some, band++) {
            size_t ready = ht_engine_ready(engine), space;
            uint8_t *from;

            if (ht_engine_room(engine) < page.band) {
                assert_int_equal(
                    ht_engine_collect(engine, got + taken * dot_row, ready),
                    HT_OK);
                taken += ready;
            }
            from = ht_engine_buffer(engine, &space);
            assert_non_null(from);
            assert_between(space, 1, ht_engine_room(engine));
            some = space < 17 ? space : 17;
            some = rows - done < some ? rows - done : some;
            wraps += from < before;
            before = from;
            if (band % 3 == 2)
                from = samples + done * row;
            else
                memcpy(from, samples + done * row, some * row);
            assert_int_equal(ht_engine_submit(engine, from, NULL, some), HT_OK);
        }
        assert_true(wraps > 1);
        assert_int_equal(ht_engine_end(engine), HT_OK);
        assert_int_equal(ht_engine_ready(engine), rows - taken);
        assert_int_equal(
            ht_engine_collect(engine, got + taken * dot_row, rows - taken),
            HT_OK);
        assert_int_equal(ht_engine_trouble(engine) != NULL, i > 0);
        ht_engine_close(engine);
        compare_dots(ENGINE, &page, rows, i, got, wanted);
    }
    unsetenv("HALFTONE_GPU_FAULT");
    free(samples);
    free(got);
    free(wanted);
}

/* Collects the rows that are ready, behind the first `rows`; returns how many
 * have been collected then. */
static size_t collect_ready(ht_engine_t *engine, const ht_page_t *page,
                            uint8_t *dots, size_t rows)
{
    const size_t dot_row = dot_row_bytes(page);

    for (size_t some; (some = ht_engine_ready(engine)) > 0; rows += some)
        assert_int_equal(ht_engine_collect(engine, dots + rows * dot_row, some),
                         HT_OK);
    return rows;
}

/* Opens a page and closes it: the next one like it finds the device's memory
 * allocated, and does not make the calls for that. */
static void warm_up(const ht_page_t *page)
{
    ht_engine_t *engine = NULL;

    unsetenv("HALFTONE_GPU_FAULT");
    assert_int_equal(ht_engine_open(&engine, ENGINE, page), HT_OK);
    ht_engine_close(engine);
}

/* One call of the device's runtime after the other fails: then the page cannot
 * be opened, or the CPU goes on and has every row that was said to be ready.
 * After a page that could not be opened the next one allocates anew, which
 * takes more calls than the rows of a page; so every second call fails in a
 * page that does not. */
static void check_calls(ht_method_t method)
{
    enum { ROWS = 150 };
    ht_page_t page = {
        .method = method, .width = 60, .inks = 2, .bits = 8, .band = ROWS};
    uint8_t *samples = make_samples(NOISE, page.width, ROWS, 2, 8, 1);
    const size_t bytes = ROWS * dot_row_bytes(&page);
    uint8_t *got = poisoned(bytes), *wanted = poisoned(bytes);
    unsigned unopened = 0, rescued = 0, untroubled = 0;

    /* The device has been started, and an OpenCL program tested. */
    check_page(ENGINE, NULL, &page, ROWS, SIZE_MAX, 0);
    reference_page(&page, samples, ROWS, wanted);
    for (unsigned call = 1; call <= CALLS; call += CALL_STEP) {
        char fault[32];
        ht_engine_t *engine = NULL;

        if (call / CALL_STEP % 2 == 0)
            warm_up(&page);
        snprintf(fault, sizeof fault, "call:%u", call);
        setenv("HALFTONE_GPU_FAULT", fault, 1);
        poison(got, bytes);
        ht_status_t status = ht_engine_open(&engine, ENGINE, &page);
        if (status != HT_OK) {
            assert_true(status == HT_ERR_DEVICE || status == HT_ERR_ENGINE);
            unopened++;
            continue;
        }
        assert_int_equal(ht_engine_submit(engine, samples, NULL, ROWS), HT_OK);
        size_t rows = collect_ready(engine, &page, got, 0);
        assert_int_equal(ht_engine_end(engine), HT_OK);
        assert_int_equal(collect_ready(engine, &page, got, rows), ROWS);
        if (ht_engine_trouble(engine) != NULL)
            rescued++;
        else
            untroubled++;
        ht_engine_close(engine);
        compare_dots(ENGINE, &page, ROWS, call, got, wanted);
    }
    unsetenv("HALFTONE_GPU_FAULT");
    print_message("# %u not opened, %u rescued, %u without such a call\n",
                  unopened, rescued, untroubled);
    assert_true(unopened > 0 && rescued > 20 / CALL_STEP && untroubled > 0);
    free(samples);
    free(got);
    free(wanted);
}

TEST(any_call_may_fail)
{
    check_calls(HT_TDFED4);
    check_calls(HT_FLOYD_STEINBERG);
}
