/*
 * gpu_inks.c - pages that have some inks in some bands only: the CUDA engine
 * leaves the others out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "test/gpu/gpu_test.h"

/* Makes samples of which each ink is only in some bands of the page, and inked
 * [rows], as for ht_engine_submit(). */
static uint8_t *make_bands(const ht_page_t *page, uint16_t *inked,
                           uint64_t seed)
{
    size_t plane = page->width * (page->bits / 8);
    uint8_t *samples =
        make_samples((enum content)(seed % CONTENTS), page->width, page->height,
                     page->inks, page->bits, seed);

    for (uint32_t ink = 0; ink < page->inks; ink++)
        for (size_t y = 0; y < page->height;) {
            bool bare = random_below(&seed, 3) > 0;
            size_t most = random_below(&seed, 2) ? 12 : 100;
            size_t end = y + 1 + random_below(&seed, (uint32_t)most);

            for (; y < end && y < page->height; y++)
                if (bare)
                    memset(samples + (y * page->inks + ink) * plane, 0, plane);
                else
                    inked[y] |= (uint16_t)(1u << ink);
        }
    return samples;
}

/* Prints a page, with as many rows at once as there is room for: of a page
 * whose height the engine is not told, `known`, the ring holds a part and bands
 * wrap in it. Returns the state behind them, too, since on bare paper an error
 * leaves no dot: `lines`, to be freed. */
static int16_t *print_page(const char *name, const ht_page_t *page, bool known,
                           const uint8_t *samples, const uint16_t *inked,
                           uint8_t *dots, size_t *lines)
{
    ht_engine_t *engine;
    ht_page_t told = *page;
    size_t row = (size_t)page->inks * page->width * (page->bits / 8);

    told.height = known ? page->height : 0;
    assert_int_equal(ht_engine_open(&engine, name, &told), HT_OK);
    for (size_t y = 0; y < page->height;) {
        size_t rows =
            page->height - y < page->band ? page->height - y : page->band;
        size_t done =
            ht_engine_room(engine) < rows ? ht_engine_ready(engine) : 0;

        assert_int_equal(ht_engine_collect(engine, dots, done), HT_OK);
        dots += done * dot_row_bytes(page);
        assert_int_equal(
            ht_engine_submit(engine, samples + y * row, inked + y, rows),
            HT_OK);
        y += rows;
    }
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_collect(engine, dots, ht_engine_ready(engine)),
                     HT_OK);
    int16_t *left = state_behind(engine, page, page->height, lines);
    assert_null(ht_engine_trouble(engine));
    ht_engine_close(engine);
    return left;
}

void check_inks(const ht_page_t *page, uint64_t seed)
{
    size_t bytes = page->height * dot_row_bytes(page);
    uint16_t *inked = calloc(page->height, sizeof *inked);
    uint8_t *samples = make_bands(page, inked, seed);
    uint8_t *got = poisoned(bytes), *wanted = poisoned(bytes);
    size_t lines;
    int16_t *left =
        print_page(ENGINE, page, seed % 2, samples, inked, got, &lines);
    int16_t *right =
        print_page("reference", page, true, samples, inked, wanted, &lines);

    compare_dots(ENGINE, page, page->height, seed, got, wanted);
    compare_state(ENGINE, page, page->height, seed, left, right, lines);
    free(left);
    free(right);
    free(inked);
    free(samples);
    free(got);
    free(wanted);
}

/* The engine leaves out what has neither ink nor error, while launches are on
 * the way that may leave some. */
TEST(inks_come_and_go)
{
    for (uint64_t seed = 1; seed <= PAGES; seed++) {
        uint64_t random = seed;
        ht_page_t page = random_page(&random);

        page.height = 1 + random_below(&random, 600);
        check_inks(&page, seed);
    }
}
