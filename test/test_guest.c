/*
 * test_guest.c - a thread that helps an engine from outside.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <cmocka.h>

#include "test/pages.h"

struct guest {
    ht_engine_t *engine;
    atomic_bool over;
    uint64_t seed;
    unsigned asked; /* how often the engine asked whether it is enough */
};

static bool at_random(void *context)
{
    struct guest *guest = context;

    guest->asked++;
    return random_below(&guest->seed, 8) == 0 || atomic_load(&guest->over);
}

static void *help(void *context)
{
    struct guest *guest = context;

    while (!atomic_load(&guest->over)) {
        ht_engine_help(guest->engine, at_random, guest);
        if (random_below(&guest->seed, 4) == 0)
            sched_yield();
    }
    return NULL;
}

static void check_page(const char *name, ht_page_t page, const void *samples,
                       size_t rows, uint64_t seed, const uint8_t *wanted)
{
    struct guest guest = {.seed = seed};
    size_t dot_bytes = rows * dot_row_bytes(&page), collected = 0;
    size_t sample_row = (size_t)page.inks * page.width;
    uint8_t *dots = poisoned(dot_bytes);
    pthread_t thread;

    page.guest = true;
    assert_int_equal(ht_engine_open(&guest.engine, name, &page), HT_OK);
    assert_int_equal(pthread_create(&thread, NULL, help, &guest), 0);
    for (size_t row = 0, band; row < rows; row += band) {
        band = 1 + random_below(&seed, page.band);
        band = band < rows - row ? band : rows - row;
        ht_engine_alone(guest.engine, random_below(&seed, 2) == 0);
        assert_int_equal(
            submit_rows(guest.engine, &page,
                        (const uint8_t *)samples + row * sample_row, band,
                        &seed),
            HT_OK);
        size_t ready = ht_engine_ready(guest.engine);
        assert_int_equal(
            ht_engine_collect(guest.engine,
                              dots + collected * dot_row_bytes(&page), ready),
            HT_OK);
        collected += ready;
    }
    assert_int_equal(ht_engine_end(guest.engine), HT_OK);
    assert_int_equal(ht_engine_ready(guest.engine), rows - collected);
    assert_int_equal(ht_engine_collect(guest.engine,
                                       dots + collected * dot_row_bytes(&page),
                                       rows - collected),
                     HT_OK);
    atomic_store(&guest.over, true);
    pthread_join(thread, NULL);
    ht_engine_close(guest.engine);
    compare_dots(name, &page, rows, seed, dots, wanted);
    free(dots);
}

static void same_dots_with_a_guest(void **state)
{
    const size_t rows = 150;

    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads++)
        for (int content = 0; content < CONTENTS; content++) {
            ht_page_t page = {.width = 1900,
                              .inks = threads % 2 ? 4 : 1,
                              .bits = 8,
                              .segment = content % 3 ? 60 : 256,
                              .band = 40,
                              .threads = threads};
            void *samples = make_samples((enum content)content, page.width,
                                         rows, page.inks, page.bits, threads);
            uint8_t *wanted = poisoned(rows * dot_row_bytes(&page));

            halftone_page("reference", NULL, &page, samples, rows, SIZE_MAX, 0,
                          wanted);
            for (const char *const *name = ht_engine_names(); *name; name++)
                if (engine_can_do(*name, &page))
                    check_page(*name, page, samples, rows, threads, wanted);
            free(samples);
            free(wanted);
        }
}

static bool count(void *context)
{
    ++*(unsigned *)context;
    return false;
}

/* Nor is a page's own thread held up when nothing is submitted. */
static void help_ends_when_nothing_comes(void **state)
{
    ht_page_t page = {
        .width = 1000, .inks = 1, .bits = 8, .segment = 256, .band = 8};

    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++)
        for (unsigned guest = 0; guest < 2; guest++) {
            ht_engine_t *engine = NULL;
            unsigned asked = 0;

            page.threads = threads;
            page.guest = guest;
            assert_int_equal(ht_engine_open(&engine, "cpu", &page), HT_OK);
            ht_engine_help(engine, count, &asked);
            assert_true(asked > 0 ? guest && threads > 1
                                  : !guest || threads == 1);
            ht_engine_close(engine);
        }
    ht_engine_t *reference = NULL;
    unsigned asked = 0;

    page.guest = true;
    assert_int_equal(ht_engine_open(&reference, "reference", &page), HT_OK);
    ht_engine_help(reference, count, &asked);
    assert_int_equal(asked, 0);
    ht_engine_close(reference);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_dots_with_a_guest),
        cmocka_unit_test(help_ends_when_nothing_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
