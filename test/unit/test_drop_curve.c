/*
 * test_drop_curve.c - drops of several sizes cover as much of the paper as
 * whole dots do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/round_dots.h"
#include "page/drop_curve.h"
#include "test/cases.h"
#include "test/unit/no_memory.h"

#define SIDE 256 /* pixels of a tint */
#define LEAD 32  /* rows at its top that are not measured */

static ht_page_t page_of(ht_method_t method, uint32_t inks, uint32_t mixed)
{
    return (ht_page_t){.method = method,
                       .inks = inks,
                       .segment = HT_DEFAULT_SEGMENT,
                       .levels = 4,
                       .mixed = mixed,
                       .area = {5461, 10923, HT_WHOLE_DOT}};
}

/* Curves are an ink's from bare paper to solid, whatever the page is. */
TEST(rises_from_paper_to_solid)
{
    static const ht_method_t methods[] = {HT_TDFED4, HT_TDFED1,
                                          HT_FLOYD_STEINBERG, HT_SCREEN};
    static const uint32_t inks[] = {1, 3, 4};

    for (int i = 0; i < 12; i++) {
        const ht_page_t page =
            page_of(methods[i % 4], inks[i / 4], i % 2 ? 0 : HT_MAX_MIXED);
        struct curve_points curve[CURVE_INKS];

        case_is("method %d, %u inks", page.method, page.inks);
        assert_true(drop_curve_make(curve, &page, NULL, true));
        for (uint32_t k = 0; k < page.inks; k++) {
            const struct curve_points *points = &curve[k];

            assert_int_equal(points->count, 52);
            for (unsigned p = 1; p < points->count; p++)
                if (points->x[p] <= points->x[p - 1] ||
                    points->y[p] < points->y[p - 1])
                    fail_msg("ink %u falls at %g", k, points->x[p]);
            assert_float_equal(points->x[0] + points->y[0], 0, 0);
            assert_float_equal(points->x[51] + points->y[51], 2, 0);
        }
    }
}

/* ---- Tints ------------------------------------------------------------- */

/* Returns how much of the paper a tint of all inks covers with its last ink,
 * 0..1. */
static double cover_of(const ht_page_t *of, const double *tones)
{
    ht_page_t page = *of;
    ht_engine_t *engine = NULL;
    const size_t bytes = (page.width = SIDE, ht_row_bytes(&page));
    uint16_t *samples = calloc(SIDE * SIDE * page.inks, sizeof *samples);
    uint8_t *dots = calloc(SIDE * page.inks, bytes);
    static struct round_dots round[HT_MAX_LEVELS - 1];
    uint64_t count = 0;

    page.bits = 16;
    page.band = page.height = SIDE;
    page.threads = 1;
    for (uint32_t i = 0; i < SIDE * SIDE * page.inks; i++)
        samples[i] = (uint16_t)lround(65535 * tones[i / SIDE % page.inks]);
    assert_int_equal(ht_engine_open(&engine, "cpu", &page), HT_OK);
    assert_int_equal(ht_engine_submit(engine, samples, NULL, SIDE), HT_OK);
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_collect(engine, dots, SIDE), HT_OK);
    ht_engine_close(engine);
    for (unsigned size = 0; size + 1 < page.levels; size++)
        round_drops_init(&round[size], round_diameters[page.inks - 1],
                         page.area[size] / (double)HT_WHOLE_DOT);
    for (int y = LEAD; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            uint64_t parts[ROUND_WORDS] = {0};

            for (int n = 0; n < ROUND_NEIGHBOURS; n++) {
                const int column = x + n % 3 - 1;
                const uint8_t *row =
                    dots + ((y + n / 3) * (int)page.inks - 1) * (int)bytes;
                const unsigned size =
                    ht_size_at(row, page.levels, (uint32_t)column);

                if (size > 0)
                    round_dots_cover(&round[size - 1], 1u << n, parts);
            }
            for (int word = 0; word < ROUND_WORDS; word++)
                count += (uint64_t)__builtin_popcountll(parts[word]);
        }
    free(samples);
    free(dots);
    return (double)count / ROUND_PARTS / ((SIDE - 1 - LEAD) * (SIDE - 2));
}

/* Tints of tones that are no steps of the ramps, alone and beside others; the
 * last two of five sizes. */
TEST(covers_what_whole_dots_cover)
{
    static const double tones[] = {.04, .13, .24, .37, .5, .63, .76, .9};

    static const uint16_t fifths[] = {3277, 6554, 9830, 13107, HT_WHOLE_DOT};

    for (int i = 0; i < 6; i++) {
        ht_page_t page =
            page_of(HT_TDFED4, i % 2 ? 4 : 1, i / 2 ? 0 : HT_MAX_MIXED);
        if (i >= 4) {
            page.levels = 6;
            memcpy(page.area, fifths, sizeof page.area);
        }
        ht_page_t whole = page;
        struct curve_points curve[CURVE_INKS];
        double most = 0;

        whole.levels = 2;
        whole.area[0] = HT_WHOLE_DOT;
        assert_true(drop_curve_make(curve, &page, NULL, true));
        for (size_t t = 0; t < sizeof tones / sizeof tones[0]; t++) {
            double in_whole[CURVE_INKS] = {.15, .15, .15, .15};
            double in_drops[CURVE_INKS];

            in_whole[page.inks - 1] = tones[t];
            for (uint32_t k = 0; k < page.inks; k++)
                in_drops[k] = curve_points_at(&curve[k], in_whole[k]);
            const double wanted = cover_of(&whole, in_whole);
            const double got = cover_of(&page, in_drops);
            const double before = cover_of(&page, in_whole);

            case_is("%u levels, %u inks, mixed %u, tone %g", page.levels,
                    page.inks, page.mixed, tones[t]);
            if (fabs(got - wanted) > 0.025)
                fail_msg("%g is covered, not %g", got, wanted);
            most = fmax(most, fabs(before - wanted));
        }
        assert_true(most > 0.05);
    }
}

/* To a part, and whole dots are the model's. */
TEST(drops_have_their_areas)
{
    static struct round_dots drops, whole;

    for (int ink = 0; ink < COLOR_INKS; ink++) {
        double all = 0;

        round_dots_init(&whole, round_diameters[ink], 0, 0);
        for (int n = 0; n < ROUND_NEIGHBOURS; n++)
            all += round_dots_area(&whole, 1u << n);
        for (int i = 0; i <= 50; i++) {
            double area = 0;

            round_drops_init(&drops, round_diameters[ink], i / 50.0);
            for (int n = 0; n < ROUND_NEIGHBOURS; n++)
                area += round_dots_area(&drops, 1u << n);
            assert_float_equal(area, i / 50.0 * all, 0.501 / ROUND_PARTS);
        }
        assert_memory_equal(&drops, &whole, sizeof drops);
    }
}

/* ---- Memory ------------------------------------------------------------ */

TEST(ends_without_memory)
{
    const ht_page_t page = page_of(HT_TDFED4, 4, HT_MAX_MIXED);
    struct curve_points curve[CURVE_INKS];
    unsigned failed = 0;

    do {
        fail_at = ++failed;
    } while (!drop_curve_make(curve, &page, NULL, true));
    fail_at = 0;
    assert_true(failed > 10);
}
