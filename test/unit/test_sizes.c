/*
 * test_sizes.c - drops of several sizes: which ones a pixel chooses from, and
 * how much of them there is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "halftone/sizes.h"
#include "test/cases.h"
#include "test/unit/pages.h"

/* ---- Spans --------------------------------------------------------------- */

static const struct ht_sizes sizes = {
    .levels = 4, .area = {0, 4000, 10000, HT_ONE}, .mixed = HT_MAX_MIXED};

static void assert_span(int32_t tone, uint32_t left_out, int32_t low,
                        int32_t high, uint8_t level)
{
    struct ht_span span = ht_span_of(&sizes, tone, 77, left_out);

    case_is("tone %d, without size %u", tone, left_out);
    assert_int_equal(span.low, low);
    assert_int_equal(span.high, high);
    assert_int_equal(span.level, level);
}

/* 255 (7000 - 4000) / 6000 is 127.5, 255 * 2000 / 4000 too. */
TEST(a_span_lies_around_the_tone)
{
    assert_span(0, 0, 0, 4000, 1);
    assert_span(2000, 0, 0, 4000, 128);
    assert_span(3999, 0, 0, 4000, 254);
    assert_span(4000, 0, 4000, 10000, 1);
    assert_span(7000, 0, 4000, 10000, 128);
    assert_span(10000, 0, 10000, HT_ONE, 1);
    assert_span(HT_ONE, 0, 10000, HT_ONE, 254);
}

TEST(a_size_that_is_left_out_widens_spans)
{
    assert_span(2000, 1, 0, 10000, 51);
    assert_span(7000, 1, 0, 10000, 179);
    assert_span(7000, 2, 4000, HT_ONE, 62);
    assert_span(12000, 1, 10000, HT_ONE, 80);
    assert_span(12000, 2, 4000, HT_ONE, 165);
}

/* With two sizes the second one is the whole dot, and never left out. */
TEST(a_whole_dot_keeps_the_level)
{
    const struct ht_sizes two = {.levels = 3, .area = {0, 4000, HT_ONE}};
    struct ht_span span = ht_span_of(&two, 9000, 77, 1);

    assert_int_equal(span.low, 0);
    assert_int_equal(span.high, HT_ONE);
    assert_int_equal(span.level, 77);
    span = ht_span_of(&two, 9000, 77, 2);
    assert_int_equal(span.low, 4000);
    assert_int_equal(span.high, HT_ONE);
}

TEST(magenta_leaves_out_another_size_than_the_others)
{
    static const uint32_t of_three[] = {1, 1, 2, 1, 1, 2, 1};

    assert_int_equal(ht_size_left_out(0, 1, 4), 1);
    for (uint32_t ink = 0; ink < 3; ink++)
        assert_int_equal(ht_size_left_out(ink, 3, 4), of_three[ink + 1]);
    for (uint32_t ink = 0; ink < 7; ink++) {
        assert_int_equal(ht_size_left_out(ink, 7, 4), of_three[ink]);
        assert_int_equal(ht_size_left_out(ink, 7, 3), 3 - of_three[ink]);
    }
}

/* ---- Pages --------------------------------------------------------------- */

#define SIDE 256
#define INKS 4

static const ht_page_t thirds = {.width = SIDE,
                                 .inks = INKS,
                                 .bits = 8,
                                 .segment = HT_DEFAULT_SEGMENT,
                                 .levels = 4,
                                 .band = SIDE,
                                 .area = {5461, 10923, HT_WHOLE_DOT}};

static const ht_page_t fifths = {
    .width = SIDE,
    .inks = INKS,
    .bits = 8,
    .segment = HT_DEFAULT_SEGMENT,
    .levels = 6,
    .band = SIDE,
    .area = {3277, 6554, 9830, 13107, HT_WHOLE_DOT}};

/* Drops of each size of an ink. */
struct drop_count {
    uint32_t count[HT_MAX_LEVELS];
};

static void count_drops(struct drop_count drops[INKS], const ht_page_t *page,
                        const uint8_t *dots)
{
    const size_t bytes = ht_row_bytes(page);

    memset(drops, 0, INKS * sizeof *drops);
    for (size_t line = 0; line < (size_t)SIDE * INKS; line++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const uint8_t *row = dots + line * bytes;

            drops[line % INKS].count[ht_size_at(row, page->levels, x)]++;
        }
}

static void print_flat(struct drop_count drops[INKS], const ht_page_t *page,
                       uint8_t sample)
{
    static uint8_t samples[SIDE * INKS * SIDE],
        dots[SIDE * INKS * SIDE / 8 * 3];
    ht_engine_t *engine = NULL;

    memset(samples, sample, sizeof samples);
    assert_int_equal(ht_engine_open(&engine, NULL, page), HT_OK);
    assert_int_equal(ht_engine_submit(engine, samples, NULL, SIDE), HT_OK);
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_collect(engine, dots, SIDE), HT_OK);
    ht_engine_close(engine);
    count_drops(drops, page, dots);
}

/* Returns the area that drops cover, of 255. */
static double covered(const ht_page_t *page, const struct drop_count *drops)
{
    double sum = 0;

    for (uint32_t size = 1; size < page->levels; size++)
        sum += drops->count[size] * (double)page->area[size - 1];
    return 255 * sum / HT_WHOLE_DOT / (SIDE * SIDE);
}

TEST(drops_cover_what_the_tone_asks_for)
{
    EACH_METHOD (method, tones)
        for (uint32_t mixed = 0; mixed <= HT_MAX_MIXED; mixed += 8)
            for (unsigned tone = 1; tone < 255; tone += 21) {
                ht_page_t page = thirds;
                struct drop_count drops[INKS];

                page.method = method;
                page.mixed = mixed;
                print_flat(drops, &page, (uint8_t)tone);
                case_is("%s, mixed %u, tone %u", ht_method_info(method)->name,
                        mixed, tone);
                for (int ink = 0; ink < INKS; ink++)
                    assert_near(covered(&page, &drops[ink]), tone, .3);
            }
}

/* Errors take a pixel to a size beside its two at most. */
TEST(five_sizes_cover_what_the_tone_asks_for)
{
    EACH_METHOD (method, tones)
        for (unsigned tone = 1; tone < 255; tone += 10) {
            ht_page_t page = fifths;
            struct drop_count drops[INKS];
            const unsigned below = tone * 5 / 255;

            page.method = method;
            print_flat(drops, &page, (uint8_t)tone);
            case_is("%s, tone %u", ht_method_info(method)->name, tone);
            for (int ink = 0; ink < INKS; ink++) {
                unsigned near = 0;

                assert_near(covered(&page, &drops[ink]), tone, .3);
                for (unsigned i = below > 0 ? below - 1 : 0;
                     i <= below + 2 && i < page.levels; i++)
                    near += drops[ink].count[i];
                if (ht_method_info(method)->diffuses)
                    assert_int_equal(near, SIDE * SIDE);
            }
        }
}

TEST(white_and_solid_have_no_drops_between)
{
    for (ht_method_t method = 0; method < HT_METHODS; method++) {
        ht_page_t page = thirds;
        struct drop_count drops[INKS];

        page.method = method;
        print_flat(drops, &page, 0);
        assert_int_equal(drops[0].count[0], SIDE * SIDE);
        print_flat(drops, &page, 255);
        assert_int_equal(drops[0].count[3], SIDE * SIDE);
    }
}

TEST(solid_has_the_largest_of_five_sizes)
{
    for (ht_method_t method = 0; method < HT_METHODS; method++) {
        ht_page_t page = fifths;
        struct drop_count drops[INKS];

        page.method = method;
        print_flat(drops, &page, 255);
        assert_int_equal(drops[0].count[5], SIDE * SIDE);
        page.levels = 5;
        page.area[3] = HT_WHOLE_DOT;
        print_flat(drops, &page, 255);
        assert_int_equal(drops[0].count[4], SIDE * SIDE);
    }
}

/* Mixing replaces the smallest size next to a tone of 152 of black, and the
 * middle size of magenta, the third ink of four. */
TEST(mixing_takes_sizes_away)
{
    ht_page_t page = thirds;
    struct drop_count drops[INKS];

    print_flat(drops, &page, 152);
    for (int ink = 0; ink < INKS; ink++) {
        assert_int_equal(drops[ink].count[0], 0);
        /* Much error that is left over takes the next size. */
        assert_in_range(drops[ink].count[3], 0, SIDE * SIDE / 1000);
    }
    page.mixed = HT_MAX_MIXED;
    print_flat(drops, &page, 152);
    assert_int_equal(drops[0].count[1], 0);
    assert_int_equal(drops[2].count[2], 0);
}

TEST(threshold_takes_the_nearest_size)
{
    static const uint8_t size[] = {0, 1, 1, 2, 2, 3},
                         sample[] = {42, 43, 127, 128, 212, 213};
    ht_page_t page = thirds;
    struct drop_count drops[INKS];

    page.method = HT_THRESHOLD;
    for (int i = 0; i < 6; i++) {
        print_flat(drops, &page, sample[i]);
        case_is("sample %u", sample[i]);
        assert_int_equal(drops[0].count[size[i]], SIDE * SIDE);
    }
}
