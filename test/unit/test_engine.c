/*
 * test_engine.c - every engine against the reference, any split of a page
 * into bands, and the hand-over of the error state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "halftone/definition.h"
#include "test/unit/between.h"
#include "test/cases.h"
#include "test/unit/pages.h"
#include "test/quick.h"

#define REFERENCE ht_engine_names()[0]

/* An allocation that is made to fail: the `fail_at`-th from now on, 0 = none.
 * The linker puts these in the place of calloc() and aligned_alloc(). */
static unsigned fail_at;
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    if (fail_at > 0 && --fail_at == 0)
        return NULL;
    return __real_calloc(count, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    if (fail_at > 0 && --fail_at == 0)
        return NULL;
    return __real_aligned_alloc(alignment, size);
}

/* The page through the reference in one piece, and through every engine in
 * random bands, handed over in the middle. */
static void check_page(const ht_page_t *page, enum content content, size_t rows,
                       uint64_t seed)
{
    void *samples =
        make_samples(content, page->width, rows, page->inks, page->bits, seed);
    size_t bytes = rows * dot_row_bytes(page);
    uint8_t *wanted = poisoned(bytes);

    reference_page(page, samples, rows, wanted);
    for (const char *const *name = ht_engine_names(); *name; name++) {
        size_t handover = random_below(&seed, (uint32_t)rows + 1);
        uint8_t *got;

        if (!engine_can_do(*name, page))
            continue;
        case_is("%s, %s, width %u, rows %zu, inks %u, seed %llu", *name,
                ht_method_info(page->method)->choice, page->width, rows,
                page->inks, (unsigned long long)seed);
        got = poisoned(bytes);
        halftone_page(*name, *name, page, samples, rows, SIZE_MAX, seed, got);
        compare_dots(*name, page, rows, seed, got, wanted);
        poison(got, bytes);
        halftone_page(*name, REFERENCE, page, samples, rows, handover, seed,
                      got);
        compare_dots(*name, page, rows, seed, got, wanted);
        poison(got, bytes);
        halftone_page(REFERENCE, *name, page, samples, rows, handover, seed,
                      got);
        compare_dots(*name, page, rows, seed, got, wanted);
        free(got);
    }
    free(wanted);
    free(samples);
}

static void same_dots_for_any_bands_at_widths_1_to_70(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (uint32_t width = 1; width <= 70; width++)
        for (int method = HT_TDFED4; method < HT_METHODS; method++) {
            ht_page_t page = {.method = (ht_method_t)method,
                              .width = width,
                              .inks = 1 + random_below(&seed, 4),
                              .bits = 8 + 8 * random_below(&seed, 2),
                              .band = 1 + random_below(&seed, 9)};

            page.segment = (uint32_t[]){0, 16, 17, 128}[width % 4];
            page.cells = (uint32_t[]){0, 4, 13, 32}[width / 4 % 4];
            check_page(&page, (enum content)(width % CONTENTS),
                       1 + random_below(&seed, 70), width);
        }
}

static void same_dots_for_every_number_of_inks(void **state)
{
    (void)state;
    EACH_METHOD (method, diffuses)
        for (uint32_t inks = 1; inks <= HT_MAX_INKS; inks += one_in(7))
            for (uint32_t bits = 8; bits <= 16; bits += 8) {
                ht_page_t page = {.method = method,
                                  .width = 301,
                                  .inks = inks,
                                  .bits = bits,
                                  .segment = 64,
                                  .band = 7};

                check_page(&page, (enum content)(inks % CONTENTS), 33, inks);
            }
}

/* Ranks that repeat, in both directions, and for inks that share a screen. */
static void same_dots_of_screens_on_pages_of_several_tiles(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 30; i += one_in(7)) {
        ht_page_t page = {.method = HT_SCREEN,
                          .width = 100 + 61 * i,
                          .inks = 1 + i % HT_MAX_INKS,
                          .bits = i / HT_MAX_INKS % 2 ? 16 : 8,
                          .cells = HT_MIN_CELLS + i % (HT_MAX_CELLS - 3),
                          .band = 90};

        check_page(&page, (enum content)(i % CONTENTS), 300, i + 1);
    }
}

/* With and without rules for inks together. */
static void a_curve_has_the_dots_of_what_it_stands_for(void **state)
{
    static struct curves curves;
    ht_table_t *alone = table_without_rules(HT_TDFED4);

    (void)state;
    for (uint32_t i = 0; i < 96; i += one_in(5)) {
        uint64_t seed = i;
        ht_method_t method = (ht_method_t)(i / 8 % HT_METHODS);
        bool takes = ht_method_info(method)->table && i % 3 == 0;
        ht_page_t page = {.method = method,
                          .table = takes ? alone : NULL,
                          .width = 1 + random_below(&seed, 400),
                          .inks = 1 + random_below(&seed, 6),
                          .bits = 8,
                          .curves = curves.of,
                          .segment = i % 5 ? 16 + random_below(&seed, 200) : 0,
                          .band = 1 + random_below(&seed, 20),
                          .threads = 1 + i % 3};

        make_curves(&curves, i % CURVE_KINDS, i);
        check_page(&page, (enum content)(i % CONTENTS),
                   1 + random_below(&seed, 60), i);
    }
    ht_table_free(alone);
}

/* Tables of the largest weights that are accepted: half of the tones give all
 * that goes down to the columns behind, the others all to the next pixel. At a
 * side of the page, where rows turn, both meet on a pixel. */
static void same_dots_with_the_heaviest_tables(void **state)
{
    static const uint8_t high[HT_PATTERN_BYTES]; /* thresholds */
    ht_tone_t tones[HT_TONES];
    ht_table_t *table = NULL;

    (void)state;
    for (int percent = 99; table == NULL && percent > 0; percent--) {
        double weight = percent / 100.0;

        for (unsigned i = 0; i < HT_TONES; i++)
            tones[i] = (ht_tone_t){.t_upper = 1,
                                   .t_lower = 0,
                                   .weight = {0, weight, 0, 1 - weight},
                                   .column = {1, -1, 1, 0}};
        for (unsigned i = HT_TONES / 2; i < HT_TONES; i++) {
            tones[i].weight[0] = weight;
            tones[i].weight[1] = 0;
        }
        ht_table_new(&table, tones, high, NULL);
    }
    assert_non_null(table);
    for (uint32_t i = 0; i < 8; i++) {
        ht_page_t page = {.method = i % 2 ? HT_TDFED1 : HT_TDFED4,
                          .table = table,
                          .width = 8 + i * 13,
                          .inks = 1,
                          .bits = i % 4 < 2 ? 8 : 16,
                          .segment = i < 4 ? 0 : 16,
                          .band = 50};

        check_page(&page, NOISE, 1000, i);
    }
    ht_table_free(table);
}

/* Sometimes those with the largest sums, otherwise any. */
static ht_rules_t any_rules(uint64_t *seed)
{
    bool most = random_below(seed, 4) == 0;
    ht_rules_t rules = {.together = true};

    rules.from = most ? 0 : random_below(seed, 251) / 1000.0;
    rules.steps =
        most ? HT_MAX_STEPS : (int)random_below(seed, HT_MAX_STEPS + 1);
    for (unsigned i = 0; i < HT_LIGHTS; i++)
        rules.light[i] = most ? 0.999 : random_below(seed, 1000) / 1000.0;
    return rules;
}

/* Thresholds anywhere, and rules for inks together that take them out of 0..1.
 */
static void same_dots_with_any_thresholds_and_rules(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (uint32_t kind = 0; kind < 32; kind++) {
        ht_tone_t tones[HT_TONES];
        ht_rules_t rules = any_rules(&seed);
        ht_table_t *table = NULL;

        for (unsigned i = 0; i < HT_TONES; i++) {
            double lower = random_below(&seed, 500) / 1000.0;
            double upper = lower + random_below(&seed, 500) / 1000.0;

            if (kind % 4 < 2)
                lower = upper = kind % 4;
            tones[i] = (ht_tone_t){.t_upper = upper,
                                   .t_lower = lower,
                                   .weight = {0.4, 0.2, 0.1, 0.3},
                                   .column = {1, -1, -4, 0}};
        }
        assert_int_equal(
            ht_table_new(&table, tones, NULL, kind < 8 ? NULL : &rules), HT_OK);
        ht_page_t page = {.method = kind % 8 < 4 ? HT_TDFED4 : HT_TDFED1,
                          .table = table,
                          .width = 100 + kind * 13,
                          .inks = 1 + kind % 5,
                          .bits = kind / 4 % 2 ? 8 : 16,
                          .segment = 64,
                          .band = 30};

        check_page(&page, (enum content)(kind % CONTENTS), 80, kind);
        ht_table_free(table);
    }
}

/* Rows without cuts, or with few: what goes from pixel to pixel and from ink to
 * ink has to come across whatever an engine cuts a row into. */
static void same_dots_of_several_inks_in_long_segments(void **state)
{
    static const enum content gray[] = {NOISE, PHOTO};

    (void)state;
    for (uint32_t i = 0; i < 20; i += one_in(3)) {
        ht_page_t page = {.method = i % 4 == 3 ? HT_FLOYD_STEINBERG : HT_TDFED4,
                          .width = 600 + 21 * i,
                          .inks = 2 + i % 5,
                          .bits = i % 4 < 2 ? 8 : 16,
                          .segment = i % 2 ? 400 : 0,
                          .band = 11};

        check_page(&page, gray[i / 10], 25, i + 1);
    }
}

/* With more columns than 16 bits can count, also where tests are quick. */
static void same_dots_on_a_wide_page(void **state)
{
    (void)state;
    EACH_METHOD (method, diffuses) {
        ht_page_t page = {.method = (ht_method_t)method,
                          .width = HT_MAX_WIDTH / one_in(3),
                          .inks = 1,
                          .bits = 8,
                          .segment = HT_DEFAULT_SEGMENT,
                          .band = 3};

        check_page(&page, TEXT, 9 / one_in(3), 3);
    }
}

static void same_dots_for_any_number_of_threads(void **state)
{
    static const uint32_t threads[] = {1, 2, 3, 7, 1000};

    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++)
        for (uint32_t inks = 1; inks <= 4; inks += 3)
            for (size_t content = i % one_in(3); content < CONTENTS;
                 content += one_in(3)) {
                ht_page_t page = {.width = 1500,
                                  .inks = inks,
                                  .bits = 8,
                                  .segment = 16 + 30 * (uint32_t)content,
                                  .band = 40,
                                  .threads = threads[i]};

                check_page(&page, (enum content)content, 90, i + 1);
            }
}

/* A page that begins with a state, in one piece; the state behind it. */
static void run_from_state(const char *name, const ht_page_t *page,
                           const void *samples, const int16_t *errors,
                           uint64_t seed, uint8_t *dots, int16_t *errors_left)
{
    ht_engine_t *engine = NULL;
    uint64_t row = 0;

    assert_int_equal(ht_engine_open(&engine, name, page), HT_OK);
    assert_int_equal(ht_engine_give_state(engine, 0, errors), HT_OK);
    assert_int_equal(submit_rows(engine, page, samples, page->band, &seed),
                     HT_OK);
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_collect(engine, dots, page->band), HT_OK);
    assert_int_equal(ht_engine_take_state(engine, &row, errors_left), HT_OK);
    assert_int_equal(row, page->band);
    ht_engine_close(engine);
}

static size_t state_lines(const ht_page_t *page)
{
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(&engine, REFERENCE, page), HT_OK);
    size_t lines = ht_engine_state_lines(engine);
    ht_engine_close(engine);
    return lines;
}

/* A page of one band that begins with a state, of which `errors` are the inks',
 * through every engine: dots and the errors behind it. */
static void check_from_state(const ht_page_t *page, const void *samples,
                             const int16_t *inks_errors, uint64_t seed)
{
    size_t bytes = page->band * dot_row_bytes(page);
    size_t count = state_lines(page) * page->width;
    size_t state = count * sizeof(int16_t);
    int16_t *errors = calloc(count, sizeof *errors);
    uint8_t *wanted = poisoned(bytes), *dots = poisoned(bytes);
    int16_t *wanted_left = poisoned(state), *left = poisoned(state);

    assert_non_null(errors);
    memcpy(errors, inks_errors,
           page->inks * (size_t)page->width * sizeof *errors);
    for (size_t i = page->inks * (size_t)page->width; i < count; i++)
        if (random_below(&seed, 300) == 0) { /* company, and light in the last
                                                line: what rows can leave */
            int most = i < count - page->width ? 3 * HT_ONE / 8 : HT_ONE - 1;

            errors[i] =
                (int16_t)((int)random_below(&seed, 2u * most + 1) - most);
        }
    run_from_state(REFERENCE, page, samples, errors, seed, wanted, wanted_left);
    for (const char *const *name = ht_engine_names(); *name; name++) {
        if (!engine_can_do(*name, page))
            continue;
        case_is("%s, %s, width %u, inks %u, bits %u, seed %llu", *name,
                ht_method_info(page->method)->choice, page->width, page->inks,
                page->bits, (unsigned long long)seed);
        poison(dots, bytes);
        poison(left, state);
        run_from_state(*name, page, samples, errors, seed, dots, left);
        compare_dots(*name, page, page->band, seed, dots, wanted);
        compare_state(*name, page, page->band, seed, left, wanted_left,
                      count / page->width);
    }
    free(errors);
    free(wanted);
    free(dots);
    free(wanted_left);
    free(left);
}

/* Where engines may skip: single errors of a size that lives on or dies at
 * once come into areas of white and solid. */
static void check_skips(const ht_page_t *page, uint64_t seed)
{
    static const int16_t sizes[] = {1, -1, 2, -2, 3, HT_ONE, -HT_ONE};
    size_t count = (size_t)page->inks * page->width;
    void *samples = make_samples(BLOCKS, page->width, page->band, page->inks,
                                 page->bits, seed);
    int16_t *errors = calloc(count, sizeof *errors);

    assert_non_null(errors);
    for (size_t row = 0; row < page->band; row++)
        if (row / 8 % 2 == 1) /* an ink of eight rows has nothing */
            memset((uint8_t *)samples +
                       (row * page->inks + row / 16 % page->inks) *
                           page->width * (page->bits / 8),
                   0, page->width * (page->bits / 8));
    for (size_t i = random_below(&seed, 200); i < count;
         i += 1 + random_below(&seed, 200))
        errors[i] = sizes[random_below(&seed, 7)];
    check_from_state(page, samples, errors, seed);
    free(errors);
    free(samples);
}

static void same_dots_and_errors_around_white_and_solid(void **state)
{
    static const uint32_t segments[] = {0, 16, 64, 128};

    (void)state;
    for (uint32_t i = 0; i < 32; i++) {
        ht_page_t page = {.method = i % 8 == 5   ? HT_TDFED1
                                    : i % 8 == 3 ? HT_FLOYD_STEINBERG
                                                 : HT_TDFED4,
                          .width = 600 + i,
                          .inks = i % 3 == 0 ? 4 : 1,
                          .bits = i % 5 == 0 ? 16 : 8,
                          .segment = segments[i % 4],
                          .band = 80};

        check_skips(&page, i);
    }
}

/* Of four inks each has samples in a few rows of its own, not the first ones,
 * and one has an error in the last column: what it is to leave out an ink that
 * has neither, and to go on with it when it has. */
static void same_dots_and_errors_of_inks_that_come_and_go(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 24; i++) {
        ht_page_t page = {.method = i % 4 == 3   ? HT_TDFED1
                                    : i % 4 == 1 ? HT_FLOYD_STEINBERG
                                                 : HT_TDFED4,
                          .width = 300 + i,
                          .inks = 4,
                          .bits = i % 2 ? 16 : 8,
                          .segment = i % 3 ? 64 : 0,
                          .band = 40};
        size_t plane = page.width * (page.bits / 8);
        uint8_t *samples =
            make_samples(NOISE, page.width, page.band, 4, page.bits, i);
        int16_t *errors = calloc(4 * page.width, sizeof *errors);

        assert_non_null(errors);
        errors[(i % 4 + 1) * page.width - 1] = HT_ONE / 2;
        for (size_t row = 0; row < page.band; row++)
            for (size_t ink = 0; ink < 4; ink++)
                if (row / 5 != 1 + ink)
                    memset(samples + (4 * row + ink) * plane, 0, plane);
        check_from_state(&page, samples, errors, i);
        free(errors);
        free(samples);
    }
}

static const ht_page_t good_page = {.width = 10,
                                    .inks = 1,
                                    .bits = 8,
                                    .segment = HT_DEFAULT_SEGMENT,
                                    .band = 4};

static void the_default_page_has_a_fast_engine(void **state)
{
    for (const char *const *name = ht_engine_names(); *name; name++)
        if (!engine_can_do(*name, &good_page))
            print_message("# SKIP %s: not on this machine\n", *name);

    ht_page_t page = good_page;
    ht_engine_t *engine = NULL;

    (void)state;
    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
    assert_string_not_equal(ht_engine_name(engine), REFERENCE);
    ht_engine_close(engine);
}

/* The pre-roll stands in for rows before the page; a state stands in for the
 * pre-roll, so a page can begin with no error at all: of a light tone, its
 * first row then has no dot. */
static void a_given_state_replaces_the_preroll(void **state)
{
    enum { WIDTH = 80 };
    const ht_page_t page = {.width = WIDTH,
                            .inks = 1,
                            .bits = 8,
                            .segment = HT_DEFAULT_SEGMENT,
                            .band = 1};
    static const int16_t errors[WIDTH];
    uint8_t tones[WIDTH], dots[WIDTH / 8];

    (void)state;
    memset(tones, 27, sizeof tones);
    for (const char *const *name = ht_engine_names(); *name; name++)
        for (int given = 0; given < 2 && engine_can_do(*name, &page); given++) {
            ht_engine_t *engine = NULL;

            case_is("%s, %s", *name, given ? "a given state" : "the pre-roll");
            assert_int_equal(ht_engine_open(&engine, *name, &page), HT_OK);
            if (given)
                assert_int_equal(ht_engine_give_state(engine, 0, errors),
                                 HT_OK);
            assert_int_equal(ht_engine_submit(engine, tones, NULL, 1), HT_OK);
            assert_int_equal(ht_engine_end(engine), HT_OK);
            assert_int_equal(ht_engine_collect(engine, dots, 1), HT_OK);
            uint64_t count = count_dots(&page, dots, 0, 0, 1, 0, WIDTH);
            assert_between(count, given ? 0 : 1, given ? 0 : WIDTH);
            ht_engine_close(engine);
        }
}

static void check_failing_allocations(const char *name, const ht_page_t *page)
{
    for (unsigned n = 1; engine_can_do(name, page); n++) {
        ht_engine_t *engine = NULL;
        ht_status_t status;

        case_is("%s, %s, allocation %u", name,
                ht_method_info(page->method)->choice, n);
        fail_at = n;
        status = ht_engine_open(&engine, name, page);
        if (fail_at > 0) {
            fail_at = 0;
            assert_int_equal(status, HT_OK);
            ht_engine_close(engine);
            break;
        }
        assert_int_equal(status, HT_ERR_MEMORY);
        assert_null(engine);
    }
}

static void open_survives_every_failing_allocation(void **state)
{
    ht_page_t screen = good_page, inks = good_page;

    (void)state;
    screen.method = HT_SCREEN;
    inks.inks = 2;
    for (const char *const *name = ht_engine_names(); *name; name++) {
        check_failing_allocations(*name, &good_page);
        check_failing_allocations(*name, &screen);
        check_failing_allocations(*name, &inks);
    }
}

/* test_engine [MODULE] - with a module, its engine, too. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cases_test(same_dots_for_any_bands_at_widths_1_to_70),
        cases_test(same_dots_for_every_number_of_inks),
        cases_test(same_dots_of_screens_on_pages_of_several_tiles),
        cases_test(a_curve_has_the_dots_of_what_it_stands_for),
        cases_test(same_dots_with_the_heaviest_tables),
        cases_test(same_dots_with_any_thresholds_and_rules),
        cases_test(same_dots_of_several_inks_in_long_segments),
        cases_test(same_dots_on_a_wide_page),
        cases_test(same_dots_for_any_number_of_threads),
        cases_test(same_dots_and_errors_around_white_and_solid),
        cases_test(same_dots_and_errors_of_inks_that_come_and_go),
        cases_test(the_default_page_has_a_fast_engine),
        cases_test(a_given_state_replaces_the_preroll),
        cases_test(open_survives_every_failing_allocation),
    };

    if (argc > 1 && ht_engine_use_module(argv[1]) != HT_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
