/*
 * shades.h - separates the tone of a dark ink into that ink and lighter ones of
 * the same color: light tones by lighter ink, whose dots are seen less.
 *
 *   ink
 *    |       .------------.         lightest
 *    |     /       .-----. \      / dark
 *    |   /       /       /\  \  /
 *    | /       /       /    \ X \
 *    0 ---------------------------- 1  tone
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_SHADES_H
#define PAGE_SHADES_H

#include "page/ink_set.h"

#define SHADES_COLORS 4 /* K, C, M and Y */
#define SHADES_MOST 4   /* of a color: L, LL and VL */

/* The inks of a color, from the dark one to the lightest. */
struct shades {
    unsigned count;
    double strength[SHADES_MOST]; /* set_ink.strength: 1, then less */
    double upon[SHADES_MOST]; /* how much more each absorbs upon the next one */
    uint8_t ink[SHADES_MOST]; /* the engine's numbers */
};

/* Finds the shades of each color, in the order K, C, M, Y. */
void shades_of(const struct ink_set *set, struct shades shades[SHADES_COLORS]);

/* Separates a tone of the dark ink, 0..1: of each shade so much ink, 0..1, that
 * all absorb as much light if they meet by chance. An ink t covers
 * t + 0.8 t (1 - t); on each other the darkest counts, and a little of the next
 * one. Tones of 0 have no ink, those of 1 dark ink alone, and between there are
 * no steps. */
void shades_split(const struct shades *shades, double tone,
                  double ink[SHADES_MOST]);

/* Returns how much less light paper reflects with so much of a solid of one of
 * SHADES_COLORS on it than without, in roots as in color_on_paper(): the light
 * that is seen. */
double shades_light(unsigned color);

/* Returns the share that a set of shades which lie upon each other, a bit each,
 * absorbs of the light that the dark one does: their densities add up. */
double shades_absorb(const struct shades *shades, unsigned color, unsigned set);

/*
 * Holds all inks of each pixel to `limit`, in 1/65535 of a solid: dark inks
 * take the place of lighter ones, which need more for a tone; if that is not
 * enough, C, M and Y are scaled by one factor. K's are kept then.
 *
 *   row  [inks][width] samples, in the engine's order
 */
void shades_limit(const struct shades shades[SHADES_COLORS], uint32_t inks,
                  uint32_t limit, uint16_t *row, uint32_t width);

#endif
