/*
 * diffuse.c - the definition of the dots in plain C, doc/dev/halftone.md line
 * by line: 4-row serpentine tone-dependent fast error diffusion (Mao, Abello,
 * Sarkar, Ulichney, Allebach, ICIP 2018, equations 1 to 5). The scan's swath
 * height makes it the 1-row serpentine of Li and Allebach (2004) or, with
 * one swath a page and the weights of 1976, Floyd and Steinberg's.
 *
 * Never made fast at the cost of clarity: every other engine is compared
 * with this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "halftone/definition.h"
#include "halftone/method.h"

/* ---- The scan --------------------------------------------------------- */

/* H(z). */
static uint32_t hash(uint32_t z)
{
    z *= 0x9e3779b1u;
    z = (z ^ z >> 15) * 0x85ebca77u;
    z = (z ^ z >> 13) * 0xc2b2ae3du;
    return z ^ z >> 16;
}

struct ht_scan ht_scan_of(const ht_page_t *page)
{
    const ht_method_info_t *info = ht_info_of(page);

    return (struct ht_scan){.table = page->table,
                            .width = page->width,
                            .swath = info->swath,
                            .segment = info->segments ? page->segment : 0};
}

void ht_place_first(const struct ht_scan *scan, struct ht_place *place)
{
    place->row = 0;
    place->shift = scan->segment ? hash(0) % scan->segment : 0;
}

/* Moves the cuts by a quarter to three quarters of a segment from swath to
 * swath: errors that went straight down at a cut can spread in the next swath.
 */
void ht_place_next(const struct ht_scan *scan, struct ht_place *place)
{
    uint32_t t = scan->segment;

    place->row++;
    if (t == 0 || place->row % scan->swath != 0)
        return;
    uint32_t step =
        t / 4 + hash((uint32_t)(place->row / scan->swath)) % (t / 2);
    place->shift = (uint32_t)(((uint64_t)place->shift + step) % t);
}

static bool leftward(const struct ht_scan *scan, const struct ht_place *place)
{
    return ht_swath(scan, place) % 2 == 1;
}

/* ---- A pixel ---------------------------------------------------------- */

/* p. Every other copy is the inverse of the one before, and each pair is
 * shifted: without that, equal tones of two inks would print dot on dot. */
static bool pattern_dot(const ht_table_t *table, uint32_t copy, uint64_t row,
                        uint32_t column)
{
    uint32_t x = (column + copy / 2 * HT_PATTERN_RIGHT) % HT_PATTERN_SIZE;
    uint32_t y =
        (uint32_t)((row + copy / 2 * HT_PATTERN_DOWN) % HT_PATTERN_SIZE);
    uint8_t byte = table->pattern[y * (HT_PATTERN_SIZE / 8) + x / 8];

    return (byte >> (7 - x % 8) & 1) != copy % 2;
}

/* What a pixel looks at. */
static enum ht_view view_of(const ht_table_t *table, uint8_t level, bool inked,
                            bool pattern)
{
    bool middle = level >= table->middle && level < HT_LEVELS - table->middle;

    return inked && !middle ? HT_INKS : pattern ? HT_DOT : HT_NO_DOT;
}

static int32_t clamp(int32_t value, int32_t limit)
{
    return value < -limit ? -limit : value > limit ? limit : value;
}

/* R(e, w): value * weight, weight with 15 fraction bits, rounded half up. */
static int32_t weighted(int32_t value, int32_t weight)
{
    return (value * weight + (1 << (HT_WEIGHT_BITS - 1))) >> HT_WEIGHT_BITS;
}

/* t: equation (4), or between its two thresholds, and raised by the excess of
 * the inks before. */
static int32_t threshold(const struct ht_weights *w, enum ht_view view,
                         int32_t before)
{
    return ht_threshold(w, view) + weighted(before, w->avoid);
}

/* Adds an ink's excess, -e, to that of the inks before (B), and clamps it. */
static int16_t with_ink(const struct ht_scan *scan, int16_t before, int32_t e)
{
    int32_t least = scan->swath != 0 ? HT_LEAST_BEFORE : -HT_ONE;
    int32_t b = before - e;

    return (int16_t)(b < least ? least : b > HT_ONE - 1 ? HT_ONE - 1 : b);
}

/* ---- A row ------------------------------------------------------------ */

/* The columns of a segment in scan order: `count` of them, from `from` on in
 * steps of `step`. */
struct run {
    int64_t from, count;
    int step;
};

/* Diffuses the pixels of a segment, each as doc/dev/halftone.md says. Adds to
 * `below` and `dots`, which have what other segments have put. */
static void diffuse_run(const struct ht_scan *scan,
                        const struct ht_place *place, const struct ht_row *row,
                        struct run run)
{
    const uint8_t *level = row->level;
    int16_t *below = row->below, *before = row->before;
    int32_t left = 0; /* from the pixel before in this row */

    for (int64_t i = 0; i < run.count; i++) {
        int64_t x = run.from + i * run.step;
        const struct ht_weights *w = &scan->table->level[level[x]];
        int32_t u = row->tone[x] + left + row->error[x];
        bool pattern =
            pattern_dot(scan->table, row->copy, place->row, (uint32_t)x);
        bool last = i + 1 == run.count;
        int32_t t =
            threshold(w, view_of(scan->table, level[x], row->toned[x], pattern),
                      before[x]);
        bool white = level[x] == 0, solid = level[x] == HT_LEVELS - 1;
        if (last && scan->swath != 0)
            t += ht_raise(level[x]);
        bool dot = solid || (!white && u >= t);      /* (1), (5) */
        int32_t e = clamp(u - dot * HT_ONE, HT_ONE); /* -(3) */

        if (white || solid)
            e = clamp(e, HT_ONE / 2) * 3 / 4;

        /* (2); what would leave the segment sideways is not split off, and
         * so goes straight down with the rest. */
        int32_t down = e;
        left = last ? 0 : weighted(e, w->weight[0]);
        down -= left;
        for (int k = 1; k <= 2; k++) {
            int64_t j = i + w->column[k];
            if (j >= 0 && j < run.count) {
                int32_t share = weighted(e, w->weight[k]);
                int64_t to = run.from + j * run.step;
                below[to] = (int16_t)(below[to] + share);
                down -= share;
            }
        }
        below[x] = (int16_t)(below[x] + down);

        before[x] = with_ink(scan, before[x], e);
        row->toned[x] |= !white && !solid;
        if (dot)
            row->dots[x / 8] |= (uint8_t)(0x80 >> x % 8);
    }
}

void ht_diffuse_row(const struct ht_scan *scan, const struct ht_place *place,
                    const struct ht_row *row)
{
    int64_t width = scan->width, length = scan->segment ? scan->segment : width;
    bool mirrored = leftward(scan, place);
    int64_t begin = 0;

    assert(width >= 1 && place->shift < length);

    memset(row->below, 0, (size_t)width * sizeof *row->below);
    memset(row->dots, 0, ((size_t)width + 7) / 8);
    /* The first cut behind column 0, then one every `length` columns. */
    for (int64_t end = place->shift ? place->shift : length; begin < width;
         begin = end, end += length) {
        if (end > width)
            end = width;
        struct run run = {mirrored ? end - 1 : begin, end - begin,
                          mirrored ? -1 : 1};
        diffuse_run(scan, place, row, run);
    }
}

/* ---- Threshold and Screen --------------------------------------------- */

void ht_threshold_row(const int16_t *tone, const int16_t *rank, uint32_t width,
                      uint8_t *dots)
{
    (void)rank;
    memset(dots, 0, ((size_t)width + 7) / 8);
    for (uint32_t x = 0; x < width; x++) {
        bool dot = tone[x] >= HT_ONE / 2;

        dots[x / 8] |= (uint8_t)(dot << (7 - x % 8));
    }
}

void ht_screen_row(const int16_t *tone, const int16_t *rank, uint32_t width,
                   uint8_t *dots)
{
    memset(dots, 0, ((size_t)width + 7) / 8);
    for (uint32_t x = 0; x < width; x++) {
        bool dot = tone[x] > rank[x % HT_SCREEN_SIZE];

        dots[x / 8] |= (uint8_t)(dot << (7 - x % 8));
    }
}
