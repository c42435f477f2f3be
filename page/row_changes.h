/*
 * row_changes.h - changes to rows of ink that depend on the rows around them:
 * black, sharp text, sharpness; then the changes of single samples.
 *
 *   rows of ink --> black/shapes --> black/strokes --> sharpener --> ink
 *
 * Mixed grays become black ink alone before the sharpener, if both are wanted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_ROW_CHANGES_H
#define PAGE_ROW_CHANGES_H

#include "page/black/shapes.h"
#include "page/black/strokes.h"
#include "page/ink.h"
#include "page/layout.h"
#include "page/sharpener.h"

struct waiting_row {
    uint8_t *data;
    uint16_t *inked;
};

/* Changes to the rows of one page, which come and are done in order. */
struct row_changes {
    const struct ink *ink;
    struct waiting_row *rows; /* that came and are not done, a ring */
    size_t most;              /* rows that there is room for */
    size_t came, done;        /* rows of the page */
    size_t stroked;           /* rows that strokes have given back */
    struct shapes shapes;
    struct strokes strokes;
    struct sharpener sharpener;
};

/* Tells whether pages with such ink have rows that wait for those below. */
bool row_changes_wait(const struct ink *ink);

/* Makes room for pages of the layout and ink, which have to last as long, with
 * up to `band` rows put between two calls of row_changes_some(). False without
 * memory; row_changes_close() either way. */
bool row_changes_open(struct row_changes *changes, const struct layout *layout,
                      const struct ink *ink, size_t band);

void row_changes_close(struct row_changes *changes);

/* Returns the most rows that may have come and not be done after a call of
 * row_changes_some(). */
size_t row_changes_most(const struct row_changes *changes);

/*
 * Takes in the page's next row, which stays where it is until it is done.
 *
 *   data   [inks][width] samples of ink->in_bits, with room for ink->bits
 *   inked  inks, a bit each, that may have samples other than 0; changed as the
 *          row is
 */
void row_changes_put(struct row_changes *changes, uint8_t *data,
                     uint16_t *inked);

/* Changes as many rows as can be. The first changes->done rows of the page are
 * as they leave then. */
void row_changes_some(struct row_changes *changes);

/* Ends the page, and changes all rows that are left. */
void row_changes_end(struct row_changes *changes);

#endif
