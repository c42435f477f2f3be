/*
 * ink.h - how much ink each sample of a page becomes: pure black, tone curve,
 * gamma, density and the limit of all inks together.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_INK_H
#define FILTER_INK_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/curve.h"

/* What the queue and the job ask for. A tone a, 0..1, gets the ink
 * density * curve(a ^ gamma), at most 1. */
struct ink_settings {
    bool curved; /* `curve` is to be used */
    struct curve curve;
    double gamma;   /* > 1 is lighter */
    double density; /* of the solid */
    double limit;   /* most ink of a pixel, in solids, at least 1 */
    /* The C, M, Y and K, 0..255, that a rasteriser makes of RGB black are to
     * be K alone. */
    bool pure_black;
    uint8_t black[CURVE_INKS];
    bool two_level; /* the page is cut at a half */
};

/* Nothing is to be done to any sample. */
#define INK_AS_IT_IS                                                           \
    ((struct ink_settings){.gamma = 1, .density = 1, .limit = CURVE_INKS})

/* Of tones, for all pages with the same settings: each is made when a page
 * needs it first, and is then read-only. Begin with {0}. */
struct ink_tables {
    uint16_t *made[2][CURVE_INKS]; /* for 8 and for 16 bits, by the ink */
};

void ink_tables_free(struct ink_tables *tables); /* they are as at first */

/* What is done to the samples of one page. */
struct ink {
    uint32_t inks, width;
    uint32_t in_bits; /* of a sample that comes */
    uint32_t bits;    /* of one that leaves; 16 when inks are limited, or tones
                         change in a way that the engine cannot do */
    uint32_t limit;   /* in 1/65535 of a solid; 0 = none */
    /* Of each ink, [levels of in_bits]; NULL = as they are. */
    const uint16_t *table[CURVE_INKS];
    bool curved; /* the tables are left to the engine: ht_page_t.curves */
    bool pure_black;
    uint16_t black[CURVE_INKS]; /* K, C, M, Y, in samples that come */
    uint32_t cut; /* the least sample that becomes a dot, of those that leave;
                     0 = there is no cut */
};

/*
 * Prepares a page of `inks` inks (1 = K; 3 = C, M, Y; 4 = K, C, M, Y; others
 * pass as they are, and so do samples of one bit), whose tables have to last as
 * long. False when there is no memory.
 */
bool ink_init(struct ink *ink, const struct ink_settings *settings,
              struct ink_tables *tables, uint32_t inks, uint32_t width,
              uint32_t bits);

/* Bytes of a row that leaves. */
size_t ink_row_bytes(const struct ink *ink);

/*
 * Changes one row in place; `inked` are the inks, a bit each, that may have
 * samples other than 0 in it. Returns those that may have some then.
 *
 *   row  [inks][width] samples of ink->in_bits, then of ink->bits, with room
 *        for those
 *
 * Where four inks come, pure_black draws pixels near `black` towards K alone.
 * With d the largest distance of an ink from it, in 1/255, a pixel becomes
 *
 *   (1 - t) pixel + t (K alone, solid)    t = (16 - d) / 15, in 0..1
 *
 * so that black has no other ink, and no edge to what is nearly black.
 * Then come the other changes. With two_level, what would be dots of K, or of
 * C, M and Y, is K alone in the end: two inks are then the most.
 *
 * Bare paper stays so, and so does solid ink unless density or limit forbid.
 * Above the limit, C, M and Y are scaled by one factor, rounded down; K is
 * kept. More of an ink that comes is never less of it that leaves, but for
 * what pure_black and two_level give to K.
 */
uint16_t ink_apply(const struct ink *ink, void *row, uint16_t inked);

#endif
