/*
 * rows_floyd.c - Floyd-Steinberg where the fast engines take turns of their
 * own: tones at which something changes, errors that a state brings in, pages
 * of white and solid runs, the state that a page of any number of rows leaves,
 * and errors that have few or no toned pixels to go to.
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
#include "test/unit/engine_rows.h"

static void begin(struct checked_page *t, uint32_t width, uint32_t inks,
                  uint32_t bits, size_t rows)
{
    t->page = (ht_page_t){.method = HT_FLOYD_STEINBERG,
                          .width = width,
                          .inks = inks,
                          .bits = bits,
                          .band = 32};
    t->rows = rows;
}

/* Samples chosen at random from `count` values, in runs of 1 to `run` columns.
 */
static void fill_runs(struct checked_page *t, const uint16_t *value,
                      uint32_t count, uint32_t run)
{
    size_t all = t->rows * t->page.inks * t->page.width;
    uint64_t seed = t->seed;
    uint32_t left = 0;
    uint16_t v = 0;

    t->samples = malloc(all * (t->page.bits / 8));
    assert_non_null(t->samples);
    for (size_t i = 0; i < all; i++, left--) {
        if (left == 0) {
            left = 1 + random_below(&seed, run);
            v = value[random_below(&seed, count)];
        }
        if (t->page.bits == 8)
            t->samples[i] = (uint8_t)v;
        else
            ((uint16_t *)(void *)t->samples)[i] = v;
    }
}

/* Errors of a size, or up to `spread` less, of which one in so many, at random,
 * is negative. */
static void begin_with_errors(struct checked_page *t, int size, uint32_t spread,
                              uint32_t negative)
{
    int16_t *errors = begin_state(t, 1);
    uint64_t seed = t->seed + 1;

    for (size_t i = 0; i < (size_t)t->page.inks * t->page.width; i++) {
        int error = size - (int)random_below(&seed, spread + 1);

        errors[i] = (int16_t)(random_below(&seed, negative) ? error : -error);
    }
}

/* Tones beside white, solid and those from which inks meet, and meet fully,
 * doc/dev/halftone.md "Floyd-Steinberg". */
static void make_rule_changes(struct checked_page *t, uint32_t i)
{
    static const uint16_t deep[] = {1,     3,     15,    16,    6816,  6820,
                                    10908, 10912, 32767, 65519, 65520, 65534};
    static const uint16_t shallow[] = {1, 2, 26, 27, 42, 43, 127, 253, 254};
    uint32_t inks = 1 + i % 6, run = 1 + i / 6 % 8 * 7;

    begin(t, 100 + 60 * inks, inks, i < 48 ? 16 : 8, 40);
    if (i < 48)
        fill_runs(t, deep, 12, run);
    else
        fill_runs(t, shallow, 9, run);
}

static void make_white_and_solid(struct checked_page *t, uint32_t i)
{
    static const uint16_t ends[] = {0, 0, 0, 65535, 65535, 32896};
    uint32_t run = 4;

    for (uint32_t longer = i / 2; longer > 0; longer--)
        run *= 3;
    begin(t, 700, 1 + i / 2 % 2, i % 2 ? 16 : 8, 150);
    fill_runs(t, ends, 6, run);
}

/* Errors of a few units at a few columns: their shares die out at once, but
 * may be on their way from one chunk of columns to the next. */
static void make_trace_of_error(struct checked_page *t, uint32_t i)
{
    uint64_t seed = t->seed;

    begin(t, 600, 1, 8, 1 + i % 3);
    fill_runs(t, (const uint16_t[]){0}, 1, 1);
    int16_t *errors = begin_state(t, 1);
    for (int k = 0; k < 8; k++)
        errors[random_below(&seed, 600)] =
            (int16_t)((int32_t)random_below(&seed, 15) - 7);
}

/* Beyond what a page could leave: a whole dot at each pixel. */
static void make_large_errors(struct checked_page *t, uint32_t i)
{
    begin(t, 333, 2, i % 2 ? 16 : 8, 50);
    fill(t, (enum content)(i / 2 % CONTENTS));
    begin_with_errors(t, HT_ONE >> 3 * (i / (2 * CONTENTS)), 0, 2);
}

static void make_any_rows(struct checked_page *t, uint32_t i)
{
    begin(t, 14 + 13 * i, 3, 8, 1 + i);
    fill(t, (enum content)((1 + i) % CONTENTS));
}

/* Toned pixels alone, in columns, in rows, and mixed with white and solid: what
 * an error may go to lies on any side, or nowhere, also across bands and what
 * engines do at a time. */
static void make_beside(struct checked_page *t, uint32_t i)
{
    static const uint16_t kinds[][6] = {{0, 0, 0, 0, 0, 0x8080},
                                        {0, 0x8080, 0, 0x0101, 0, 0xfefe},
                                        {0, 0xffff, 0, 0xffff, 0, 0x4040},
                                        {0x8080, 0x3030, 0xfefe, 0, 0xffff, 10},
                                        {0xffff, 0xffff, 0xffff, 0, 0xc0c0, 9},
                                        {0x7070, 0x9090, 0x8080, 1, 0xfffe, 99},
                                        {0, 0xffff, 0, 0xffff, 0, 0}};
    uint64_t seed = t->seed;
    uint32_t width = i < 140 ? 1 + i % 70 : 1 + random_below(&seed, 700);
    uint32_t inks = 1 + random_below(&seed, 8), bits = 8 + i / 2 % 2 * 8;

    begin(t, width, inks, bits, 1 + random_below(&seed, 110));
    t->page.band = 1 + random_below(&seed, 40);
    fill_runs(t, kinds[i % 7], 6, i % 5 ? 1 + i % 5 : 40);
    if (bits == 8 && i % 3 == 0) {
        make_curves(&t->curves, i % CURVE_KINDS, i);
        t->page.curves = t->curves.of;
    }

    size_t bytes = (size_t)inks * width * (bits / 8);
    for (size_t y = 1; i % 4 < 3 && y < t->rows; y++)
        if (random_below(&seed, 4) > 0) /* a row like the one above it */
            memcpy(t->samples + y * bytes, t->samples + (y - 1) * bytes, bytes);
}

/* Photos, where nearly all errors get the usual shares: the few white pixels
 * lie anywhere. */
static void make_holes(struct checked_page *t, uint32_t i)
{
    uint64_t seed = t->seed;
    uint32_t bytes = 1 + i % 2, holes = 1 + i % 3;

    begin(t, 500 + 7 * i, 1 + i % 4, 8 * bytes, 70);
    fill(t, PHOTO);
    for (uint32_t k = 0; k < holes; k++) {
        size_t all = t->rows * t->page.inks * t->page.width;
        size_t at = random_below(&seed, (uint32_t)all);

        memset(t->samples + at * bytes, random_below(&seed, 2) ? 0 : 255,
               bytes);
    }
}

/* Single light or dark pixels, which pass on up to a dot each, some of which
 * meet: from errors of a dot these are more than 16 bits hold. */
static void make_meeting_errors(struct checked_page *t, uint32_t i)
{
    static const uint16_t kinds[][6] = {{0, 0, 0, 12, 9, 20},
                                        {0, 12, 9, 255, 250, 240},
                                        {255, 255, 200, 255, 190, 0},
                                        {0, 1, 2, 3, 1, 1}};

    begin(t, 600, 1, 8, 20);
    fill_runs(t, kinds[i % 4], 6, 1 + i / 4 % 3);
    begin_with_errors(t, HT_ONE, 0, 2);
}

/* Areas of single pixels and toned areas, between which columns and rows have
 * the slope of an engine's lanes: in toned areas engines take less care, but
 * large errors come in from the others. */
static void make_slopes(struct checked_page *t, uint32_t i)
{
    static const uint8_t kinds[][6] = {{0, 0, 0, 1, 254, 253},
                                       {255, 255, 255, 254, 1, 2},
                                       {0, 0, 60, 12, 254, 254},
                                       {0, 12, 255, 240, 1, 254}};
    enum { WIDTH = 700, ROWS = 40 };
    const uint8_t *kind = kinds[i % 4];
    const uint32_t slope = i / 4 % 2 ? 8 : 3, from = i / 8;
    uint64_t seed = t->seed;

    begin(t, WIDTH, 1, 8, ROWS);
    t->samples = malloc(WIDTH * ROWS);
    assert_non_null(t->samples);
    for (uint32_t k = 0; k < WIDTH * ROWS; k++) {
        uint32_t at = k % WIDTH + slope * (k / WIDTH) + from;

        t->samples[k] = at % 96 < 20 ? kind[random_below(&seed, 4)]
                                     : kind[4 + random_below(&seed, 2)];
    }
    begin_with_errors(t, HT_ONE, 1999, 4);
    for (uint32_t x = 0; x < WIDTH; x++)
        if ((x + from) % 96 >= 20)
            t->state[x] = 0;
}

const struct engine_row floyd_rows[] = {
    {"tones where rules change", 96, 1, make_rule_changes},
    {"white and solid", 18, 1, make_white_and_solid},
    {"white after a trace of error", 300, 1, make_trace_of_error},
    {"errors of a dot at most", 10 * CONTENTS, 1, make_large_errors},
    {"any number of rows", 40, 1, make_any_rows},
    {"any bands beside white and solid", 280, 1, make_beside},
    {"photos with single holes", 60, 1, make_holes},
    {"more errors meet than fit", 200, 1, make_meeting_errors},
    {"toned areas that begin aslant", 256, 1, make_slopes},
    {0}};
