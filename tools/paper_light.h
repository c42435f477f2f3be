/*
 * paper_light.h - computes the look of dots on paper: rows of dots become rows
 * of light, by the model printer of doc/dev/color-model.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PAPER_LIGHT_H
#define TOOLS_PAPER_LIGHT_H

#include <stdint.h>

#include "page/layout.h"

#define PAPER_SIZES 5  /* of drops, at most */
#define PAPER_BITS 3   /* that say which one an ink has at a pixel, 0 = none */
#define PAPER_INKS 10u /* at most: their bits fit a word */
#define PAPER_MARGIN                                                           \
    5 /* pixels on each side that a pixel's light depends on                   \
       */

/* The tables of a kind of pages, which no call changes: threads may share
 * them. */
struct paper_light;

/* Makes the tables for pages of dots, or of drops, of up to PAPER_INKS inks:
 * `area` are those of the sizes, 0..1 of a whole dot; NULL of dots, which are
 * size 1. NULL without memory. */
struct paper_light *paper_light_open(const struct layout *layout,
                                     const double area[PAPER_SIZES]);

/* Frees it; NULL is allowed. */
void paper_light_close(struct paper_light *paper);

/* Some columns of a page; one thread at a time. */
struct paper_slice;

/* Begins a slice; the tables have to last as long. NULL without memory. */
struct paper_slice *paper_slice_open(const struct paper_light *paper,
                                     uint32_t columns);

/* Frees it; NULL is allowed. */
void paper_slice_close(struct paper_slice *slice);

/*
 * Takes the next row of dots and returns the light of the row PAPER_MARGIN
 * above it: so the first 2 * PAPER_MARGIN rows that are returned have less
 * below or above them than their light depends on.
 *
 *   dots    [PAPER_MARGIN + columns + PAPER_MARGIN]  a number a pixel,
 *           PAPER_BITS for each ink of the layout, the first in the lowest bits
 *   return  [3][columns]  linear sRGB: 1 is bare paper, 0 nearly solid black,
 *           and inks that are darker or outside sRGB are below 0 or above 1;
 *           valid until the next call
 */
const float *paper_slice_row(struct paper_slice *slice, const uint32_t *dots);

#endif
