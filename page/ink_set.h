/*
 * ink_set.h - the inks of a printer that has more than four, as its PPD names
 * them: dark ones, lighter ones of the same color, and others.
 *
 *   K LK:35 LLK:14 C LC:33 M LM:33 Y
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_INK_SET_H
#define PAGE_INK_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "halftone/halftone.h"

#define INK_SET_NAME 4 /* bytes of an ink's name, with a NUL */
#define INK_SET_BYTES                                                          \
    64 /* of a set's text, with a NUL: a string of a header                    \
        */

/* Inks in the order of the planes that leave. */
struct ink_set {
    unsigned count;           /* 4..HT_MAX_INKS; 0 of no set */
    char text[INK_SET_BYTES]; /* that they were parsed from */
    struct set_ink {
        char name[INK_SET_NAME];
        char color;      /* K, C, M or Y; 0 = another, which stays empty */
        double strength; /* of the light that a solid of the dark ink absorbs,
                            the share that its own does: 1 of the dark one */
    } ink[HT_MAX_INKS];
};

/*
 * Parses names, separated by blanks, of one to three capital letters, each
 * once. K, C, M and Y are dark. A name that ends with one of these and begins
 * with L, LL or VL needs a colon and percent, 1 to 99: the tone of the dark ink
 * that is as dark as its solid. A tone t absorbs t + 0.8 t (1 - t), a gain of
 * 20 %. Other names are of inks that our
 * separation does not use. There have to be all four dark inks. False, with
 * `*set` undefined, if it is not so.
 */
bool ink_set_parse(struct ink_set *set, const char *text);

/* Fills the engine's order: engine ink i is plane order[i]. K, C, M and Y come
 * first, then the others as they are in the set. */
void ink_set_order(const struct ink_set *set, uint8_t order[HT_MAX_INKS]);

/* Fills in which inks of a page, in the engine's order, are lighter ones. */
void ink_set_lighter(const struct ink_set *set,
                     ht_lighter_t lighter[HT_MAX_INKS]);

#endif
