/*
 * test_floyd.c - Floyd-Steinberg by every engine against the reference
 * where the fast engines take turns of their own: tones at which something
 * changes, errors that a state brings in, pages of white and solid runs, the
 * state that a page of any number of rows leaves, and errors that have few or
 * no toned pixels to go to.
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
#include "test/cases.h"
#include "test/unit/pages.h"

/* What a page leaves, dots and state. */
struct floyd_result {
    uint8_t *dots;
    int16_t *state; /* [lines][width] */
    size_t lines;
};

/* Begins a page with these errors [inks][width]; where inks meet, with any
 * company and light that a row can leave, too. */
static void give_state(ht_engine_t *engine, const ht_page_t *page,
                       const int16_t *errors)
{
    size_t lines = ht_engine_state_lines(engine), width = page->width;
    size_t known = page->inks * width, all = lines * width;
    int16_t *state = calloc(all, sizeof *state);
    uint64_t seed = width;

    assert_non_null(state);
    memcpy(state, errors, known * sizeof *state);
    for (size_t i = known; i < all; i++) {
        int most = i < all - width ? 3 * HT_ONE / 8 : HT_ONE - 1;

        state[i] = (int16_t)((int)random_below(&seed, 2u * most + 1) - most);
    }
    assert_int_equal(ht_engine_give_state(engine, 0, state), HT_OK);
    free(state);
}

/* A page in bands of page->band rows, from given errors [inks][width] or, with
 * NULL, from its beginning. */
static struct floyd_result halftoned(const char *name, const ht_page_t *page,
                                     const void *samples, size_t rows,
                                     const int16_t *given)
{
    size_t plane = (size_t)page->inks * page->width, ready;
    struct floyd_result result = {.dots = poisoned(rows * dot_row_bytes(page))};
    const uint8_t *band = samples;
    uint8_t *dots = result.dots;
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(&engine, name, page), HT_OK);
    if (given != NULL)
        give_state(engine, page, given);
    for (size_t y = 0, count; y < rows; y += count) {
        count = rows - y < page->band ? rows - y : page->band;
        assert_int_equal(ht_engine_submit(engine, band, NULL, count), HT_OK);
        band += count * plane * (page->bits / 8);
        ready = ht_engine_ready(engine);
        assert_int_equal(ht_engine_collect(engine, dots, ready), HT_OK);
        dots += ready * dot_row_bytes(page);
    }
    assert_int_equal(ht_engine_end(engine), HT_OK);
    ready = ht_engine_ready(engine);
    assert_int_equal(ht_engine_collect(engine, dots, ready), HT_OK);
    result.state = state_behind(engine, page, rows, &result.lines);
    ht_engine_close(engine);
    return result;
}

/* Every engine that has Floyd-Steinberg leaves what the reference leaves. */
static void check(const ht_page_t *page, const void *samples, size_t rows,
                  const int16_t *given)
{
    const char *const *name = ht_engine_names();
    struct floyd_result wanted = halftoned(*name, page, samples, rows, given);

    for (name++; *name != NULL; name++) {
        ht_engine_t *engine = NULL;
        struct floyd_result got;

        if (ht_engine_open(&engine, *name, page) == HT_ERR_ENGINE)
            continue;
        ht_engine_close(engine);
        case_is("%s, width %u, rows %zu, inks %u, bits %u", *name, page->width,
                rows, page->inks, page->bits);
        got = halftoned(*name, page, samples, rows, given);
        compare_dots(*name, page, rows, 0, got.dots, wanted.dots);
        compare_state(*name, page, rows, 0, got.state, wanted.state,
                      wanted.lines);
        free(got.dots);
        free(got.state);
    }
    free(wanted.dots);
    free(wanted.state);
}

static ht_page_t floyd_steinberg(uint32_t width, uint32_t inks, uint32_t bits)
{
    return (ht_page_t){.method = HT_FLOYD_STEINBERG,
                       .width = width,
                       .inks = inks,
                       .bits = bits,
                       .band = 32};
}

/* A page of samples chosen at random from `count` values, in runs of 1 to
 * `run` columns. */
static void *page_of(const ht_page_t *page, size_t rows, const uint16_t *value,
                     uint32_t count, uint32_t run, uint64_t *seed)
{
    size_t all = rows * page->inks * page->width;
    uint8_t *samples = malloc(all * (page->bits / 8));
    uint32_t left = 0;
    uint16_t v = 0;

    assert_non_null(samples);
    for (size_t i = 0; i < all; i++, left--) {
        if (left == 0) {
            left = 1 + random_below(seed, run);
            v = value[random_below(seed, count)];
        }
        if (page->bits == 8)
            samples[i] = (uint8_t)v;
        else
            ((uint16_t *)(void *)samples)[i] = v;
    }
    return samples;
}

/* Tones beside white, solid and those from which inks meet, and meet fully,
 * doc/dev/halftone.md "Floyd-Steinberg". */
static void same_dots_at_the_tones_where_rules_change(void **state)
{
    static const uint16_t deep[] = {1,     3,     15,    16,    6816,  6820,
                                    10908, 10912, 32767, 65519, 65520, 65534};
    static const uint16_t shallow[] = {1, 2, 26, 27, 42, 43, 127, 253, 254};
    uint64_t seed = 11;

    (void)state;
    for (uint32_t inks = 1; inks <= 6; inks++)
        for (uint32_t run = 1; run <= 50; run += 7) {
            ht_page_t page = floyd_steinberg(100 + 60 * inks, inks, 16);
            void *samples = page_of(&page, 40, deep, 12, run, &seed);

            check(&page, samples, 40, NULL);
            free(samples);
            page.bits = 8;
            samples = page_of(&page, 40, shallow, 9, run, &seed);
            check(&page, samples, 40, NULL);
            free(samples);
        }
}

static void same_dots_in_white_and_solid_whatever_comes_in(void **state)
{
    static const uint16_t ends[] = {0, 0, 0, 65535, 65535, 32896};
    uint64_t seed = 12;

    (void)state;
    for (uint32_t bits = 8; bits <= 16; bits += 8)
        for (uint32_t run = 4; run <= 50000; run *= 3) {
            ht_page_t page = floyd_steinberg(700, 1 + run % 2, bits);
            void *samples = page_of(&page, 150, ends, 6, run, &seed);

            check(&page, samples, 150, NULL);
            free(samples);
        }
}

/* Errors of a few units at a few columns: their shares die out at once, but
 * may be on their way from one chunk of columns to the next. */
static void same_state_after_white_with_a_trace_of_error(void **state)
{
    static const uint16_t white[] = {0};
    uint64_t seed = 14;

    (void)state;
    for (size_t round = 0; round < 300; round++) {
        size_t rows = 1 + round % 3;
        ht_page_t page = floyd_steinberg(600, 1, 8);
        void *samples = page_of(&page, rows, white, 1, 1, &seed);
        int16_t errors[600] = {0};

        for (int i = 0; i < 8; i++)
            errors[random_below(&seed, 600)] =
                (int16_t)((int32_t)random_below(&seed, 15) - 7);
        check(&page, samples, rows, errors);
        free(samples);
    }
}

/* Beyond what a page could leave: a whole dot at each pixel. */
static void same_dots_from_any_errors_of_a_dot_at_most(void **state)
{
    uint64_t seed = 13;

    (void)state;
    for (enum content content = NOISE; content < CONTENTS; content++)
        for (uint32_t bits = 8; bits <= 16; bits += 8)
            for (uint32_t most = HT_ONE; most > 0; most /= 8) {
                ht_page_t page = floyd_steinberg(333, 2, bits);
                int16_t errors[2 * 333];
                void *samples = make_samples(content, 333, 50, 2, bits, most);

                for (size_t i = 0; i < 2 * 333; i++)
                    errors[i] = (int16_t)((int32_t)most *
                                          (random_below(&seed, 2) ? 1 : -1));
                check(&page, samples, 50, errors);
                free(samples);
            }
}

static void same_state_after_any_number_of_rows(void **state)
{
    (void)state;
    for (size_t rows = 1; rows <= 40; rows++) {
        ht_page_t page = floyd_steinberg(1 + 13 * (uint32_t)rows, 3, 8);
        void *samples = make_samples((enum content)(rows % CONTENTS),
                                     page.width, rows, 3, 8, rows);

        check(&page, samples, rows, NULL);
        free(samples);
    }
}

/* The page through the reference in one piece, and through every engine in
 * random bands, handed over at a random row: from it and to it. */
static void check_bands(const ht_page_t *page, const void *samples, size_t rows,
                        uint64_t seed)
{
    const char *const *names = ht_engine_names();
    size_t bytes = rows * dot_row_bytes(page);
    uint8_t *wanted = poisoned(bytes), *got = poisoned(bytes);

    reference_page(page, samples, rows, wanted);
    for (const char *const *name = names + 1; *name != NULL; name++)
        for (int way = 0; way < 3 && engine_can_do(*name, page); way++) {
            size_t row = random_below(&seed, (uint32_t)rows + 1);

            case_is("%s, width %u, rows %zu, inks %u, bits %u, way %d", *name,
                    page->width, rows, page->inks, page->bits, way);
            poison(got, bytes);
            halftone_page(way == 2 ? names[0] : *name,
                          way == 1 ? names[0] : *name, page, samples, rows, row,
                          seed, got);
            compare_dots(*name, page, rows, seed, got, wanted);
        }
    free(wanted);
    free(got);
}

/* Makes some rows like those above them. */
static void repeat_rows(const ht_page_t *page, uint8_t *samples, size_t rows,
                        uint64_t *seed)
{
    size_t bytes = (size_t)page->inks * page->width * (page->bits / 8);

    for (size_t y = 1; y < rows; y++)
        if (random_below(seed, 4) > 0)
            memcpy(samples + y * bytes, samples + (y - 1) * bytes, bytes);
}

/* Toned pixels alone, in columns, in rows, and mixed with white and solid: what
 * an error may go to lies on any side, or nowhere, also across bands and what
 * engines do at a time. */
static void same_dots_beside_white_and_solid_in_any_bands(void **state)
{
    static const uint16_t kinds[][6] = {{0, 0, 0, 0, 0, 0x8080},
                                        {0, 0x8080, 0, 0x0101, 0, 0xfefe},
                                        {0, 0xffff, 0, 0xffff, 0, 0x4040},
                                        {0x8080, 0x3030, 0xfefe, 0, 0xffff, 10},
                                        {0xffff, 0xffff, 0xffff, 0, 0xc0c0, 9},
                                        {0x7070, 0x9090, 0x8080, 1, 0xfffe, 99},
                                        {0, 0xffff, 0, 0xffff, 0, 0}};
    static struct curves curves;
    uint64_t seed = 15;

    (void)state;
    for (uint32_t i = 0; i < 420; i++) {
        uint32_t width = i < 210 ? 1 + i % 70 : 1 + random_below(&seed, 700);
        uint32_t bits = 8 + i / 2 % 2 * 8, run = i % 5 ? 1 + i % 5 : 40;
        ht_page_t page =
            floyd_steinberg(width, 1 + random_below(&seed, 8), bits);
        size_t rows = 1 + random_below(&seed, 110);
        uint8_t *samples = page_of(&page, rows, kinds[i % 7], 6, run, &seed);

        assert_true(engine_can_do("cpu-plain", &page));
        page.band = 1 + random_below(&seed, 40);
        if (bits == 8 && i % 3 == 0) {
            make_curves(&curves, i % CURVE_KINDS, i);
            page.curves = curves.of;
        }
        if (i % 4 < 3)
            repeat_rows(&page, samples, rows, &seed);
        check_bands(&page, samples, rows, i + 1);
        free(samples);
    }
}

/* Photos, where nearly all errors get the usual shares: the few white pixels
 * lie anywhere. */
static void same_dots_of_photos_with_single_holes(void **state)
{
    uint64_t seed = 16;

    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        uint32_t bits = 8 + i % 2 * 8, holes = 1 + i % 3;
        ht_page_t page = floyd_steinberg(500 + 7 * i, 1 + i % 4, bits);
        size_t rows = 70, all = rows * page.inks * page.width;
        uint8_t *samples =
            make_samples(PHOTO, page.width, rows, page.inks, bits, i);

        for (uint32_t k = 0; k < holes; k++) {
            size_t at = random_below(&seed, (uint32_t)all);
            memset(samples + at * (bits / 8), random_below(&seed, 2) ? 0 : 255,
                   bits / 8);
        }
        check_bands(&page, samples, rows, i + 1);
        check(&page, samples, rows, NULL);
        free(samples);
    }
}

/* Single light or dark pixels, which pass on up to a dot each, some of which
 * meet: from errors of a dot these are more than 16 bits hold. */
static void same_dots_where_more_errors_meet_than_fit(void **state)
{
    static const uint16_t kinds[][6] = {{0, 0, 0, 12, 9, 20},
                                        {0, 12, 9, 255, 250, 240},
                                        {255, 255, 200, 255, 190, 0},
                                        {0, 1, 2, 3, 1, 1}};
    uint64_t seed = 17;

    (void)state;
    for (uint32_t i = 0; i < 200; i++) {
        ht_page_t page = floyd_steinberg(600, 1, 8);
        int16_t errors[600];
        uint8_t *samples =
            page_of(&page, 20, kinds[i % 4], 6, 1 + i / 4 % 3, &seed);

        for (size_t x = 0; x < 600; x++)
            errors[x] = random_below(&seed, 2) ? HT_ONE : -HT_ONE;
        check(&page, samples, 20, errors);
        free(samples);
    }
}

/* Areas of single pixels and toned areas, between which columns and rows have
 * the slope of an engine's lanes: in toned areas engines take less care, but
 * large errors come in from the others. */
static void same_dots_where_toned_areas_begin_aslant(void **state)
{
    static const uint8_t kinds[][6] = {{0, 0, 0, 1, 254, 253},
                                       {255, 255, 255, 254, 1, 2},
                                       {0, 0, 60, 12, 254, 254},
                                       {0, 12, 255, 240, 1, 254}};
    uint64_t seed = 18;

    (void)state;
    for (uint32_t i = 0; i < 256; i++) {
        enum { WIDTH = 700, ROWS = 40 };
        const uint8_t *kind = kinds[i % 4];
        const uint32_t slope = i / 4 % 2 ? 8 : 3, begin = i / 8;
        ht_page_t page = floyd_steinberg(WIDTH, 1, 8);
        uint8_t *samples = malloc(WIDTH * ROWS);
        int16_t errors[WIDTH];

        assert_non_null(samples);
        for (uint32_t k = 0; k < WIDTH * ROWS; k++) {
            uint32_t at = k % WIDTH + slope * (k / WIDTH) + begin;

            samples[k] = at % 96 < 20 ? kind[random_below(&seed, 4)]
                                      : kind[4 + random_below(&seed, 2)];
        }
        for (uint32_t x = 0; x < WIDTH; x++) {
            int error = HT_ONE - (int)random_below(&seed, 2000);

            if (random_below(&seed, 4) == 0)
                error = -error;
            errors[x] = (int16_t)((x + begin) % 96 < 20 ? error : 0);
        }
        check(&page, samples, ROWS, errors);
        free(samples);
    }
}

/* Whoever asks for an engine by name gets it for each method that it has. */
static void engines_of_one_name_share_the_methods(void **state)
{
    ht_page_t page = floyd_steinberg(100, 1, 8);

    (void)state;
    EACH_METHOD (method, diffuses) {
        ht_engine_t *engine = NULL;

        page.method = (ht_method_t)method;
        case_is("%s", ht_method_info(page.method)->choice);
        page.segment = HT_DEFAULT_SEGMENT;
        assert_int_equal(ht_engine_open(&engine, "cpu-plain", &page), HT_OK);
        assert_string_equal(ht_engine_name(engine), "cpu-plain");
        ht_engine_close(engine);
    }
}

/* test_floyd [MODULE] - with a module, its engine, too. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cases_test(same_dots_at_the_tones_where_rules_change),
        cases_test(same_dots_in_white_and_solid_whatever_comes_in),
        cases_test(same_state_after_white_with_a_trace_of_error),
        cases_test(same_dots_from_any_errors_of_a_dot_at_most),
        cases_test(same_state_after_any_number_of_rows),
        cases_test(same_dots_beside_white_and_solid_in_any_bands),
        cases_test(same_dots_of_photos_with_single_holes),
        cases_test(same_dots_where_more_errors_meet_than_fit),
        cases_test(same_dots_where_toned_areas_begin_aslant),
        cases_test(engines_of_one_name_share_the_methods),
    };

    if (argc > 1 && ht_engine_use_module(argv[1]) != HT_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
