/*
 * pages.h - test pages and a runner that feeds them to an engine in bands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_PAGES_H
#define TEST_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "halftone/halftone.h"

/* A seeded sequence, the same everywhere (splitmix64). */
uint64_t next_random(uint64_t *seed);
uint32_t random_below(uint64_t *seed, uint32_t limit);

/* Walks over the methods of which a field of ht_method_info_t is true. */
#define EACH_METHOD(method, field)                                             \
    for (ht_method_t method = 0; method < HT_METHODS; method++)                \
        if (ht_method_info(method)->field)

enum content {
    NOISE,    /* every sample at random */
    RAMP,     /* tones along both axes */
    TEXT,     /* mostly bare paper, solid strokes with gray edges */
    EXTREMES, /* runs of white, solid and the tones beside them */
    BLOCKS,   /* wide areas of white and solid, here and there a gray pixel */
    PHOTO,    /* no white or solid; in half of the rows nothing near them */
    CONTENTS
};

/* Allocates samples [rows][inks][width] of `bits`; free() them. */
void *make_samples(enum content content, uint32_t width, size_t rows,
                   uint32_t inks, uint32_t bits, uint64_t seed);

size_t dot_row_bytes(const ht_page_t *page); /* all inks of a row */

/* Whether an engine does a page here: some leave kinds of pages to others, or
 * lack what they need on this machine. */
bool engine_can_do(const char *name, const ht_page_t *page);

/* Submits rows, and half of the time says what inks they have: no less, at
 * times more. */
ht_status_t submit_rows(ht_engine_t *engine, const ht_page_t *page,
                        const void *samples, size_t rows, uint64_t *seed);

/* The built-in table of a method, without rules for inks together. The caller
 * frees it. */
ht_table_t *table_without_rules(ht_method_t method);

/* For ht_page_t.curves: the first kind is the same for all inks, the others are
 * not; the third has no tones between light and dark. */
#define CURVE_KINDS 4
struct curves {
    uint16_t sample[HT_MAX_INKS][256];
    const uint16_t *of[HT_MAX_INKS];
};
void make_curves(struct curves *curves, unsigned kind, uint64_t seed);

/* Gives a page drops of several sizes, of up to `most` levels: equal steps, the
 * finest ones, or any.
 */
void give_sizes(ht_page_t *page, uint64_t seed, uint32_t most);

/* Takes the curves from a page, if it has any, and returns the samples of 16
 * bits that `rows` of its rows stand for, to be freed; otherwise NULL. */
uint16_t *take_curves(ht_page_t *page, const void *samples, size_t rows);

/* Halftones `rows` rows through the reference in one piece: those of a page
 * with curves as the samples of 16 bits that they stand for. */
void reference_page(const ht_page_t *page, const void *samples, size_t rows,
                    uint8_t *dots);

/*
 * Halftones `rows` rows through engine `name` in bands of random heights
 * 1..page->band (seed 0: always page->band), collecting random numbers of
 * ready rows in between. The engine is closed and opened anew, with its state
 * handed to one called `heir`, before row `handover` (SIZE_MAX: never).
 *
 *   dots  [rows][inks][ht_row_bytes()]
 */
void halftone_page(const char *name, const char *heir, const ht_page_t *page,
                   const void *samples, size_t rows, size_t handover,
                   uint64_t seed, uint8_t *dots);

/*
 * Memory for what an engine is to write, of a pattern that no page leaves, and
 * with bytes behind it that no engine may touch: a missed write shows and a
 * stray one, too. free() it.
 */
void *poisoned(size_t bytes);

/* As if it were new, to be written again. */
void poison(void *memory, size_t bytes);

/* Fails if what is behind poisoned() memory is no longer as it was. */
void check_guard(const void *memory, size_t bytes);

/* Returns the state of an engine that has done `rows` rows, *lines of them,
 * to be freed. */
int16_t *state_behind(ht_engine_t *engine, const ht_page_t *page, uint64_t rows,
                      size_t *lines);

/* Fail, naming the engine, the page and the place, unless dots
 * [rows][inks][ht_row_bytes()] or a state [lines][width] in poisoned() memory
 * are those wanted, and nothing behind them was touched. */
void compare_dots(const char *name, const ht_page_t *page, size_t rows,
                  uint64_t seed, const uint8_t *got, const uint8_t *wanted);
void compare_state(const char *name, const ht_page_t *page, size_t rows,
                   uint64_t seed, const int16_t *got, const int16_t *wanted,
                   size_t lines);

/* Dots of one ink in columns first..last-1 of rows top..bottom-1. */
uint64_t count_dots(const ht_page_t *page, const uint8_t *dots, uint32_t ink,
                    size_t top, size_t bottom, uint32_t first, uint32_t last);

#endif
