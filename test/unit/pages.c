/*
 * pages.c - test pages and a runner that feeds them to an engine in bands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "halftone/definition.h"
#include "halftone/method.h"
#include "test/unit/pages.h"

#define POISON 0x88
#define GUARD 64 /* bytes */

uint64_t next_random(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t random_below(uint64_t *seed, uint32_t limit)
{
    return (uint32_t)(next_random(seed) >> 32) % limit;
}

static uint32_t text_sample(uint32_t x, size_t y, uint32_t full)
{
    uint32_t column = x % 23, row = (uint32_t)(y % 41);

    if (row > 24 || column > 12 || (x / 23 + y / 41) % 3 == 0)
        return 0;
    if (column < 4 || row < 4)
        return full;
    return column == 4 || row == 4 ? full / 3 : 0;
}

static uint32_t extreme_sample(uint64_t *seed, uint32_t *run, uint32_t *value,
                               uint32_t full)
{
    if (*run == 0) {
        const uint32_t values[] = {0, full, 1, full - 1, full / 255, full / 2};

        *run = 1 + random_below(seed, 40);
        *value = values[random_below(seed, 6)];
    }
    --*run;
    return *value;
}

/* Every area is as high as a few swaths and as wide as a few segments. */
static uint32_t block_sample(uint32_t x, size_t y, uint32_t ink, uint64_t seed,
                             uint32_t full)
{
    uint64_t area = seed + x / 90 * 7919 + y / 20 * 104729 + ink * 31;
    uint64_t pixel = seed + x * 65537 + y * 257 + ink;

    if (random_below(&pixel, 3000) == 0)
        return full / 3;
    return random_below(&area, 3) == 0 ? full : 0;
}

/* Scaled from 0..255: 5..250 in 24 rows, 15..240 in the next 24, and so on. */
static uint32_t photo_sample(uint64_t *seed, size_t y, uint32_t full)
{
    uint32_t least = y / 24 % 2 == 0 ? 5 : 15;

    return full / 255 * (least + random_below(seed, 256 - 2 * least));
}

void *make_samples(enum content content, uint32_t width, size_t rows,
                   uint32_t inks, uint32_t bits, uint64_t seed)
{
    size_t count = rows * inks * width, i = 0;
    uint32_t full = bits == 8 ? 255 : 65535, run = 0, value = 0;
    uint8_t *samples = malloc(count * (bits / 8));

    assert_non_null(samples);
    for (size_t y = 0; y < rows; y++)
        for (uint32_t ink = 0; ink < inks; ink++)
            for (uint32_t x = 0; x < width; x++, i++) {
                uint32_t v = 0;

                switch (content) {
                case NOISE:
                    v = random_below(&seed, full + 1);
                    break;
                case RAMP:
                    v = (uint32_t)((x * 3 + y * 2 + ink * 50) * 131 %
                                   (full + 1));
                    break;
                case TEXT:
                    v = text_sample(x, y, full);
                    break;
                case PHOTO:
                    v = photo_sample(&seed, y, full);
                    break;
                case BLOCKS:
                    v = block_sample(x, y, ink, seed, full);
                    break;
                default:
                    v = extreme_sample(&seed, &run, &value, full);
                }
                if (bits == 8)
                    samples[i] = (uint8_t)v;
                else
                    ((uint16_t *)(void *)samples)[i] = (uint16_t)v;
            }
    return samples;
}

size_t dot_row_bytes(const ht_page_t *page)
{
    return page->inks * ht_row_bytes(page);
}

bool engine_can_do(const char *name, const ht_page_t *page)
{
    ht_engine_t *engine = NULL;
    ht_status_t status = ht_engine_open(&engine, name, page);

    ht_engine_close(engine);
    assert_true(status == HT_OK || status == HT_ERR_ENGINE);
    return status == HT_OK;
}

static ht_engine_t *open_engine(const char *name, const ht_page_t *page)
{
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(&engine, name, page), HT_OK);
    return engine;
}

/* Hands the state over; rows that the first had not finished are to be
 * submitted again. */
static ht_engine_t *hand_over(ht_engine_t *from, const char *heir,
                              const ht_page_t *page, size_t *submitted,
                              uint8_t **dots)
{
    int16_t *errors =
        calloc(ht_engine_state_lines(from) * page->width, sizeof *errors);
    ht_engine_t *to = open_engine(heir, page);
    size_t ready = ht_engine_ready(from);
    uint64_t row = 0;

    assert_non_null(errors);
    assert_int_equal(ht_engine_take_state(from, &row, errors), HT_OK);
    assert_int_equal(ht_engine_collect(from, *dots, ready), HT_OK);
    *dots += ready * dot_row_bytes(page);
    *submitted = (size_t)row;
    assert_int_equal(ht_engine_give_state(to, row, errors), HT_OK);
    assert_null(ht_engine_trouble(from));
    ht_engine_close(from);
    free(errors);
    return to;
}

/* The inks that a row has. */
static uint16_t inks_of(const ht_page_t *page, const uint8_t *row)
{
    size_t plane = (size_t)page->width * (page->bits / 8);
    uint16_t inks = 0;

    for (uint32_t ink = 0; ink < page->inks; ink++)
        for (size_t i = 0; i < plane; i++)
            if (row[ink * plane + i] != 0)
                inks |= (uint16_t)(1u << ink);
    return inks;
}

ht_status_t submit_rows(ht_engine_t *engine, const ht_page_t *page,
                        const void *samples, size_t rows, uint64_t *seed)
{
    size_t row_bytes = (size_t)page->inks * page->width * (page->bits / 8);
    uint16_t *inked;
    ht_status_t status;

    if (random_below(seed, 2) == 0)
        return ht_engine_submit(engine, samples, NULL, rows);
    inked = calloc(rows, sizeof *inked);
    assert_non_null(inked);
    for (size_t row = 0; row < rows; row++) {
        inked[row] = inks_of(page, (const uint8_t *)samples + row * row_bytes);
        if (random_below(seed, 4) == 0)
            inked[row] |= (uint16_t)next_random(seed);
    }
    status = ht_engine_submit(engine, samples, inked, rows);
    free(inked);
    return status;
}

ht_table_t *table_without_rules(ht_method_t method)
{
    ht_table_t *builtin = NULL, *table = NULL;

    assert_int_equal(ht_method_of(method)->own[HT_SQUARE].make(&builtin),
                     HT_OK);
    assert_int_equal(ht_table_new(&table, ht_table_tones(builtin), NULL, NULL),
                     HT_OK);
    ht_table_free(builtin);
    return table;
}

/* The samples of the last bands, as long as an engine may read them. */
struct lent {
    uint8_t *bands; /* [count][bytes] */
    size_t count, next, bytes;
};

static void lent_open(struct lent *lent, const ht_page_t *page)
{
    *lent = (struct lent){.count = (size_t)page->lent + 1,
                          .bytes = (size_t)page->band * page->inks *
                                   page->width * (page->bits / 8)};
    lent->bands = poisoned(lent->count * lent->bytes);
}

/* Submits rows, and spoils those of the oldest band. */
static ht_status_t submit_lent(struct lent *lent, ht_engine_t *engine,
                               const ht_page_t *page, const void *samples,
                               size_t rows, uint64_t *seed)
{
    size_t bytes = rows * page->inks * page->width * (page->bits / 8);
    uint8_t *band = lent->bands + lent->next * lent->bytes;
    ht_status_t status;

    memcpy(band, samples, bytes);
    status = submit_rows(engine, page, band, rows, seed);
    lent->next = (lent->next + 1) % lent->count;
    memset(lent->bands + lent->next * lent->bytes, 0x5a, lent->bytes);
    return status;
}

void halftone_page(const char *name, const char *heir, const ht_page_t *shape,
                   const void *samples, size_t rows, size_t handover,
                   uint64_t seed, uint8_t *dots)
{
    uint64_t hints = seed; /* a sequence of its own */
    ht_page_t lends = *shape, *page = &lends;
    struct lent lent;

    if (seed && random_below(&hints, 2) == 0)
        page->lent = random_below(&hints, HT_MAX_LENT + 1);
    lent_open(&lent, page);

    ht_engine_t *engine = open_engine(name, page);
    size_t sample_row = (size_t)page->inks * page->width * (page->bits / 8);
    size_t submitted = 0;

    while (submitted < rows) {
        size_t left = rows - submitted;
        size_t band = seed ? 1 + random_below(&seed, page->band) : page->band;
        size_t ready = ht_engine_ready(engine);
        size_t some = ready;

        if (submitted >= handover && submitted > 0) {
            engine = hand_over(engine, heir, page, &submitted, &dots);
            handover = SIZE_MAX;
            continue;
        }
        if (seed && ready + page->band <= 2 * (size_t)page->band)
            some = random_below(&seed, (uint32_t)ready + 1);
        assert_int_equal(ht_engine_collect(engine, dots, some), HT_OK);
        dots += some * dot_row_bytes(page);
        band = band < left ? band : left;
        assert_int_equal(
            submit_lent(&lent, engine, page,
                        (const uint8_t *)samples + submitted * sample_row, band,
                        &hints),
            HT_OK);
        submitted += band;
    }
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_collect(engine, dots, ht_engine_ready(engine)),
                     HT_OK);
    assert_null(ht_engine_trouble(engine));
    ht_engine_close(engine);
    free(lent.bands);
}

/* Chooses the 254 samples between white and solid. */
static void fill_curve(uint16_t *sample, unsigned kind, double gamma,
                       uint64_t *seed)
{
    double sum[255] = {0};

    for (unsigned v = 1; v < 255; v++)
        sum[v] = sum[v - 1] + random_below(seed, 100);
    for (unsigned v = 1; v < 255; v++) {
        double share = pow(v / 255.0, gamma);

        if (kind == 2)
            share = v < 30 + 100 * gamma ? 0 : 1;
        else if (kind == 3)
            share = sum[v] / sum[254];
        sample[v] = (uint16_t)(1 + 65533 * share);
    }
    sample[0] = 0;
    sample[255] = 65535;
}

void make_curves(struct curves *curves, unsigned kind, uint64_t seed)
{
    for (unsigned ink = 0; ink < HT_MAX_INKS; ink++) {
        curves->of[ink] = curves->sample[ink];
        fill_curve(curves->sample[ink], kind,
                   kind == 0 ? 1.3 : 0.5 + 0.2 * (ink % 5), &seed);
    }
}

void give_sizes(ht_page_t *page, uint64_t seed, uint32_t most)
{
    static const uint32_t mixed[] = {0, HT_MAX_MIXED, 1, 8, HT_MAX_MIXED - 1};
    uint32_t kind = random_below(&seed, 5);
    uint32_t levels = 3 + random_below(&seed, most - 2);
    uint32_t sizes = levels - 1, area = 0;

    for (uint32_t i = 1; i < sizes; i++) {
        uint32_t behind = sizes - i; /* so many more come */

        if (kind == 0)
            area = i;
        else if (kind == 1)
            area = HT_WHOLE_DOT - behind;
        else if (kind < 4)
            area += 1 + random_below(&seed, HT_WHOLE_DOT - behind - area);
        else
            area = HT_WHOLE_DOT * i / sizes;
        page->area[i - 1] = (uint16_t)area;
    }
    page->levels = levels;
    page->area[sizes - 1] = HT_WHOLE_DOT;
    page->mixed = levels > HT_MIXED_LEVELS ? 0 : mixed[random_below(&seed, 5)];
}

uint16_t *take_curves(ht_page_t *page, const void *samples, size_t rows)
{
    size_t plane = page->width, count = page->inks * plane * rows;
    uint16_t *deep;

    if (page->curves == NULL)
        return NULL;
    deep = calloc(count, sizeof *deep);
    assert_non_null(deep);
    for (size_t i = 0; i < count; i++)
        deep[i] =
            page->curves[i / plane % page->inks][((const uint8_t *)samples)[i]];
    page->bits = 16;
    page->curves = NULL;
    return deep;
}

void reference_page(const ht_page_t *page, const void *samples, size_t rows,
                    uint8_t *dots)
{
    ht_page_t whole = *page;
    uint16_t *deep = take_curves(&whole, samples, rows);

    whole.band = (uint32_t)rows;
    halftone_page("reference", NULL, &whole, deep != NULL ? deep : samples,
                  rows, SIZE_MAX, 0, dots);
    free(deep);
}

void poison(void *memory, size_t bytes)
{
    memset(memory, POISON, bytes);
}

void *poisoned(size_t bytes)
{
    void *memory = malloc(bytes + GUARD);

    assert_non_null(memory);
    poison(memory, bytes + GUARD);
    return memory;
}

void check_guard(const void *memory, size_t bytes)
{
    for (size_t i = bytes; i < bytes + GUARD; i++)
        assert_int_equal(((const uint8_t *)memory)[i], POISON);
}

/* `what` is so many bytes, in rows of row_bytes. */
static void compare(const char *name, const char *what, const ht_page_t *page,
                    size_t rows, uint64_t seed, const void *got,
                    const void *wanted, size_t bytes, size_t row_bytes)
{
    const uint8_t *a = got, *b = wanted;

    for (size_t i = 0; i < bytes; i++)
        if (a[i] != b[i])
            fail_msg(
                "%s: %s, width %u, rows %zu, inks %u, bits %u, "
                "%slevels %u, mixed %u, segment %u, band %u, seed %llu: "
                "%s differ, row %zu, byte %zu",
                name, ht_method_info(page->method)->choice, page->width, rows,
                page->inks, page->bits, page->curves != NULL ? "curves, " : "",
                page->levels, page->mixed, page->segment, page->band,
                (unsigned long long)seed, what, i / row_bytes, i % row_bytes);
    check_guard(got, bytes);
}

void compare_dots(const char *name, const ht_page_t *page, size_t rows,
                  uint64_t seed, const uint8_t *got, const uint8_t *wanted)
{
    size_t row_bytes = dot_row_bytes(page);

    compare(name, "dots", page, rows, seed, got, wanted, rows * row_bytes,
            row_bytes);
}

int16_t *state_behind(ht_engine_t *engine, const ht_page_t *page, uint64_t rows,
                      size_t *lines)
{
    uint64_t row;

    *lines = ht_engine_state_lines(engine);
    int16_t *state = poisoned(*lines * page->width * sizeof *state);
    assert_int_equal(ht_engine_take_state(engine, &row, state), HT_OK);
    assert_int_equal(row, rows);
    return state;
}

void compare_state(const char *name, const ht_page_t *page, size_t rows,
                   uint64_t seed, const int16_t *got, const int16_t *wanted,
                   size_t lines)
{
    size_t plane = page->width * sizeof *got;

    compare(name, "states", page, rows, seed, got, wanted, lines * plane,
            plane);
}

uint64_t count_dots(const ht_page_t *page, const uint8_t *dots, uint32_t ink,
                    size_t top, size_t bottom, uint32_t first, uint32_t last)
{
    size_t plane = ((size_t)page->width + 7) / 8;
    uint64_t count = 0;

    for (size_t y = top; y < bottom; y++) {
        const uint8_t *row = dots + y * dot_row_bytes(page) + ink * plane;

        for (uint32_t x = first; x < last; x++)
            count += row[x / 8] >> (7 - x % 8) & 1;
    }
    return count;
}
