/*
 * row_changes.c - changes to rows of ink that depend on the rows around them.
 *
 * Rows stay where their band has them. Only strokes and the sharpener, which
 * need rows as they were beside those that they change, copy them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "page/row_changes.h"

bool row_changes_wait(const struct ink *ink)
{
    return ink->black || ink->strokes || ink->sharpness > 0;
}

size_t row_changes_most(const struct row_changes *c)
{
    size_t most = 0;

    if (c->ink->black)
        most += c->shapes.wait;
    if (c->ink->strokes)
        most += c->strokes.ahead;
    return c->ink->sharpness > 0 ? most + 1 : most;
}

bool row_changes_open(struct row_changes *c, const struct layout *layout,
                      const struct ink *ink, size_t band)
{
    bool ok = true;

    *c = (struct row_changes){.ink = ink};
    c->sharpener.sharpness = ink->sharpness;
    if (ink->black)
        ok = shapes_open(&c->shapes, &ink->black_pixels, layout->dpi[1]);
    if (ink->strokes)
        ok = strokes_open(&c->strokes, &ink->two_level, layout->width,
                          layout->bits, strokes_pixels(layout->dpi[0]),
                          strokes_pixels(layout->dpi[1])) &&
             ok;
    if (ink->sharpness > 0)
        ok = row_ring_open(&c->sharpener.ring, layout->inks, layout->width,
                           layout->bits, SHARPENER_ROWS) &&
             ok;
    c->most = row_changes_most(c) + band;
    c->rows = malloc(c->most * sizeof *c->rows);
    return ok && c->rows != NULL;
}

void row_changes_close(struct row_changes *c)
{
    shapes_close(&c->shapes);
    strokes_close(&c->strokes);
    row_ring_close(&c->sharpener.ring);
    free(c->rows);
}

static struct waiting_row *row_at(const struct row_changes *c, size_t row)
{
    return &c->rows[row % c->most];
}

/* ---- The last change ---------------------------------------------------- */

static void finish(struct row_changes *c)
{
    const struct waiting_row *row = row_at(c, c->done++);

    if (ink_moves(c->ink) || *row->inked != 0)
        *row->inked = ink_apply(c->ink, row->data, *row->inked);
}

/* ---- Sharper ------------------------------------------------------------ */

/* Sharpens rows until one has to wait for the row below, which `more` says that
 * there is. */
static void sharpen(struct row_changes *c, bool more)
{
    const struct row_ring *ring = &c->sharpener.ring;

    while (ring->taken + (more ? 1 : 0) < ring->put) {
        const struct waiting_row *row = row_at(c, c->done);

        *row->inked = sharpener_take(&c->sharpener, row->data, *row->inked);
        finish(c);
    }
}

/* Passes on the next row, with its text sharp. */
static void put_stroked(struct row_changes *c)
{
    const struct waiting_row *row = row_at(c, c->stroked++);

    if (c->ink->sharpness == 0) {
        finish(c);
        return;
    }
    if (c->ink->gray_first)
        *row->inked = ink_gray(c->ink, row->data, *row->inked);
    row_ring_put(&c->sharpener.ring, row->data, *row->inked);
    sharpen(c, true);
}

/* ---- Sharp text --------------------------------------------------------- */

static void take_strokes(struct row_changes *c)
{
    const struct waiting_row *row = row_at(c, c->stroked);

    *row->inked = strokes_take(&c->strokes, row->data);
    put_stroked(c);
}

/* Passes on a row whose black is known. */
static void put_blackened(struct row_changes *c, const struct waiting_row *row)
{
    if (!c->ink->strokes) {
        put_stroked(c);
        return;
    }
    strokes_put(&c->strokes, row->data, *row->inked);
    while (!strokes_want(&c->strokes))
        take_strokes(c);
}

/* ---- Black -------------------------------------------------------------- */

/* Passes on the rows that are ready, but for the last `but` that came. */
static void blacken(struct row_changes *c, size_t but)
{
    struct shapes *s = &c->shapes;

    while (s->taken < s->ready && s->taken + but < s->came) {
        const struct waiting_row *row = row_at(c, s->taken);

        if (shapes_take(s, row->data))
            *row->inked = ink_inked(c->ink, row->data);
        put_blackened(c, row);
    }
}

/* ---- Rows come ---------------------------------------------------------- */

void row_changes_put(struct row_changes *c, uint8_t *data, uint16_t *inked)
{
    struct waiting_row *row = row_at(c, c->came++);

    assert(c->came - c->done <= c->most);
    *row = (struct waiting_row){.data = data, .inked = inked};
    if (!c->ink->black) {
        put_blackened(c, row);
        return;
    }
    shapes_put(&c->shapes, data, *inked);
    blacken(c, SHAPES_LAG);
}

void row_changes_some(struct row_changes *c)
{
    if (c->ink->black)
        blacken(c, 0);
}

void row_changes_end(struct row_changes *c)
{
    if (c->ink->black) {
        shapes_end(&c->shapes);
        blacken(c, 0);
    }
    while (c->ink->strokes && c->strokes.ring.taken < c->strokes.ring.put)
        take_strokes(c);
    if (c->ink->sharpness > 0)
        sharpen(c, false);
    assert(c->done == c->came);
}
