/*
 * test_opencl.c - the OpenCL engine against the reference, on whatever OpenCL
 * device is here. All tests are skipped where there is none.
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
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "halftone/halftone.h"
#include "test/unit/pages.h"

#define MOST_SECONDS 300 /* of all tests: an endless wait fails, too */

/* Checks that the engine does such a page itself, and not the CPU for it. */
static void check_device(const ht_page_t *page)
{
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(&engine, "opencl", page), HT_OK);
    if (ht_engine_trouble(engine) != NULL)
        fail_msg("%s", ht_engine_trouble(engine));
    ht_engine_close(engine);
}

static void check_page(const char *name, const char *heir,
                       const ht_page_t *page, size_t rows, size_t handover,
                       uint64_t seed)
{
    void *samples = make_samples((enum content)(seed % CONTENTS), page->width,
                                 rows, page->inks, page->bits, seed);
    size_t bytes = rows * dot_row_bytes(page);
    uint8_t *got = poisoned(bytes), *wanted = poisoned(bytes);

    halftone_page(name, heir, page, samples, rows, handover, seed, got);
    reference_page(page, samples, rows, wanted);
    compare_dots(name, page, rows, seed, got, wanted);
    free(samples);
    free(got);
    free(wanted);
}

/* A page of a method. Kinds of pages are few: a program is built for each. */
static ht_page_t random_page(ht_method_t method, uint64_t *seed)
{
    ht_page_t page = {.method = method,
                      .width = 1 + random_below(seed, 70),
                      .inks = 1 + random_below(seed, HT_MAX_INKS),
                      .bits = random_below(seed, 2) ? 8 : 16,
                      .band = 1 + random_below(seed, 40)};

    if (random_below(seed, 2) == 0)
        page.width = 200 + random_below(seed, 300);
    if (random_below(seed, 2) == 0)
        page.inks = random_below(seed, 2) ? 1 : 4;
    if (random_below(seed, 3) > 0)
        page.segment = HT_MIN_SEGMENT + random_below(seed, 300);
    return page;
}

static void check_method(ht_method_t method, unsigned count)
{
    for (uint64_t seed = 1; seed <= count; seed++) {
        uint64_t random = seed;
        ht_page_t page = random_page(method, &random);
        size_t rows = 1 + random_below(&random, 70);
        size_t at = random_below(&random, (uint32_t)rows);

        check_device(&page);
        check_page("opencl", NULL, &page, rows, SIZE_MAX, seed);
        if (seed % 3 == 0)
            check_page("opencl", "cpu", &page, rows, at, seed);
        else if (seed % 3 == 1)
            check_page("cpu", "opencl", &page, rows, at, seed);
    }
}

static void floyd_steinberg_is_the_reference_s(void **state)
{
    (void)state;
    check_method(HT_FLOYD_STEINBERG, 24);
}

static void so_is_tdfed(void **state)
{
    (void)state;
    check_method(HT_TDFED4, 24);
}

static void so_is_tdfed_of_one_row(void **state)
{
    (void)state;
    check_method(HT_TDFED1, 12);
}

static void so_are_threshold_and_screen(void **state)
{
    (void)state;
    check_method(HT_THRESHOLD, 4);
    check_method(HT_SCREEN, 8);
}

/* With other tables than the methods' own: all that ship, and one that puts
 * errors as far back as any may. */
static void so_are_other_tables(void **state)
{
    static const char *const tables[] = {
        DATA "/tdfed-4row.table", DATA "/tdfed-1row.table",
        TESTS "/wide.table",      TESTS "/alone.table",
        TESTS "/together.table",  TESTS "/hostile.table"};

    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        ht_table_t *table = NULL;

        assert_int_equal(ht_table_load(&table, tables[i], NULL), HT_OK);
        for (unsigned k = 0; k < 4; k++) {
            ht_page_t page = {.method = i == 1 ? HT_TDFED1 : HT_TDFED4,
                              .table = table,
                              .width = 300 + 17 * k,
                              .inks = k % 2 ? 4 : 2,
                              .bits = 8,
                              .segment = k < 2 ? 64 : 0,
                              .band = 30};

            check_device(&page);
            check_page("opencl", NULL, &page, 40, SIZE_MAX, 10 * i + k);
        }
        ht_table_free(table);
    }
}

static void so_are_pages_with_curves(void **state)
{
    static struct curves curves;

    (void)state;
    for (unsigned seed = 1; seed <= 6; seed++) {
        ht_page_t page = {.method = seed % 2 ? HT_TDFED4 : HT_FLOYD_STEINBERG,
                          .width = 90 + seed,
                          .inks = 4,
                          .bits = 8,
                          .curves = curves.of,
                          .segment = 50,
                          .band = 20};

        make_curves(&curves, seed % CURVE_KINDS, seed);
        check_device(&page);
        check_page("opencl", NULL, &page, 33, SIZE_MAX, seed);
        check_page("opencl", "cpu", &page, 33, 13, seed);
    }
}

/* Submits a page's rows, some of them in the engine's own buffer, leaves all in
 * the engine and collects them at the end; with a fault on the way the CPU goes
 * on. */
static void check_fault(ht_method_t method, const struct curves *curves,
                        const char *fault, bool troubled)
{
    ht_page_t page = {.method = method,
                      .width = 300,
                      .inks = 2,
                      .bits = 8,
                      .curves = curves != NULL ? curves->of : NULL,
                      .segment = 64,
                      .band = 16,
                      .height = 400};
    const size_t row = (size_t)page.inks * page.width;
    const size_t dot_row = dot_row_bytes(&page);
    uint8_t *samples = make_samples(NOISE, page.width, page.height, 2, 8, 3);
    uint8_t *got = poisoned(page.height * dot_row);
    uint8_t *wanted = poisoned(page.height * dot_row);
    ht_engine_t *engine = NULL;

    reference_page(&page, samples, page.height, wanted);
    setenv("HALFTONE_GPU_FAULT", fault, 1);
    assert_int_equal(ht_engine_open(&engine, "opencl", &page), HT_OK);
    assert_true(ht_engine_room(engine) >= page.height);
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
    size_t rows = 0;
    for (size_t ready; (ready = ht_engine_ready(engine)) > 0;) {
        size_t done = ht_engine_done(engine);
        size_t some = done > 0 ? done : ready < 77 ? ready : 77;

        assert_int_equal(ht_engine_collect(engine, got + rows * dot_row, some),
                         HT_OK);
        rows += some;
    }
    unsetenv("HALFTONE_GPU_FAULT");
    assert_int_equal(rows, page.height);
    assert_int_equal(ht_engine_trouble(engine) != NULL, troubled);
    ht_engine_close(engine);
    compare_dots("opencl", &page, rows, 0, got, wanted);
    free(samples);
    free(got);
    free(wanted);
}

/* A compiler that refuses the kernels, or makes others of them: of programs
 * that no other test has built. */
static void a_program_that_is_wrong_is_left_alone(void **state)
{
    static struct curves curves;

    (void)state;
    make_curves(&curves, 1, 1);
    check_fault(HT_TDFED1, &curves, "compile", true);
    check_fault(HT_TDFED1, &curves, "none", true);
    check_fault(HT_FLOYD_STEINBERG, &curves, "dots", true);
    check_fault(HT_FLOYD_STEINBERG, &curves, "none", true);
}

static void a_page_outlives_the_device(void **state)
{
    static const char *const faults[] = {"none", "launch:2", "launch:4",
                                         "copy:2", "copy:5"};

    (void)state;
    check_fault(HT_SCREEN, NULL, "launch:3", true);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        check_fault(HT_TDFED1, NULL, faults[i], i > 0);
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

/* One call of OpenCL after the other fails: then the page cannot be opened, or
 * the CPU goes on and has every row that was said to be ready. */
static void check_calls(ht_method_t method, unsigned calls)
{
    enum { ROWS = 150 };
    ht_page_t page = {
        .method = method, .width = 60, .inks = 2, .bits = 8, .band = ROWS};
    uint8_t *samples = make_samples(NOISE, page.width, ROWS, 2, 8, 1);
    const size_t bytes = ROWS * dot_row_bytes(&page);
    uint8_t *got = poisoned(bytes), *wanted = poisoned(bytes);
    unsigned unopened = 0, rescued = 0, untroubled = 0;

    check_device(&page); /* so that the program has passed its test */
    reference_page(&page, samples, ROWS, wanted);
    for (unsigned call = 1; call <= calls; call++) {
        char fault[32];
        ht_engine_t *engine = NULL;

        snprintf(fault, sizeof fault, "call:%u", call);
        setenv("HALFTONE_GPU_FAULT", fault, 1);
        poison(got, bytes);
        ht_status_t status = ht_engine_open(&engine, "opencl", &page);
        if (status != HT_OK) {
            assert_int_equal(status, HT_ERR_DEVICE);
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
        compare_dots("opencl", &page, ROWS, call, got, wanted);
    }
    unsetenv("HALFTONE_GPU_FAULT");
    print_message("# %u not opened, %u rescued, %u without such a call\n",
                  unopened, rescued, untroubled);
    assert_true(unopened > 5 && rescued > 30);
    free(samples);
    free(got);
    free(wanted);
}

static void any_call_may_fail(void **state)
{
    (void)state;
    check_calls(HT_TDFED4, 160);
    check_calls(HT_FLOYD_STEINBERG, 160);
}

/* Pages that take all memory that there may be: the next one has to wait. On a
 * device that is no GPU it always has to. */
static void pages_share_the_memory(void **state)
{
    ht_page_t page = {.method = HT_TDFED1,
                      .width = 1000,
                      .inks = 1,
                      .bits = 8,
                      .band = 100,
                      .device_memory = 2000000};
    ht_engine_t *first = NULL, *second = NULL;

    (void)state;
    assert_int_equal(ht_engine_open(&first, "opencl", &page), HT_OK);
    ht_status_t status = ht_engine_open(&second, "opencl", &page);
    assert_true(status == HT_OK || status == HT_ERR_BUSY);
    if (status == HT_OK)
        ht_engine_close(second);
    page.device_memory = 1200000;
    assert_int_equal(ht_engine_open(&second, "opencl", &page), HT_ERR_BUSY);
    page.device_memory = 1000;
    assert_int_equal(ht_engine_open(&second, "opencl", &page), HT_ERR_MEMORY);
    ht_engine_close(first);
    page.device_memory = 1200000;
    assert_int_equal(ht_engine_open(&second, "opencl", &page), HT_OK);
    ht_engine_close(second);
}

/* A device that gives no answer is left alone from then on. Comes last. */
static void a_device_that_hangs_is_left_alone(void **state)
{
    ht_page_t page;
    ht_engine_t *engine = NULL;

    (void)state;
    check_fault(HT_TDFED1, NULL, "hang:3", true);
    ht_page_init(&page);
    page.width = 8;
    assert_int_equal(ht_engine_open(&engine, "opencl", &page), HT_ERR_ENGINE);
    assert_false(ht_engine_release());
}

/* Whether there is a device that can be used. */
static bool is_usable(void)
{
    ht_page_t page;
    ht_engine_t *engine = NULL;

    ht_page_init(&page);
    page.width = 8;
    bool ok = ht_engine_open(&engine, "opencl", &page) == HT_OK;
    ht_engine_close(engine);
    return ok;
}

/* This program, run where there is no loader, another library in its place, or
 * no driver: it says so and nothing else happens. */
static const char *program;

static void a_machine_without_opencl_has_no_such_engine(void **state)
{
    static const char *const without[] = {
        "HALFTONE_OPENCL_LOADER=/none/libOpenCL.so.1",
        "HALFTONE_OPENCL_LOADER=libm.so.6", "OCL_ICD_VENDORS=/none"};
    char command[1024];

    (void)state;
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        snprintf(command, sizeof command, "%s '%s' usable >/dev/null",
                 without[i], program);
        assert_int_equal(WEXITSTATUS(system(command)), 3);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_without_opencl_has_no_such_engine),
        cmocka_unit_test(floyd_steinberg_is_the_reference_s),
        cmocka_unit_test(so_is_tdfed),
        cmocka_unit_test(so_is_tdfed_of_one_row),
        cmocka_unit_test(so_are_threshold_and_screen),
        cmocka_unit_test(so_are_other_tables),
        cmocka_unit_test(so_are_pages_with_curves),
        cmocka_unit_test(pages_share_the_memory),
        cmocka_unit_test(a_page_outlives_the_device),
        cmocka_unit_test(any_call_may_fail),
        cmocka_unit_test(a_program_that_is_wrong_is_left_alone),
        cmocka_unit_test(a_device_that_hangs_is_left_alone),
    };

    alarm(MOST_SECONDS);
    program = argv[0];
    unsetenv("HALFTONE_GPU_FAULT");
    if (ht_engine_use_module(MODULE) != HT_OK) {
        fprintf(stderr, "%s cannot be loaded\n", MODULE);
        return 1;
    }
    bool usable = is_usable();
    if (argc > 1)
        return usable ? 0 : 3;
    if (!usable) {
        puts("1..0 # SKIP there is no OpenCL device here");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
