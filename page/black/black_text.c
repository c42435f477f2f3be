/*
 * black_text.c - shapes of equal pixels that are nearly black and thin.
 *
 * A stretch of a row joins the shapes of the stretches above it that it
 * touches. A shape is a chain of stretches: each knows a later one of its
 * shape, and the last one what is known of the shape. So the stretches of a row
 * can go with the row.
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

#define MOST_STRETCHES ((uint64_t)1 << 17) /* of the rows that are kept */
#define MOST_BYTES (64u << 20)             /* of samples that are kept */
#define MOST_GROUNDS 2                     /* tones around a shape */
#define SPARE_ROWS 3u /* beside those that wait: above, taken, coming */

enum shape_state { OPEN, TEXT, STAYS };

struct text_stretch {
    uint32_t first, end; /* pixels */
    uint64_t shape; /* number of a later stretch of the shape, or its own */
    /* Properties of the shape; valid in the stretch that is its own `shape`. */
    uint64_t tone;
    uint64_t ground[MOST_GROUNDS];
    uint8_t grounds;
    uint8_t state; /* enum shape_state */
};

/* ---- Memory ------------------------------------------------------------- */

static struct text_stretch *stretch_at(const struct black_text *t,
                                       uint64_t number)
{
    return &t->stretches[number % MOST_STRETCHES];
}

/* Returns the number behind the last stretch of a row that was put. */
static uint64_t stretches_end(const struct black_text *t, size_t row)
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
    t->stretches = malloc(MOST_STRETCHES * sizeof *t->stretches);
    t->from = calloc(t->ring.rows, sizeof *t->from);
    return ring && t->dark[0] != NULL && t->dark[1] != NULL &&
           t->tall != NULL && t->stretches != NULL && t->from != NULL;
}

void black_text_close(struct black_text *t)
{
    row_ring_close(&t->ring);
    free(t->dark[0]);
    free(t->dark[1]);
    free(t->tall);
    free(t->stretches);
    free(t->from);
}

/* ---- Shapes ------------------------------------------------------------- */

/* Returns the stretch that knows the shape of a stretch, and shortens the way
 * to it. */
static struct text_stretch *shape_of(const struct black_text *t,
                                     uint64_t number)
{
    uint64_t last = number;

    while (stretch_at(t, last)->shape != last)
        last = stretch_at(t, last)->shape;
    while (number != last) {
        struct text_stretch *stretch = stretch_at(t, number);

        number = stretch->shape;
        stretch->shape = last;
    }
    return stretch_at(t, last);
}

static void add_ground(struct text_stretch *shape, uint64_t tone)
{
    for (unsigned i = 0; i < shape->grounds; i++)
        if (shape->ground[i] == tone)
            return;
    if (shape->grounds == MOST_GROUNDS)
        shape->state = STAYS;
    else
        shape->ground[shape->grounds++] = tone;
}

/* Adds the shape of a stretch above to that of the last stretch. */
static void join(struct black_text *t, uint64_t above, uint64_t last)
{
    struct text_stretch *from = shape_of(t, above), *to = stretch_at(t, last);

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
static void see_ground(const struct black_text *t, struct text_stretch *shape,
                       size_t row, unsigned odd, size_t x)
{
    if (x < t->black->width && t->dark[odd][x] == 0)
        add_ground(shape, tone_at(t, row, x));
}

/* Adds what lies around the ends of a stretch, in its own row or in one beside.
 */
static void see_grounds(const struct black_text *t, struct text_stretch *shape,
                        const struct text_stretch *stretch, size_t row)
{
    const unsigned odd = row % 2;

    see_ground(t, shape, row, odd, (size_t)stretch->first - 1);
    see_ground(t, shape, row, odd, stretch->first);
    see_ground(t, shape, row, odd, stretch->end - 1);
    see_ground(t, shape, row, odd, stretch->end);
}

/* ---- Width of a shape -----------------------------------------------------
 */

/* Counts on in the columns of a stretch; tells whether a square ends there. */
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

/* Counts the dark pixels above a stretch that touch it. */
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

/* Counts those of them that are in stretches, from number `above` on. */
static uint32_t count_stretches(const struct black_text *t, uint64_t above,
                                uint64_t stop, uint32_t first, uint32_t end)
{
    uint32_t pixels = 0;

    for (; above < stop && stretch_at(t, above)->first <= end; above++) {
        const struct text_stretch *stretch = stretch_at(t, above);
        const uint32_t from =
            stretch->first + 1 < first ? first - 1 : stretch->first;

        pixels += (stretch->end < end + 1 ? stretch->end : end + 1) - from;
    }
    return pixels;
}

/* Tells whether there is room for one more stretch. */
static bool has_room(const struct black_text *t, size_t row)
{
    const size_t oldest = t->ring.taken > 0 ? t->ring.taken - 1 : 0;

    return stretches_end(t, row) - t->from[oldest % t->ring.rows] <
           MOST_STRETCHES;
}

/* Takes a stretch of dark pixels in. `*above` is a stretch above, before those
 * that touch it; to be the first of these. */
static void put_stretch(struct black_text *t, size_t row, uint32_t first,
                        uint32_t end, uint64_t *above)
{
    const uint64_t stop = t->from[row % t->ring.rows],
                   number = stretches_end(t, row);

    while (*above < stop && stretch_at(t, *above)->end < first)
        ++*above;
    const bool text =
        has_room(t, row) &&
        black_is_near(t->black, row_ring_at(&t->ring, row), first) &&
        are_equal(t, row, first, end) && !ends_square(t, row, first, end) &&
        count_stretches(t, *above, stop, first, end) ==
            count_above(t, row, first, end);

    if (text) {
        *stretch_at(t, number) =
            (struct text_stretch){.first = first,
                                  .end = end,
                                  .shape = number,
                                  .tone = tone_at(t, row, first)};
        t->from[(row + 1) % t->ring.rows]++;
    }
    for (uint64_t i = *above; i < stop && stretch_at(t, i)->first <= end; i++)
        if (text)
            join(t, i, number);
        else
            shape_of(t, i)->state = STAYS;
    if (text) {
        see_grounds(t, stretch_at(t, number), stretch_at(t, number), row);
        if (row > 0)
            see_grounds(t, stretch_at(t, number), stretch_at(t, number),
                        row - 1);
    }
}

/* ---- Panels --------------------------------------------------------------
 */

/* Stretches of one tone that lie near each other in a row, as far as it has
 * been seen. */
struct panel {
    bool there;        /* the first of them is no text */
    uint32_t end;      /* of the last stretch */
    uint64_t tone;     /* of its last pixel */
    uint64_t possible; /* number of the first stretch that may be text */
};

/* Takes a stretch of dark pixels into `panel`; it may be the row's stretch
 * `*number`. A stretch that is no text ends what may be text before it: that
 * stays, too. */
static void see_stretch(struct black_text *t, size_t row, uint32_t first,
                        uint32_t end, struct panel *panel, uint64_t *number)
{
    const bool stretch = *number < stretches_end(t, row) &&
                         stretch_at(t, *number)->first == first;
    const bool text = stretch && shape_of(t, *number)->state != STAYS;

    if (first - panel->end > t->across || tone_at(t, row, first) != panel->tone)
        panel->there = false;
    for (; panel->there && !text && panel->possible < *number;
         panel->possible++)
        shape_of(t, panel->possible)->state = STAYS;
    *number += stretch;
    if (!text)
        *panel = (struct panel){.there = true, .possible = *number};
    panel->end = end;
    panel->tone = tone_at(t, row, end - 1);
}

/* Ends the shapes of a row, but for those that go on from stretch `next` on. */
static void end_shapes(struct black_text *t, size_t row, uint64_t next)
{
    for (uint64_t i = t->from[row % t->ring.rows]; i < stretches_end(t, row);
         i++) {
        struct text_stretch *shape = shape_of(t, i);

        if (shape->state == OPEN && shape->shape < next)
            shape->state = TEXT;
    }
}

/* Looks at what lies below the stretches of a row, and ends its shapes. */
static void look_below(struct black_text *t, size_t row)
{
    for (uint64_t i = t->from[row % t->ring.rows]; i < stretches_end(t, row);
         i++)
        see_grounds(t, shape_of(t, i), stretch_at(t, i), row + 1);
    end_shapes(t, row, stretches_end(t, row));
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

    while ((number < stretches_end(t, row) ||
            (panel.there && panel.possible < number)) &&
           find_stretch(dark, t->black->width, 1, &first, &end))
        see_stretch(t, row, (uint32_t)first, (uint32_t)end, &panel, &number);
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
             find_stretch(dark, t->black->width, 1, &first, &end);)
            put_stretch(t, row, (uint32_t)first, (uint32_t)end, &above);
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
         i < stretches_end(t, t->ring.put - 1); i++) {
        const struct text_stretch *stretch = stretch_at(t, i);

        if (stretch->first == 0 || stretch->end == t->black->width ||
            stretch->end - stretch->first >= t->across)
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
         i < stretches_end(t, t->ring.taken); i++)
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
         i < stretches_end(t, t->ring.taken); i++)
        if (shape_of(t, i)->state != STAYS) {
            black_fill(t->black, row, stretch_at(t, i)->first,
                       stretch_at(t, i)->end);
            *changed = true;
        }
    row_ring_take(&t->ring, 1);
    return now;
}
