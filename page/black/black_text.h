/*
 * black_text.h - text that is nearly black becomes black ink alone, solid.
 * Letters and rules are told from panels, tables, gradients and pictures by
 * their whole shape, so each row waits for those below it while a shape is
 * open.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_BLACK_TEXT_H
#define PAGE_BLACK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "page/black/black.h"
#include "page/row_ring.h"

struct text_stretch;

struct black_text {
    const struct black *black;
    uint32_t across, down; /* pixels: what holds such a square is no text */
    struct row_ring ring;
    uint8_t *dark[2]; /* [width] of this row and the one above: 1 = dark */
    bool any_dark[2];
    uint8_t *tall; /* [width] pixels of the shape in the column so far, at most
                      `down` */
    /* Stretches of pixels that may be text, a ring: those of a row are
     * from[row % rows] .. from[(row + 1) % rows] - 1. */
    struct text_stretch *stretches;
    uint64_t *from; /* [ring.rows] */
    bool whole;     /* no more rows come */
};

/*
 * Makes room for rows of the inks of `black`, 1 or 4, which has to last as
 * long. `dpi` are the resolutions across and down the page. Rows wait for at
 * most 10 mm of rows below them, and fewer where these take more than 64 MiB.
 * False without memory; black_text_close() either way.
 */
bool black_text_open(struct black_text *text, const struct black *black,
                     const uint32_t dpi[2]);

void black_text_close(struct black_text *text);

/* Tells whether black_text_take() needs one row more, if the page has one. */
bool black_text_wants(const struct black_text *text);

/* Takes the row in. */
void black_text_put(struct black_text *text);

/* Ends the page: no more rows come. */
void black_text_end(struct black_text *text);

/*
 * Writes the oldest row that waits; `*changed` tells whether text in it became
 * K alone, solid.
 *
 * row  [inks][width] samples
 *
 * A pixel is dark if it has more than 61 % of K where that is the only ink, or
 * if K and the mean of C, M, M and Y have 200/255 together. Dark pixels that
 * touch, also by their corners, are a shape. A shape is text if
 *
 * - all its pixels are equal, and nearly black: of K alone 86 % and more, but
 *   not solid, or of four inks all at most 40/255 from what black_init() was
 *   told. Ghostscript makes 87 % of CMYK 0 0 0 1 where K is the only ink, and
 *   programs write RGB 22 20 19 or #222 for black;
 * - it has no square of strokes_pixels() pixels anywhere. The page's edges
 *   count as more of the same;
 * - what it touches at the ends of its stretches has two tones at most: paper
 *   and a line of a table, but not a picture;
 * - it is not what white letters enclose of a panel. In no row does a stretch
 *   of it lie between two of the same tone that are known by that row to be no
 *   text, each strokes_pixels() away at most. Other shapes there do not matter
 *   if they are as near and of that tone.
 *
 * A shape that goes on below the rows that are kept counts as far as it is
 * known, so that a rule down the page is text until something else joins it.
 *
 * `inked` are the inks that may have samples other than 0 in `row` before;
 * returns those that may have some afterwards.
 */
uint16_t black_text_take(struct black_text *text, void *row, uint16_t inked,
                         bool *changed);

#endif
