/*
 * engines.c - a page through all engines, described by a few bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "test/fuzz/engines.h"
#include "test/fuzz/run.h"
#include "test/unit/pages.h"

#define MOST_SAMPLES 8000u /* of a page, for a thousand pages a second */
#define RARE 1024u

static uint32_t word(const uint8_t *of)
{
    return of[0] | (uint32_t)of[1] << 8;
}

/* One in RARE of the descriptions: a fuzzer would learn any field's value that
 * gives wide pages, and do little else, as they take seconds. */
static bool is_rare(const uint8_t *of)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < ENGINES_BYTES; i++)
        sum = sum * 31 + of[i];
    return next_random(&sum) % RARE == 0;
}

/* Mostly narrow, at times of many segments, rarely as wide as may be: where
 * rows inherit something, 64 come before such a page. */
static uint32_t width_of(const uint8_t *of)
{
    uint32_t width = word(of + ENGINES_WIDTH);

    return width < 0xf800 ? 1 + width % 150
           : is_rare(of)  ? HT_MAX_WIDTH - width % 200
                          : 1 + width % 2500;
}

static uint32_t segment_of(uint8_t byte)
{
    static const uint32_t usual[] = {0, HT_DEFAULT_SEGMENT, HT_MIN_SEGMENT, 17};

    return byte < 128 ? usual[byte % 4] : HT_MIN_SEGMENT + 5u * (byte - 128u);
}

/* A method that takes the table, if there is one. */
static ht_method_t method_of(uint8_t byte, const ht_table_t *table)
{
    if (table != NULL)
        return byte % 2 ? HT_TDFED1 : HT_TDFED4;
    return (ht_method_t)(byte % HT_METHODS);
}

/* Drops of one size in half of the pages, and of any two to five, which may be
 * neighbors, in the rest. */
static struct engines_sizes sizes_of(const uint8_t *of)
{
    struct engines_sizes sizes = {.levels = of[0] % 8 < 4 ? 2 : of[0] % 8 - 1,
                                  .mixed = of[1] % (HT_MAX_MIXED + 1)};
    const uint32_t between = sizes.levels - 2; /* sizes below a whole dot */
    uint32_t area = 0;

    for (uint32_t i = 0; i < between; i++) {
        area += 1 + word(of + 2 + 2 * (i % 2)) %
                        (HT_WHOLE_DOT - between + i - area);
        sizes.area[i] = (uint16_t)area;
    }
    sizes.area[between] = HT_WHOLE_DOT;
    if (sizes.levels > HT_MIXED_LEVELS)
        sizes.mixed = 0;
    return sizes;
}

static uint64_t seed_of(const uint8_t *of)
{
    uint64_t seed;

    memcpy(&seed, of, sizeof seed);
    return seed;
}

/* The page and how many rows it has. */
static size_t describe(ht_page_t *page, const uint8_t *of,
                       const ht_table_t *table,
                       const struct engines_sizes *sizes)
{
    const ht_method_t method = method_of(of[0], table);

    *page = (ht_page_t){
        .method = method,
        .table = table,
        .width = width_of(of),
        .inks = 1 + of[4] % 5u,
        .bits = of[5] & 1 ? 16 : 8,
        .segment = segment_of(of[6]),
        .cells = of[7] < HT_MIN_CELLS || of[7] > HT_MAX_CELLS ? 0 : of[7],
        .band = 1 + of[8] % 24u,
        .threads = 1 + of[9] % 4u,
        .levels = sizes->levels,
        .mixed = sizes->mixed};
    memcpy(page->area, sizes->area, sizeof page->area);
    if (page->width > HT_MAX_WIDTH / 2)
        page->inks = 1;
    else if (of[4] > 250)
        page->inks = HT_MAX_INKS;

    size_t most = MOST_SAMPLES / ((size_t)page->width * page->inks);
    size_t rows = 1 + of[10] % 64u;

    return rows < most ? rows : most < 1 ? 1 : most;
}

/* One other engine, with itself, the reference or an other behind it. */
static void check_engine(const char *name, const ht_page_t *page,
                         const void *samples, size_t rows, size_t handover,
                         uint64_t seed, const uint8_t *wanted)
{
    const char *reference = ht_engine_names()[0];
    uint8_t *dots = poisoned(rows * dot_row_bytes(page));

    halftone_page(name, seed % 3 ? reference : name, page, samples, rows,
                  handover, seed, dots);
    compare_dots(name, page, rows, seed, dots, wanted);
    if (seed % 4 == 0) {
        poison(dots, rows * dot_row_bytes(page));
        halftone_page(reference, name, page, samples, rows, handover, seed,
                      dots);
        compare_dots(name, page, rows, seed, dots, wanted);
    }
    free(dots);
}

void engines_check(const uint8_t *of, const ht_table_t *table,
                   const struct engines_sizes *sizes)
{
    const struct engines_sizes described = sizes_of(of + ENGINES_SIZES);
    const bool all = table != NULL || of[11] % 8 == 0;
    static struct curves curves;
    unsigned turn = 0;
    uint64_t seed = seed_of(of + 12) | 1;
    ht_page_t page;
    size_t rows =
        describe(&page, of, table, sizes != NULL ? sizes : &described);
    size_t handover = of[11] < 128 ? SIZE_MAX : of[11] % rows;

    if (page.bits == 8 && of[5] & 2) {
        make_curves(&curves, of[5] >> 2 & 3, seed);
        page.curves = curves.of;
    }
    void *samples = make_samples((enum content)(of[1] / 3 % CONTENTS),
                                 page.width, rows, page.inks, page.bits, seed);
    uint8_t *wanted = poisoned(rows * dot_row_bytes(&page));

    reference_page(&page, samples, rows, wanted);
    for (const char *const *name = ht_engine_names() + 1; *name; name++)
        if ((all || seed / 8 % 4 == turn++ % 4) && engine_can_do(*name, &page))
            check_engine(*name, &page, samples, rows, handover, seed, wanted);
    free(wanted);
    free(samples);
}
