/*
 * strokes.h - text becomes sharp, and pictures keep their tones: letters, lines
 * and bars that are thin and gray are printed as by a threshold; colored ones
 * keep their color. Each row waits for those below that it takes to see how
 * thin they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_STROKES_H
#define PAGE_STROKES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "page/black/edges.h"

#define STROKES_MOST 254u              /* pixels */
#define STROKES_MOST_BYTES (64u << 20) /* of samples that are kept */

/* Returns the pixels from which on nothing is a stroke at this resolution, 1.2
 * mm: letters of up to some 30 points are thinner. 2..STROKES_MOST. */
uint32_t strokes_pixels(uint32_t dpi);

/*
 * Makes room for rows of the inks of `dots`, which has to last as long, with
 * samples of `bits`, 8 or 16. `across` and `down` are those of strokes_pixels()
 * for the resolutions across and down the page. Where so many rows take more
 * than STROKES_MOST_BYTES, `down` is less: 5 feet of CMYK at 1200 dpi do not.
 * False without memory; strokes_close() either way.
 */
bool strokes_open(struct strokes *strokes, const struct two_level *dots,
                  uint32_t width, uint32_t bits, uint32_t across,
                  uint32_t down);

void strokes_close(struct strokes *strokes);

/* Whether strokes_take() needs one row more, if the page has one. */
bool strokes_want(const struct strokes *strokes);

/* Copies the page's next row, [inks][width] samples, which has inks other than
 * 0 in `inked` alone; none may be when strokes_want() says no. */
void strokes_put(struct strokes *strokes, const void *row, uint16_t inked);

/*
 * Changes the oldest row that waits, `row` as strokes_put() was given it, so
 * that what belongs to a stroke is printed as two_level.h has it. A pixel that
 * is more than 2 % of an ink belongs to one, unless it is wide:
 *
 * - in a rectangle of `across` by `down` pixels that all are so; the page goes
 *   on beyond its edges as it is there;
 * - beside or below a wide one of its tone, within 8/255 of each ink, also by a
 *   corner: the rest of a panel between letters;
 * - between two wide stretches of its row, of one tone with it and with all
 *   that is between these, each `across` away at most, if a wide pixel is in
 *   the 254 rows above it or what else is there: what white letters enclose.
 *
 * Of these pixels
 *
 * - one becomes black if it is gray, and a threshold makes it black. Gray is
 *   what has a chroma of at most 8 in CIE L*a*b*, by page/color/color.h;
 * - one whose inks are each at least 90 % or bare becomes these inks, solid.
 *
 * The reach r is half of `across` or `down`, the smaller one, rounded up, 0.6
 * mm, but at most STROKES_REACH. A pixel that stays by itself is an edge if it
 * lies between a dark end and bare paper: on the one of eight ways from it that
 * leads to a dark end first, straight ones before slanted ones, pixels get
 * darker or stay so up to that, at most r away, and on the opposite way lighter
 * up to bare paper, at most r away. The dark end is
 * darker than the pixel, and solid inks or a panel: 2 r equal pixels from there
 * on, at least 64/255 dark, by the sum of K, C / 4, M / 2 and Y / 4, each
 * rounded down. The edge of solid inks has no others or, where they are black,
 * is gray; it becomes as solid if a threshold says so, or else bare paper if a
 * threshold says that. The edge of a panel becomes as dark as that from half of
 * it on, or else bare paper. So codes with soft edges and white letters on a
 * color are cut.
 *
 * White letters get an outline, so that they can be read on coarse dots. A
 * pixel that is as dark as a panel, by itself and wide or as its edge, becomes
 * the panel's inks, solid, those of at least 64/255, or black if it is gray, if
 * a letter lies beside, below or above it: on this way the next pixel is less
 * than half as dark, pixels get lighter or stay so up to bare paper, and at
 * most r + 1 away there is something again that is no paper.
 *
 * A hairline is a gray line of at most r / 3 pixels, rounded up, between bare
 * paper, from 64/255 on; where it is darkest it becomes black. All other pixels
 * stay.
 *
 * Returns the inks, a bit each, that may have samples other than 0 then.
 */
uint16_t strokes_take(struct strokes *strokes, void *row);

#endif
