/*
 * rows_any.c - pages of all methods: any shape, band, table and number of
 * threads, and what engines may skip.
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
#include "test/quick.h"
#include "test/unit/engine_rows.h"

static void make_narrow(struct checked_page *t, uint32_t i)
{
    uint32_t width = 1 + i / HT_METHODS;
    uint64_t seed = t->seed;

    t->page = (ht_page_t){.method = (ht_method_t)(i % HT_METHODS),
                          .width = width,
                          .inks = 1 + random_below(&seed, 4),
                          .bits = 8 + 8 * random_below(&seed, 2),
                          .segment = (uint32_t[]){0, 16, 17, 128}[width % 4],
                          .cells = (uint32_t[]){0, 4, 13, 32}[width / 4 % 4],
                          .across = (uint32_t[]){0, 720, 360}[width % 3],
                          .down = (uint32_t[]){0, 360, 720}[width % 3],
                          .band = 1 + random_below(&seed, 9)};
    t->rows = 1 + random_below(&seed, 70);
    fill(t, (enum content)(width % CONTENTS));
}

static void make_inks(struct checked_page *t, uint32_t i)
{
    uint32_t inks = 1 + i / HT_METHODS / 2;

    t->page = (ht_page_t){.method = (ht_method_t)(i % HT_METHODS),
                          .width = 301,
                          .inks = inks,
                          .bits = i / HT_METHODS % 2 ? 16 : 8,
                          .segment = 64,
                          .band = 7};
    t->rows = 17;
    fill(t, (enum content)(inks % CONTENTS));
}

/* Up to ten inks, of which some are lighter ones, also of lighter ones. */
static void make_lighter(struct checked_page *t, uint32_t i)
{
    uint64_t seed = t->seed;
    ht_method_t method = (ht_method_t)(i % HT_METHODS);

    t->page = (ht_page_t){.method = method,
                          .width = 1 + random_below(&seed, 500),
                          .inks = 2 + random_below(&seed, 9),
                          .bits = i % 3 == 0 ? 8 : 16,
                          .segment = i % 4 ? 16 + random_below(&seed, 200) : 0,
                          .levels = i % 5 < 2 ? 2 + i % 5 * 2 : 2,
                          .mixed = i % 2 * 16,
                          .area = {5461, 10923, HT_WHOLE_DOT},
                          .band = 1 + random_below(&seed, 20),
                          .threads = 1 + i % 3};
    for (uint32_t ink = 1; ink < t->page.inks; ink++)
        if (random_below(&seed, 3) > 0)
            t->page.lighter[ink] = (ht_lighter_t){
                .share = (uint16_t)(1 + random_below(&seed, INT16_MAX)),
                .of = (uint8_t)random_below(&seed, ink)};
    t->rows = 1 + random_below(&seed, 60);
    fill(t, (enum content)(i % CONTENTS));
}

/* Ranks that repeat, in both directions, and for inks that share a screen. */
static void make_tiles(struct checked_page *t, uint32_t i)
{
    t->page = (ht_page_t){.method = HT_SCREEN,
                          .width = 100 + 61 * i,
                          .inks = 1 + i % HT_MAX_INKS,
                          .bits = i / HT_MAX_INKS % 2 ? 16 : 8,
                          .cells = HT_MIN_CELLS + i % (HT_MAX_CELLS - 3),
                          .band = 90};
    t->rows = 300;
    fill(t, (enum content)(i % CONTENTS));
}

/* With and without rules for inks together. */
static void make_curved(struct checked_page *t, uint32_t i)
{
    uint64_t seed = t->seed;
    ht_method_t method = (ht_method_t)(i / 8 % HT_METHODS);

    if (ht_method_info(method)->table && i % 3 == 0)
        t->table = table_without_rules(HT_TDFED4);
    t->page = (ht_page_t){.method = method,
                          .table = t->table,
                          .width = 1 + random_below(&seed, 400),
                          .inks = 1 + random_below(&seed, 6),
                          .bits = 8,
                          .curves = t->curves.of,
                          .segment = i % 5 ? 16 + random_below(&seed, 200) : 0,
                          .band = 1 + random_below(&seed, 20),
                          .threads = 1 + i % 3};
    t->rows = 1 + random_below(&seed, 60);
    make_curves(&t->curves, i % CURVE_KINDS, t->seed);
    fill(t, (enum content)(i % CONTENTS));
}

/* Tables of the largest weights that are accepted: half of the tones give all
 * that goes down to the columns behind, the others all to the next pixel. At a
 * side of the page, where rows turn, both meet on a pixel. */
static void make_heaviest(struct checked_page *t, uint32_t i)
{
    static const uint8_t high[HT_PATTERN_BYTES]; /* thresholds */
    ht_tone_t tones[HT_TONES];

    for (int percent = 99; t->table == NULL && percent > 0; percent--) {
        double weight = percent / 100.0;

        for (unsigned tone = 0; tone < HT_TONES; tone++) {
            bool behind = tone < HT_TONES / 2;

            tones[tone] =
                (ht_tone_t){.t_upper = 1,
                            .t_lower = 0,
                            .weight = {behind ? 0 : weight, behind ? weight : 0,
                                       0, 1 - weight},
                            .column = {1, -1, 1, 0}};
        }
        ht_table_new(&t->table, tones, high, NULL);
    }
    assert_non_null(t->table);
    t->page = (ht_page_t){.method = i % 2 ? HT_TDFED1 : HT_TDFED4,
                          .table = t->table,
                          .width = 8 + i * 13,
                          .inks = 1,
                          .bits = i % 4 < 2 ? 8 : 16,
                          .segment = i < 4 ? 0 : 16,
                          .band = 50};
    t->rows = 1000;
    fill(t, NOISE);
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
static void make_ruled(struct checked_page *t, uint32_t i)
{
    uint64_t seed = t->seed;
    ht_tone_t tones[HT_TONES];
    ht_rules_t rules = any_rules(&seed);

    for (unsigned tone = 0; tone < HT_TONES; tone++) {
        double lower = random_below(&seed, 500) / 1000.0;
        double upper = lower + random_below(&seed, 500) / 1000.0;

        if (i % 4 < 2)
            lower = upper = i % 4;
        tones[tone] = (ht_tone_t){.t_upper = upper,
                                  .t_lower = lower,
                                  .weight = {0.4, 0.2, 0.1, 0.3},
                                  .column = {1, -1, -4, 0}};
    }
    assert_int_equal(
        ht_table_new(&t->table, tones, NULL, i < 8 ? NULL : &rules), HT_OK);
    t->page = (ht_page_t){.method = i % 8 < 4 ? HT_TDFED4 : HT_TDFED1,
                          .table = t->table,
                          .width = 100 + i * 13,
                          .inks = 1 + i % 5,
                          .bits = i / 4 % 2 ? 8 : 16,
                          .segment = 64,
                          .band = 30};
    t->rows = 80;
    fill(t, (enum content)(i % CONTENTS));
}

static void make_tabled(struct checked_page *t, uint32_t i)
{
    static const char *const tables[] = {
        TESTS "/together.table", TESTS "/alone.table", TESTS "/hostile.table",
        TESTS "/feedback.table"};
    uint64_t seed = t->seed;

    t->rows = 24;
    assert_int_equal(ht_table_load(&t->table, tables[i % 4], NULL), HT_OK);
    t->page = (ht_page_t){.method = i % 5 == 2 ? HT_TDFED1 : HT_TDFED4,
                          .table = t->table,
                          .width = 1 + random_below(&seed, 200),
                          .inks = 1 + random_below(&seed, 6),
                          .bits = i % 2 ? 8 : 16,
                          .segment = i % 7 ? 16 + random_below(&seed, 60) : 0,
                          .band = 1 + random_below(&seed, 24),
                          .threads = 1 + i % 2};
    fill(t, (enum content)(i / 4 % CONTENTS));
}

/* As much feedback as thresholds leave room for, or any, or none, at tones
 * beside each other. */
static void make_feedback(struct checked_page *t, uint32_t i)
{
    uint64_t seed = t->seed;
    ht_tone_t tones[HT_TONES];
    ht_rules_t rules = any_rules(&seed);

    for (unsigned tone = 0; tone < HT_TONES; tone++) {
        const int second[] = {-2, 1, -2, tone < HT_FEEDBACK_FROM ? -4 : -2};
        double lower = random_below(&seed, 500) / 1000.0;
        double upper = lower + random_below(&seed, 500) / 1000.0;
        double most = fmin(0.25, fmin(lower, 1 - upper) / 2 - 0.0001);

        tones[tone] = (ht_tone_t){.t_upper = upper,
                                  .t_lower = lower,
                                  .begin = 0.2,
                                  .weight = {0.4, 0.2, 0.1, 0.3},
                                  .column = {1, -1, second[tone % 4], 0}};
        if (tone >= HT_FEEDBACK_FROM && most > 0)
            tones[tone].feedback =
                random_below(&seed, 3) * most * (1 + tone % 2) / 4;
    }
    assert_int_equal(
        ht_table_new(&t->table, tones, NULL, i % 3 ? &rules : NULL), HT_OK);
    t->page = (ht_page_t){.method = i % 5 == 4 ? HT_TDFED1 : HT_TDFED4,
                          .table = t->table,
                          .width = 1 + random_below(&seed, 700),
                          .inks = 1 + (i % 4 ? i % 6 : 0),
                          .bits = i % 3 == 2 ? 16 : 8,
                          .segment = i % 7 ? 16 + random_below(&seed, 140) : 0,
                          .band = 1 + random_below(&seed, 40),
                          .threads = 1 + i % 2};
    t->rows = 45 + i % 9;
    fill(t, (enum content)(i % CONTENTS));
}

/* Rows without cuts, or with few: what goes from pixel to pixel and from ink to
 * ink has to come across whatever an engine cuts a row into. */
static void make_long_segments(struct checked_page *t, uint32_t i)
{
    t->page = (ht_page_t){.method = i % 4 == 3 ? HT_FLOYD_STEINBERG : HT_TDFED4,
                          .width = 600 + 21 * i,
                          .inks = 2 + i % 5,
                          .bits = i % 4 < 2 ? 8 : 16,
                          .segment = i % 2 ? 400 : 0,
                          .band = 11};
    t->rows = 25;
    fill(t, i < 10 ? NOISE : PHOTO);
}

/* With more columns than 16 bits can count, also where tests are quick. */
static void make_wide(struct checked_page *t, uint32_t i)
{
    t->page = (ht_page_t){.method = (ht_method_t)i,
                          .width = HT_MAX_WIDTH / one_in(3),
                          .inks = 1,
                          .bits = 8,
                          .segment = HT_DEFAULT_SEGMENT,
                          .band = 3};
    t->rows = 5 / one_in(2);
    fill(t, TEXT);
}

/* As people print them, for --bench. */
static void make_usual(struct checked_page *t, uint32_t i)
{
    t->page = (ht_page_t){.method = (ht_method_t)(i % HT_METHODS),
                          .width = 2400,
                          .inks = i / HT_METHODS % 2 ? 4 : 1,
                          .bits = 8,
                          .segment = HT_DEFAULT_SEGMENT,
                          .band = 64,
                          .threads = 1};
    t->rows = 64;
    fill(t, i < 2 * HT_METHODS ? PHOTO : TEXT);
}

static void make_threaded(struct checked_page *t, uint32_t i)
{
    uint32_t content = (i + i / 12) % CONTENTS;

    t->page = (ht_page_t){.width = 1500,
                          .inks = i / 6 % 2 ? 4 : 1,
                          .bits = 8,
                          .segment = 16 + 30 * content,
                          .band = 40,
                          .threads = (uint32_t[]){1, 2, 3, 7, 1000}[i / 12]};
    t->rows = 45;
    fill(t, (enum content)content);
}

/* Where engines may skip: single errors of a size that lives on or dies at
 * once come into areas of white and solid. */
static void make_skipped(struct checked_page *t, uint32_t i)
{
    static const int16_t sizes[] = {1, -1, 2, -2, 3, HT_ONE, -HT_ONE};
    uint64_t seed = t->seed;

    t->page = (ht_page_t){.method = i % 8 == 5   ? HT_TDFED1
                                    : i % 8 == 3 ? HT_FLOYD_STEINBERG
                                                 : HT_TDFED4,
                          .width = 600 + i,
                          .inks = i % 3 == 0 ? 4 : 1,
                          .bits = i % 5 == 0 ? 16 : 8,
                          .segment = (uint32_t[]){0, 16, 64, 128}[i % 4],
                          .band = 80};
    t->rows = 80;
    fill(t, BLOCKS);

    size_t plane = t->page.width * (t->page.bits / 8);
    for (size_t row = 0; row < t->rows; row++)
        if (row / 8 % 2 == 1) /* an ink of eight rows has nothing */
            memset(t->samples +
                       (row * t->page.inks + row / 16 % t->page.inks) * plane,
                   0, plane);

    int16_t *errors = begin_state(t, 300);
    size_t count = (size_t)t->page.inks * t->page.width;
    for (size_t at = random_below(&seed, 200); at < count;
         at += 1 + random_below(&seed, 200))
        errors[at] = sizes[random_below(&seed, 7)];
}

/* Gives each of four inks samples in a few rows of its own, not the first ones,
 * and one an error in the last column: an ink that has neither is left out, and
 * comes back when it has. */
static void make_coming_and_going(struct checked_page *t, uint32_t i)
{
    t->page = (ht_page_t){.method = i % 4 == 3   ? HT_TDFED1
                                    : i % 4 == 1 ? HT_FLOYD_STEINBERG
                                                 : HT_TDFED4,
                          .width = 300 + i,
                          .inks = 4,
                          .bits = i % 2 ? 16 : 8,
                          .segment = i % 3 ? 64 : 0,
                          .band = 40};
    t->rows = 40;
    fill(t, NOISE);

    size_t plane = t->page.width * (t->page.bits / 8);
    for (size_t row = 0; row < t->rows; row++)
        for (size_t ink = 0; ink < 4; ink++)
            if (row / 5 != 1 + ink)
                memset(t->samples + (4 * row + ink) * plane, 0, plane);
    begin_state(t, 300)[(i % 4 + 1) * t->page.width - 1] = HT_ONE / 2;
}

const struct engine_row any_rows[] = {
    {"widths 1 to 70", 70 * HT_METHODS, 1, make_narrow},
    {"lighter inks", 60, 5, make_lighter},
    {"every number of inks", 2 * HT_MAX_INKS *HT_METHODS, 7, make_inks},
    {"screens of several tiles", 30, 7, make_tiles},
    {"curves", 96, 5, make_curved},
    {"the heaviest tables", 8, 1, make_heaviest},
    {"any thresholds and rules", 32, 1, make_ruled},
    {"tables with rules", 180, 1, make_tabled},
    {"feedback of dots", 90, 1, make_feedback},
    {"several inks in long segments", 20, 3, make_long_segments},
    {"wide pages", HT_METHODS, 1, make_wide},
    {"photos and text", 4 * HT_METHODS, 7, make_usual},
    {"any number of threads", 60, 3, make_threaded},
    {"errors around white and solid", 32, 1, make_skipped},
    {"inks that come and go", 24, 1, make_coming_and_going},
    {0}};
