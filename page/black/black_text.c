/*
 * black_text.c - shapes of equal pixels that are nearly black and thin.
 *
 * A run of a row joins the shapes of the runs above it that it touches. A
 * shape is a chain of runs: each knows a later one of its shape, and the last
 * one what is known of the shape. So the runs of a row can go with the row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "page/black/black_text.h"
#include "page/bytes.h"
#include "page/black/strokes.h"

#define MOST_RUNS ((uint64_t)1 << 17) /* of the rows that are kept */
#define MOST_BYTES (64u << 20)        /* of samples that are kept */
#define MOST_GROUNDS 2                /* tones around a shape */
#define SPARE_ROWS 3u /* beside those that wait: above, taken, coming */

enum shape_state { OPEN, TEXT, STAYS };

struct text_run {
    uint32_t first, end; /* pixels */
    uint64_t shape;      /* number of a later run of the shape, or its own */
    /* Of the shape, in the run whose number is its own. */
    uint64_t tone;
    uint64_t ground[MOST_GROUNDS];
    uint8_t grounds;
    uint8_t state; /* enum shape_state */
};

/* ---- Memory ------------------------------------------------------------- */

static struct text_run *run_at(const struct black_text *t, uint64_t number)
{
    return &t->runs[number % MOST_RUNS];
}

/* Returns the number behind the last run of a row that was put. */
static uint64_t runs_end(const struct black_text *t, size_t row)
{
    return t->from[(row + 1) % t->ring.rows];
}

bool black_text_open(struct black_text *t, const struct black *black,
                     const uint32_t dpi[2])
{
    const size_t padded = ((size_t)black->width + BYTES - 1) / BYTES * BYTES;

    *t = (struct black_text){.black = black,
                             .across = strokes_pixels(dpi[0]),
                             .down = strokes_pixels(dpi[1])};
    const size_t most =
        MOST_BYTES / ((size_t)black->inks * black->width * (black->bits / 8));
    size_t waiting = (size_t)dpi[1] * 100 / 254;
    if (waiting > most)
        waiting = most;
    if (waiting < 2)
        waiting = 2;
    if (t->down > waiting) /* else squares would be seen too late */
        t->down = (uint32_t)waiting;
    const bool ring = row_ring_open(&t->ring, black->inks, black->width,
                                    black->bits, waiting + SPARE_ROWS);
    t->dark[0] = calloc(1, padded);
    t->dark[1] = calloc(1, padded);
    t->tall = calloc(1, padded);
    t->runs = malloc(MOST_RUNS * sizeof *t->runs);
    t->from = calloc(t->ring.rows, sizeof *t->from);
    return ring && t->dark[0] != NULL && t->dark[1] != NULL &&
           t->tall != NULL && t->runs != NULL && t->from != NULL;
}

void black_text_close(struct black_text *t)
{
    row_ring_close(&t->ring);
    free(t->dark[0]);
    free(t->dark[1]);
    free(t->tall);
    free(t->runs);
    free(t->from);
}

/* ---- Shapes ------------------------------------------------------------- */

/* Returns the run that knows the shape of a run, and shortens the way to it. */
static struct text_run *shape_of(const struct black_text *t, uint64_t number)
{
    uint64_t last = number;

    while (run_at(t, last)->shape != last)
        last = run_at(t, last)->shape;
    while (number != last) {
        struct text_run *run = run_at(t, number);

        number = run->shape;
        run->shape = last;
    }
    return run_at(t, last);
}

static void add_ground(struct text_run *shape, uint64_t tone)
{
    for (unsigned i = 0; i < shape->grounds; i++)
        if (shape->ground[i] == tone)
            return;
    if (shape->grounds == MOST_GROUNDS)
        shape->state = STAYS;
    else
        shape->ground[shape->grounds++] = tone;
}

/* Adds the shape of a run above to that of the last run. */
static void join(struct black_text *t, uint64_t above, uint64_t last)
{
    struct text_run *from = shape_of(t, above), *to = run_at(t, last);

    if (from == to)
        return;
    if (from->state == STAYS || from->tone != to->tone)
        to->state = STAYS;
    for (unsigned i = 0; i < from->grounds; i++)
        add_ground(to, from->ground[i]);
    from->shape = last;
}

/* ---- Pixels ------------------------------------------------------------- */

/* Returns the samples of a pixel, side by side. */
static uint64_t tone_at(const struct black_text *t, size_t row, size_t x)
{
    const uint8_t *plane = row_ring_at(&t->ring, row);
    uint64_t tone = 0;

    for (uint32_t k = 0; k < t->black->inks; k++, plane += t->ring.plane)
        tone = tone << 16 | (t->black->bits == 8
                                 ? plane[x]
                                 : ((const uint16_t *)(const void *)plane)[x]);
    return tone;
}

/* Tells whether the pixels first..end-1 of the row are equal. */
static bool are_equal(const struct black_text *t, size_t row, size_t first,
                      size_t end)
{
    const size_t sample = t->black->bits / 8;
    const uint8_t *from = row_ring_at(&t->ring, row) + first * sample;

    for (uint32_t k = 0; k < t->black->inks; k++, from += t->ring.plane)
        if (memcmp(from, from + sample, (end - first - 1) * sample) != 0)
            return false;
    return true;
}

/* Adds the tones of what is not dark at a pixel and beside it, if it is on the
 * page. */
static void see_ground(const struct black_text *t, struct text_run *shape,
                       size_t row, unsigned odd, size_t x)
{
    if (x < t->black->width && t->dark[odd][x] == 0)
        add_ground(shape, tone_at(t, row, x));
}

/* Adds what lies around the ends of a run, in its own row or in one beside. */
static void see_grounds(const struct black_text *t, struct text_run *shape,
                        const struct text_run *run, size_t row)
{
    const unsigned odd = row % 2;

    see_ground(t, shape, row, odd, (size_t)run->first - 1);
    see_ground(t, shape, row, odd, run->first);
    see_ground(t, shape, row, odd, run->end - 1);
    see_ground(t, shape, row, odd, run->end);
}

/* ---- How wide a shape is --------------------------------------------------
 */

/* Counts on in the columns of a run; tells whether a square ends there. */
static bool ends_square(struct black_text *t, size_t row, uint32_t first,
                        uint32_t end)
{
    const uint8_t *above = t->dark[1 - row % 2];
    uint32_t side = first == 0 ? t->across : 0;

    for (uint32_t x = first; x < end; x++) {
        if (row == 0)
            t->tall[x] = (uint8_t)t->down;
        else if (above[x] == 0)
            t->tall[x] = 1;
        else if (t->tall[x] < t->down)
            t->tall[x]++;
        side = t->tall[x] < t->down ? 0 : side + 1;
        if (side >= t->across)
            return true;
    }
    return side > 0 && end == t->black->width;
}

/* ---- Rows come ------------------------------------------------------------
 */

/* Counts the dark pixels above a run that touch it. */
static uint32_t count_above(const struct black_text *t, size_t row,
                            uint32_t first, uint32_t end)
{
    const uint8_t *above = t->dark[1 - row % 2];
    uint32_t pixels = 0;

    for (size_t x = first > 0 ? first - 1 : 0;
         row > 0 && x < (size_t)end + 1 && x < t->black->width; x++)
        pixels += above[x];
    return pixels;
}

/* Counts those of them that are in runs, from number `above` on. */
static uint32_t count_runs(const struct black_text *t, uint64_t above,
                           uint64_t stop, uint32_t first, uint32_t end)
{
    uint32_t pixels = 0;

    for (; above < stop && run_at(t, above)->first <= end; above++) {
        const struct text_run *run = run_at(t, above);
        const uint32_t from = run->first + 1 < first ? first - 1 : run->first;

        pixels += (run->end < end + 1 ? run->end : end + 1) - from;
    }
    return pixels;
}

/* Tells whether there is room for one more run. */
static bool has_room(const struct black_text *t, size_t row)
{
    const size_t oldest = t->ring.taken > 0 ? t->ring.taken - 1 : 0;

    return runs_end(t, row) - t->from[oldest % t->ring.rows] < MOST_RUNS;
}

/* Takes a run of dark pixels in. `*above` is a run above, before those that
 * touch it; to be the first of these. */
static void put_run(struct black_text *t, size_t row, uint32_t first,
                    uint32_t end, uint64_t *above)
{
    const uint64_t stop = t->from[row % t->ring.rows],
                   number = runs_end(t, row);

    while (*above < stop && run_at(t, *above)->end < first)
        ++*above;
    const bool text =
        has_room(t, row) &&
        black_is_near(t->black, row_ring_at(&t->ring, row), first) &&
        are_equal(t, row, first, end) && !ends_square(t, row, first, end) &&
        count_runs(t, *above, stop, first, end) ==
            count_above(t, row, first, end);

    if (text) {
        *run_at(t, number) = (struct text_run){.first = first,
                                               .end = end,
                                               .shape = number,
                                               .tone = tone_at(t, row, first)};
        t->from[(row + 1) % t->ring.rows]++;
    }
    for (uint64_t i = *above; i < stop && run_at(t, i)->first <= end; i++)
        if (text)
            join(t, i, number);
        else
            shape_of(t, i)->state = STAYS;
    if (text) {
        see_grounds(t, run_at(t, number), run_at(t, number), row);
        if (row > 0)
            see_grounds(t, run_at(t, number), run_at(t, number), row - 1);
    }
}

/* ---- What lies in a panel ------------------------------------------------
 */

/* What of a row has been seen of runs of one tone that are near each other. */
struct panel {
    bool there;        /* the first of them is no text */
    uint32_t end;      /* of the last run */
    uint64_t tone;     /* of its last pixel */
    uint64_t possible; /* number of the first run that may be text */
};

/* Takes a run of dark pixels into `panel`; it may be the row's run `*number`. A
 * run that is no text ends what may be text before it: that stays, too. */
static void see_run(struct black_text *t, size_t row, uint32_t first,
                    uint32_t end, struct panel *panel, uint64_t *number)
{
    const bool run =
        *number < runs_end(t, row) && run_at(t, *number)->first == first;
    const bool text = run && shape_of(t, *number)->state != STAYS;

    if (first - panel->end > t->across || tone_at(t, row, first) != panel->tone)
        panel->there = false;
    for (; panel->there && !text && panel->possible < *number;
         panel->possible++)
        shape_of(t, panel->possible)->state = STAYS;
    *number += run;
    if (!text)
        *panel = (struct panel){.there = true, .possible = *number};
    panel->end = end;
    panel->tone = tone_at(t, row, end - 1);
}

/* Ends the shapes of a row, but for those that go on from run `next` on. */
static void end_shapes(struct black_text *t, size_t row, uint64_t next)
{
    for (uint64_t i = t->from[row % t->ring.rows]; i < runs_end(t, row); i++) {
        struct text_run *shape = shape_of(t, i);

        if (shape->state == OPEN && shape->shape < next)
            shape->state = TEXT;
    }
}

/* Looks at what lies below the runs of a row, and ends its shapes. */
static void look_below(struct black_text *t, size_t row)
{
    for (uint64_t i = t->from[row % t->ring.rows]; i < runs_end(t, row); i++)
        see_grounds(t, shape_of(t, i), run_at(t, i), row + 1);
    end_shapes(t, row, runs_end(t, row));
}

/* Marks the row's dark pixels; tells whether any may be nearly black. */
static bool mark(struct black_text *t)
{
    const unsigned odd = t->ring.put % 2;
    bool near = false;

    if (*row_ring_inked(&t->ring, t->ring.put) != 0)
        t->any_dark[odd] = black_find_dark(
            t->black, row_ring_at(&t->ring, t->ring.put), t->dark[odd], &near);
    else if (t->any_dark[odd]) {
        memset(t->dark[odd], 0, t->black->width);
        t->any_dark[odd] = false;
    }
    return near && t->any_dark[odd];
}

/* Lets what lies in panels stay, in the last row that was put. */
static void look_beside(struct black_text *t, size_t row)
{
    const uint8_t *dark = t->dark[row % 2];
    struct panel panel = {.there = false};
    uint64_t number = t->from[row % t->ring.rows];
    size_t first, end = 0;

    while ((number < runs_end(t, row) ||
            (panel.there && panel.possible < number)) &&
           find_run(dark, t->black->width, 1, &first, &end))
        see_run(t, row, (uint32_t)first, (uint32_t)end, &panel, &number);
}

void black_text_put(struct black_text *t)
{
    const size_t row = t->ring.put;
    const uint8_t *dark = t->dark[row % 2];
    uint64_t above = row > 0 ? t->from[(row - 1) % t->ring.rows] : 0;

    assert(black_text_wants(t));
    t->from[(row + 1) % t->ring.rows] = t->from[row % t->ring.rows];
    const bool near = mark(t);
    if (near || (t->any_dark[row % 2] && above < t->from[row % t->ring.rows]))
        for (size_t first, end = 0;
             find_run(dark, t->black->width, 1, &first, &end);)
            put_run(t, row, (uint32_t)first, (uint32_t)end, &above);
    t->ring.put++;
    if (row > 0)
        look_below(t, row - 1);
    look_beside(t, row);
}

void black_text_end(struct black_text *t)
{
    if (t->whole)
        return;
    t->whole = true;
    if (t->ring.put == 0)
        return;
    /* The page's lower edge counts as more of the same. */
    for (uint64_t i = t->from[(t->ring.put - 1) % t->ring.rows];
         i < runs_end(t, t->ring.put - 1); i++) {
        const struct text_run *run = run_at(t, i);

        if (run->first == 0 || run->end == t->black->width ||
            run->end - run->first >= t->across)
            shape_of(t, i)->state = STAYS;
    }
    end_shapes(t, t->ring.put - 1, UINT64_MAX);
}

/* ---- Rows leave -----------------------------------------------------------
 */

bool black_text_wants(const struct black_text *t)
{
    if (t->whole || t->ring.put - t->ring.taken > t->ring.rows - SPARE_ROWS)
        return false;
    if (t->ring.put == t->ring.taken)
        return true;
    for (uint64_t i = t->from[t->ring.taken % t->ring.rows];
         i < runs_end(t, t->ring.taken); i++)
        if (shape_of(t, i)->state == OPEN)
            return true;
    return false;
}

uint16_t black_text_take(struct black_text *t, void *row, uint16_t inked,
                         bool *changed)
{
    const uint16_t now = row_ring_copy(&t->ring, row, inked);

    *changed = false;
    for (uint64_t i = t->from[t->ring.taken % t->ring.rows];
         i < runs_end(t, t->ring.taken); i++)
        if (shape_of(t, i)->state != STAYS) {
            black_fill(t->black, row, run_at(t, i)->first, run_at(t, i)->end);
            *changed = true;
        }
    row_ring_take(&t->ring, 1);
    return now;
}
