/*
 * shapes.c - joins black pixels to shapes, and tells text from pictures by what
 * the shapes touch.
 *
 * A stretch of a row joins the shapes of the stretches above it that it
 * touches. A shape is a chain of stretches: each knows a later one of its
 * shape, and the last one whether the shape stays. So the stretches of a row
 * can go with the row, and a shape is open while its last stretch is in the row
 * that was judged last.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "page/black/shapes.h"
#include "page/bytes.h"

#define MOST_BYTES (32u << 20) /* of samples that are held back */
#define NEAR 2u /* rows above and below that a row is judged by */
#define MARKED (2 * SHAPES_LAG) /* rows */

static_assert(SHAPES_LAG >= 2 * NEAR, "rows above one that is not judged");

struct stretch {
    uint32_t first, end; /* pixels */
    uint64_t shape; /* number of a later stretch of the shape, or its own */
    bool stays;     /* valid in the stretch that is its own `shape` */
};

struct marked_row {
    const void *samples;
    bool has_black;       /* any pixel */
    bool found, has_dark; /* `black` and `dark` are set; any pixel is dark */
    uint8_t *black, *dark;
};

/* ---- Memory ------------------------------------------------------------- */

static struct stretch *stretch_at(const struct shapes *s, uint64_t number)
{
    return &s->stretches[number % s->capacity];
}

static uint64_t *from_of(const struct shapes *s, size_t row)
{
    return &s->from[row % s->rows];
}

static struct marked_row *marked_at(const struct shapes *s, size_t row)
{
    return &s->marked[row % MARKED];
}

/* Returns the most stretches of the rows that need not be taken, and of the one
 * that is judged next. */
static size_t spare_stretches(const struct shapes *s)
{
    return (SHAPES_LAG + 1) * (((size_t)s->black->width + 1) / 2);
}

bool shapes_open(struct shapes *s, const struct black *black, uint32_t dpi)
{
    /* Squares are looked for beyond both ends of a row, in whole vectors. */
    const size_t padded = (size_t)black->width + 2 * BYTES;
    const size_t row_bytes =
        (size_t)black->inks * black->width * (black->bits / 8);
    const size_t wait = (size_t)dpi * 250 / 254; /* 25 mm */
    bool ok = true;

    *s = (struct shapes){.black = black, .wait = wait};
    if (s->wait > MOST_BYTES / row_bytes)
        s->wait = MOST_BYTES / row_bytes;
    if (s->wait < SHAPES_LAG + 1)
        s->wait = SHAPES_LAG + 1;
    s->rows = s->wait + MARKED;
    s->capacity = SHAPES_STRETCHES + spare_stretches(s);
    s->stretches = malloc(s->capacity * sizeof *s->stretches);
    s->from = calloc(s->rows, sizeof *s->from);
    s->squares = malloc(padded);
    s->marked = calloc(MARKED, sizeof *s->marked);
    for (unsigned i = 0; s->marked != NULL && i < MARKED; i++) {
        struct marked_row *marked = &s->marked[i];

        marked->black = calloc(1, padded);
        marked->dark = calloc(1, padded);
        ok = ok && marked->black != NULL && marked->dark != NULL;
    }
    return ok && s->marked != NULL && s->squares != NULL && s->from != NULL &&
           s->stretches != NULL;
}

void shapes_close(struct shapes *s)
{
    for (unsigned i = 0; s->marked != NULL && i < MARKED; i++) {
        free(s->marked[i].black);
        free(s->marked[i].dark);
    }
    free(s->marked);
    free(s->squares);
    free(s->from);
    free(s->stretches);
}

/* ---- Shapes ------------------------------------------------------------- */

/* Returns the last stretch of the shape of a stretch, and shortens the way to
 * it. */
static struct stretch *shape_of(const struct shapes *s, uint64_t number)
{
    uint64_t last = number;

    while (stretch_at(s, last)->shape != last)
        last = stretch_at(s, last)->shape;
    while (number != last) {
        struct stretch *stretch = stretch_at(s, number);

        number = stretch->shape;
        stretch->shape = last;
    }
    return stretch_at(s, last);
}

/* Adds the shape of a stretch above to that of the last stretch. */
static void join(const struct shapes *s, uint64_t above, uint64_t last)
{
    struct stretch *from = shape_of(s, above), *to = stretch_at(s, last);

    if (from == to)
        return;
    to->stays |= from->stays;
    from->shape = last;
}

/* Tells whether a stretch holds its row back. */
static bool is_open(const struct shapes *s, uint64_t number)
{
    const struct stretch *shape = shape_of(s, number);

    return !s->whole && !shape->stays && s->judged > 0 &&
           shape->shape >= *from_of(s, s->judged - 1);
}

/* ---- Dark pixels beside black ones -------------------------------------- */

static const struct marked_row *find_marks(const struct shapes *s, size_t row)
{
    struct marked_row *marked = marked_at(s, row);

    if (!marked->found)
        marked->has_dark =
            black_find(s->black, marked->samples, marked->black, marked->dark);
    marked->found = true;
    return marked;
}

/* Adds to s->squares the squares of 2 by 2 dark pixels whose upper row is
 * `row`, each at its left column. */
static void add_squares(struct shapes *s, size_t row)
{
    const struct marked_row *upper = find_marks(s, row);
    const struct marked_row *lower = find_marks(s, row + 1);

    if (!upper->has_dark || !lower->has_dark)
        return;
    for (size_t x = 0; x < s->black->width; x += BYTES) {
        const bytes square =
            load(s->squares + x) |
            (load(upper->dark + x) & load(upper->dark + x + 1) &
             load(lower->dark + x) & load(lower->dark + x + 1));

        memcpy(s->squares + x, &square, sizeof square);
    }
}

/* Finds the squares that touch a row. */
static void find_squares(struct shapes *s, size_t row)
{
    memset(s->squares, 0, (size_t)s->black->width + 2 * BYTES);
    for (size_t first = row > NEAR ? row - NEAR : 0;
         first <= row + 1 && first + 1 < s->came; first++)
        add_squares(s, first);
}

static bool touches_square(const struct shapes *s, size_t first, size_t end)
{
    first = first < NEAR ? 0 : first - NEAR;
    return memchr(s->squares + first, 1, end + 1 - first) != NULL;
}

/* ---- Rows come ---------------------------------------------------------- */

/* Takes in a stretch of a row. `*above` is a stretch of the row above, before
 * those that touch it; becomes the first of these. */
static void put_stretch(struct shapes *s, size_t row, size_t first, size_t end,
                        uint64_t *above)
{
    const uint64_t stop = *from_of(s, row);
    const uint64_t number = (*from_of(s, row + 1))++;

    *stretch_at(s, number) =
        (struct stretch){.first = (uint32_t)first,
                         .end = (uint32_t)end,
                         .shape = number,
                         .stays = touches_square(s, first, end)};
    while (*above < stop && stretch_at(s, *above)->end < first)
        ++*above;
    for (uint64_t i = *above; i < stop && stretch_at(s, i)->first <= end; i++)
        join(s, i, number);
}

/* Finds the stretches of the row after those that were judged. */
static void judge(struct shapes *s)
{
    const size_t row = s->judged;
    uint64_t above = row > 0 ? *from_of(s, row - 1) : 0;

    *from_of(s, row + 1) = *from_of(s, row);
    if (marked_at(s, row)->has_black) {
        const uint8_t *black = find_marks(s, row)->black;

        find_squares(s, row);
        for (size_t first, end = 0;
             find_stretch(black, s->black->width, 1, &first, &end);)
            put_stretch(s, row, first, end, &above);
    }
    s->judged++;
}

/* Tells whether the rows may be held back from `row` on. */
static bool may_wait(const struct shapes *s, size_t row)
{
    return s->came - row <= s->wait &&
           *from_of(s, s->judged) - *from_of(s, row) <= SHAPES_STRETCHES;
}

/* Finds out which rows can be taken. */
static void release(struct shapes *s)
{
    for (; s->ready < s->judged; s->ready++) {
        const uint64_t end = *from_of(s, s->ready + 1);

        while (s->over < end && !is_open(s, s->over))
            s->over++;
        if (s->over < end && may_wait(s, s->ready))
            return;
        s->over = end;
    }
    while (s->ready < s->came && !marked_at(s, s->ready)->has_black)
        s->ready++;
}

void shapes_put(struct shapes *s, const void *row, uint16_t inked)
{
    struct marked_row *marked = marked_at(s, s->came);

    assert(!s->whole &&
           (s->taken + SHAPES_LAG >= s->came || s->taken == s->ready));
    marked->samples = row;
    marked->has_black =
        (s->black->needs & ~(unsigned)inked) == 0 && black_is_in(s->black, row);
    marked->found = false;
    s->came++;
    if (s->judged + NEAR < s->came)
        judge(s);
    release(s);
}

void shapes_end(struct shapes *s)
{
    s->whole = true;
    while (s->judged < s->came)
        judge(s);
    release(s);
}

/* ---- Rows leave --------------------------------------------------------- */

bool shapes_take(struct shapes *s, void *row)
{
    const size_t taken = s->taken++;
    bool changed = false;

    assert(taken < s->ready);
    if (taken + SHAPES_LAG >= s->came && !s->whole)
        find_marks(s, taken); /* for rows that are not judged yet */
    if (taken >= s->judged)
        return false;
    for (uint64_t i = *from_of(s, taken); i < *from_of(s, taken + 1); i++)
        if (!shape_of(s, i)->stays) {
            black_fill(s->black, row, stretch_at(s, i)->first,
                       stretch_at(s, i)->end);
            changed = true;
        }
    return changed;
}
