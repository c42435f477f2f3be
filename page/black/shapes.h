/*
 * shapes.h - text and line art that are RGB black become black ink alone;
 * pictures keep the black of their separation. doc/dev/black.md defines which
 * is which.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_SHAPES_H
#define PAGE_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "page/black/black.h"

/* The last rows that came, by which the next ones are judged. */
#define SHAPES_LAG 4u

/* Stretches of black pixels that are kept; see shapes_put(). */
#define SHAPES_STRETCHES ((size_t)1 << 18)

struct stretch;
struct marked_row;

/* Shapes of one page. Its rows come, are ready, and are taken, in order. */
struct shapes {
    const struct black *black;
    size_t wait;               /* rows: most that a shape holds back */
    size_t came, ready, taken; /* rows of the page */
    bool whole;                /* no more rows come */
    struct marked_row *marked; /* the last rows that came, a ring */
    uint8_t *squares;          /* [width] of the row that is judged */
    size_t judged;             /* rows whose stretches are known */
    /* Stretches of black pixels, a ring: those of a row are
     * from[row % rows] .. from[(row + 1) % rows] - 1. */
    struct stretch *stretches;
    size_t capacity;
    uint64_t *from; /* [rows] */
    size_t rows;
    uint64_t over; /* stretches before it hold no row back */
};

/*
 * Makes room for a page with pixels of `black`, which has to last as long.
 * `dpi` is the resolution down the page. False without memory; shapes_close()
 * either way.
 */
bool shapes_open(struct shapes *shapes, const struct black *black,
                 uint32_t dpi);

void shapes_close(struct shapes *shapes);

/*
 * Takes in the page's next row, [inks][width] samples, which has inks other
 * than 0 in `inked` alone, a bit each. It has to stay where it is, as it is,
 * until it is taken. Before, all rows that are ready have to be taken but the
 * last SHAPES_LAG that came; to take these, too, costs more time.
 *
 * Rows before shapes->ready can be taken then: those that no shape holds back
 * that may still change. A shape that goes on for more than 25 mm, or whose
 * rows take more than 32 MiB, or have more than SHAPES_STRETCHES stretches,
 * holds back no more than that: its upper rows get what is known of it.
 */
void shapes_put(struct shapes *shapes, const void *row, uint16_t inked);

/* Ends the page: all rows are ready. */
void shapes_end(struct shapes *shapes);

/* Takes the next row that is ready, which shapes_put() was given: its text and
 * line art become K alone, solid. Returns whether it has any. */
bool shapes_take(struct shapes *shapes, void *row);

#endif
