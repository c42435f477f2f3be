/*
 * mixed_gray.h - grays that the RIP has mixed of four inks become black ink
 * alone: they have no color cast then, wherever the inks lie.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_MIXED_GRAY_H
#define PAGE_MIXED_GRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "page/curve.h"

#define MIXED_GRAYS 33u       /* of the axis, from black to white, evenly */
#define MIXED_GRAY_NEAR 4     /* 1/255 of an ink: black ink alone up to here, */
#define MIXED_GRAY_FAR 20     /* .. and the RIP's inks from here on */
#define MIXED_GRAY_SUMS 1021u /* of four samples of 8 bits */

/* Inks, C, M, Y and K in 1/255, that a RIP makes of grays of RGB. */
typedef uint8_t gray_axis[MIXED_GRAYS][CURVE_INKS];

/* The axis of Ghostscript's own profile. */
extern const gray_axis ghostscript_grays;

/* Steps of a mixture's share of the RIP's inks. */
#define MIXED_GRAY_SHARES 8u

/* The axis by the sum of a pixel's inks. All are in 1/65535 of a solid. */
struct mixed_grays {
    struct mixed_gray {
        uint16_t inks[CURVE_INKS]; /* K, C, M and Y */
        uint16_t tone;             /* of black ink alone */
        /* K that a mixture needs, in addition, to be no lighter. */
        int32_t more[MIXED_GRAY_SHARES + 1];
    } of[MIXED_GRAY_SUMS + 1];
    /* 1/255: what lies near the axis has at most these between C and M, and
     * between M and Y. */
    uint8_t most[2];
};

/* Prepares for an axis. With `screen` black ink alone is as light as a screen
 * shows the gray (gray.h), else it is the gray's complement. */
void mixed_grays_init(struct mixed_grays *grays, const gray_axis axis,
                      bool screen);

/*
 * Changes pixels of one row, [4][width] samples of K, C, M and Y of `bits`, 8
 * or 16, that have C, M or Y. With the point of the axis, which is straight
 * between its grays, whose inks have the same sum as the pixel's, or its
 * darkest one, and the distance d, the largest of an ink from it, all in 1/255,
 * each ink a becomes
 *
 *   a + w (b - a)           w = (far - d) / (far - near), 0..1
 *   a + w (b - a) + more    of K
 *
 * where b is that gray's tone for K, and 0 for C, M and Y. By `more` the cube
 * root of the light that the axis leaves, mixed so, is a straight line from w =
 * 0 to 1; without, a dark mixture would be lighter than both of its ends. This
 * holds for grays of the axis and w in eighths, for inks with a gain of 20 % on
 * paper (color_on_paper()); between, `more` is straight. An ink of the mixture
 * is at least 1 of `bits`, unless it is 0. A sum that the axis has several
 * times is the lightest of these grays. Returns whether there is any such
 * pixel.
 */
bool mixed_grays_row(const struct mixed_grays *grays, void *row, uint32_t width,
                     uint32_t bits);

#endif
