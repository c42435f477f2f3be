/*
 * test_guest.c - a thread that helps an engine from outside.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "test/cases.h"
#include "test/unit/pages.h"

/* Static ones: when a test fails the guest goes on. */
struct guest_call {
    ht_engine_t *engine;
    atomic_bool over;
    uint64_t seed;
    atomic_uint most; /* questions of one call */
};

/* Whether it is enough. */
static bool at_random(void *context)
{
    struct guest_call *guest = context;

    return random_below(&guest->seed, 8) == 0 || atomic_load(&guest->over);
}

static void *help(void *context)
{
    struct guest_call *guest = context;

    while (!atomic_load(&guest->over)) {
        ht_engine_help(guest->engine, at_random, guest);
        if (random_below(&guest->seed, 4) == 0)
            sched_yield();
    }
    return NULL;
}

static void check_page(const char *name, ht_page_t page, const void *samples,
                       size_t rows, const uint8_t *wanted)
{
    static struct guest_call guest;
    uint64_t seed = page.threads;
    size_t dot_bytes = rows * dot_row_bytes(&page), collected = 0;
    size_t sample_row = (size_t)page.inks * page.width;
    uint8_t *dots = poisoned(dot_bytes);
    pthread_t thread;

    case_is("%s, threads %u, inks %u, segment %u", name, page.threads,
            page.inks, page.segment);
    page.guest = true;
    guest.seed = seed;
    atomic_store(&guest.over, false);
    assert_int_equal(ht_engine_open(&guest.engine, name, &page), HT_OK);
    assert_int_equal(pthread_create(&thread, NULL, help, &guest), 0);
    for (size_t row = 0, band; row < rows; row += band) {
        band = 1 + random_below(&seed, page.band);
        band = band < rows - row ? band : rows - row;
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
    compare_dots(name, &page, rows, page.threads, dots, wanted);
    free(dots);
}

TEST(same_dots_with_a_guest)
{
    const size_t rows = 150;

    for (uint32_t threads = 1; threads <= 4; threads++)
        for (int content = 0; content < CONTENTS; content++) {
            ht_page_t page = {.width = 1900,
                              .inks = threads % 2 ? 4 : 1,
                              .bits = 8,
                              .segment = content % 3 ? 60 : HT_DEFAULT_SEGMENT,
                              .band = 40,
                              .lent = threads % 3,
                              .threads = threads};
            void *samples = make_samples((enum content)content, page.width,
                                         rows, page.inks, page.bits, threads);
            uint8_t *wanted = poisoned(rows * dot_row_bytes(&page));

            halftone_page("reference", NULL, &page, samples, rows, SIZE_MAX, 0,
                          wanted);
            for (const char *const *name = ht_engine_names(); *name; name++)
                if (engine_can_do(*name, &page))
                    check_page(*name, page, samples, rows, wanted);
            free(samples);
            free(wanted);
        }
}

static bool count(void *context)
{
    ++*(unsigned *)context;
    return false;
}

/* It would only be asked a few times whether it is enough. */
TEST(help_ends_when_nothing_comes)
{
    ht_page_t page = {.width = 2000,
                      .inks = 1,
                      .bits = 8,
                      .segment = HT_DEFAULT_SEGMENT,
                      .band = 8};

    for (unsigned threads = 1; threads <= 2; threads++)
        for (unsigned guest = 0; guest < 2; guest++) {
            ht_engine_t *engine = NULL;
            unsigned asked = 0;

            page.threads = threads;
            page.guest = guest;
            case_is("%u threads, %s guest", threads, guest ? "a" : "no");
            assert_int_equal(ht_engine_open(&engine, "cpu", &page), HT_OK);
            ht_engine_help(engine, count, &asked);
            assert_int_equal(asked > 0, guest && threads > 1);
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

/* Keeps the most questions of one call: each handful of segments brings more
 * than a call for nothing has. */
static void *count_questions(void *context)
{
    struct guest_call *guest = context;

    while (!atomic_load(&guest->over)) {
        unsigned asked = 0;

        ht_engine_help(guest->engine, count, &asked);
        if (asked > atomic_load(&guest->most))
            atomic_store(&guest->most, asked);
    }
    return NULL;
}

TEST(the_guest_gets_segments)
{
    ht_page_t page = {.width = 1900,
                      .inks = 4,
                      .bits = 8,
                      .segment = HT_DEFAULT_SEGMENT,
                      .band = 40,
                      .threads = 2,
                      .guest = true};
    static struct guest_call guest;
    void *samples = make_samples(PHOTO, page.width, page.band, 4, 8, 1);
    uint8_t *dots = poisoned(2 * page.band * dot_row_bytes(&page));
    unsigned for_nothing = 0;
    pthread_t thread;

    assert_int_equal(ht_engine_open(&guest.engine, "cpu", &page), HT_OK);
    ht_engine_help(guest.engine, count, &for_nothing);
    assert_int_equal(pthread_create(&thread, NULL, count_questions, &guest), 0);
    while (atomic_load(&guest.most) <= for_nothing) {
        assert_int_equal(
            ht_engine_submit(guest.engine, samples, NULL, page.band), HT_OK);
        assert_int_equal(ht_engine_collect(guest.engine, dots,
                                           ht_engine_ready(guest.engine)),
                         HT_OK);
    }
    atomic_store(&guest.over, true);
    pthread_join(thread, NULL);
    ht_engine_close(guest.engine);
    free(samples);
    free(dots);
}
