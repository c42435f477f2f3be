/*
 * ink.h - turns the samples of a page into ink: grays of black ink, tone curve,
 * gamma, density and the limit of all inks together. Changes that look at other
 * pixels, too, come first (row_changes.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_INK_H
#define PAGE_INK_H

#include <stdbool.h>
#include <stdint.h>

#include "page/black/black.h"
#include "page/curve.h"
#include "page/drops.h"
#include "page/ink_set.h"
#include "page/mixed_gray.h"
#include "page/ranks.h"
#include "page/shades.h"
#include "page/black/two_level.h"

/*
 * Ink as the queue and the job ask for it. A tone a, 0..1, gets the ink solid *
 * density * curve(a ^ gamma), at most 1; with `gray`, black alone gets solid *
 * density * curve(gray_tone(a) ^ gamma). What the curve says of whole pixels
 * comes before the gamma. The solid is 1 unless drops say another: drop_tones.
 * With theirs the usual curve is that of Gutenprint (doc/user/color.md), which
 * prints a sample of `gray` as it is.
 */
struct ink_settings {
    bool curved; /* `curve` is to be used */
    bool usual;  /* .. unless drops have tones of their own */
    struct curve curve;
    double gamma;              /* > 1 is lighter */
    double density;            /* of the solid */
    double limit;              /* most ink of a pixel, in solids, at least 1 */
    bool pure_black;           /* text of it becomes K alone (shapes.h) */
    uint8_t black[CURVE_INKS]; /* C, M, Y, K: the RIP's for RGB black */
    bool gray;                 /* black alone is as light as on a screen */
    bool mixed_gray;           /* mixed grays become black alone, .. */
    bool mixed_screen;         /* .. as light as on a screen (mixed_gray.h) */
    gray_axis axis;            /* the RIP's for RGB grays */
    bool two_level;            /* every sample becomes 0 or solid */
    bool strokes;              /* thin and dark ones become so (strokes.h) */
    uint32_t sharpness;        /* 0..HT_MAX_SHARPNESS */
    const struct ink_set *set; /* inks that leave; NULL = those that come */
    bool alone;                /* of four inks that come only K has tones */
    double toning[3];          /* C, M, Y: the share of K's tone that they have
                                  where that is alone and there is a set */
};

/* Changes no sample. */
#define INK_AS_IT_IS                                                           \
    ((struct ink_settings){.gamma = 1, .density = 1, .limit = CURVE_INKS})

/* Tables of tones, for all pages with the same settings. Each is made when a
 * page first needs it, and is read-only then. Begin with {0}. */
struct ink_tables {
    /* [inks] of pages that have drops of several sizes and a curve for whole
     * dots, which it follows, or K, C, M and Y of pages with a set of inks:
     * drop_curve.h. NULL = none. All pages with the same tables have the
     * same. */
    const struct curve_points *drops;
    const struct drop_tones *tones; /* likewise, with as many inks */
    uint16_t *made[HT_MAX_INKS][2]; /* of a letter of the curve, or an ink of a
                                       set, for 8 and for 16 bits */
    struct ranks *ranked[HT_MAX_INKS]; /* `made` of an ink of a set, 8 bits */
    uint16_t *gray[2];                 /* of K where it is the only ink, .. */
    uint16_t *grays[2];                /* .. and where it might not be */
    uint16_t *pixels[2];               /* of curve.pixel */
    struct mixed_grays *mixed;
};

void ink_tables_free(struct ink_tables *tables); /* leaves {0} */

/* Whether pages of these drops, or NULL, have a curve of the drops' own. */
bool ink_has_own_tones(const struct ink_settings *settings,
                       const struct drops *drops);

#define INK_NONE UINT8_MAX

/* Changes to the samples of one page. */
struct ink {
    uint32_t inks, width;
    uint32_t out_inks; /* that leave: `inks`, or those of a set */
    /* Which ink that comes each ink that leaves is made of; INK_NONE = it is
     * bare. */
    uint8_t source[HT_MAX_INKS];
    struct shades shades[SHADES_COLORS]; /* of a set: those of each color */
    uint32_t in_bits;                    /* of a sample that comes */
    uint32_t bits;  /* of one that leaves: 16 if inks are limited, or if tones
                       change as the engine's curves cannot */
    uint32_t limit; /* in 1/65535 of a solid; 0 = none */
    /* A table of each ink that leaves, [levels of in_bits]; NULL = samples
     * stay. */
    const uint16_t *table[HT_MAX_INKS];
    /* The samples of each ink that leaves, by sample of its source, of a set
     * whose tables are left to the engine; NULL = it is bare. */
    const uint8_t *rank[HT_MAX_INKS];
    bool curved;      /* the tables are left to the engine: ht_page_t.curves */
    uint16_t lowered; /* inks, a bit each: with samples above 1 one less, as 255
                         would be a whole dot to the engine */
    uint32_t sharpness; /* 0 = rows are not sharpened */
    bool black;         /* text of RGB black becomes K alone (shapes.h) */
    struct black black_pixels;
    const uint16_t *grays;           /* gray.h's table, of pages with 4 inks */
    const struct mixed_grays *mixed; /* of pages with 4 inks */
    bool gray_first;            /* ink_gray() comes before rows are sharpened */
    const uint16_t *pixels;     /* pixel_curve.h's table, behind gray.h's */
    bool cut;                   /* all samples become 0 or solid, .. */
    bool strokes;               /* .. or those of strokes do, .. */
    struct two_level two_level; /* .. so */
};

/*
 * Prepares a page of `inks` inks: 1 = K; 3 = C, M, Y; 4 = K, C, M, Y. Pages of
 * other inks, such as all of a set, and of one bit stay as they are. The tables
 * have to last as long as `*ink`. False without memory.
 */
bool ink_init(struct ink *ink, const struct ink_settings *settings,
              struct ink_tables *tables, uint32_t inks, uint32_t width,
              uint32_t bits);

/* Whether rows get longer: samples move, and the rest of a row has to be set.
 */
bool ink_moves(const struct ink *ink);

/* Bytes of a row that leaves. */
size_t ink_row_bytes(const struct ink *ink);

/*
 * Changes one row in place. `inked` are the inks, a bit each, that may have
 * samples other than 0 before; returns those that may have some afterwards.
 *
 *   row  [inks][width] samples of ink->in_bits, then [out_inks][width] of
 *        ink->bits, with room for those
 *
 * Grays change first, by ink_gray(), unless they have already: gray_first. Then
 * whole pixels do, if the curve says so: pixel_curve.h. The other changes
 * follow. With two_level, there is none but two_level.h's: at most two inks
 * meet where there is K.
 *
 * Bare paper stays bare; solid ink stays solid unless density, limit or drops
 * forbid it. Above the limit, C, M and Y are scaled by one factor, rounded
 * down; K is kept; of a set: shades_limit(). More of an ink in never makes less
 * of it out, except where mixed grays or two_level give it to K.
 */
uint16_t ink_apply(const struct ink *ink, void *row, uint16_t inked);

/* Changes the grays of a row of ink->in_bits, and `inked`, likewise: with gray,
 * K alone is as light as on a screen (gray.h); then mixed grays become K alone
 * (mixed_gray.h). */
uint16_t ink_gray(const struct ink *ink, void *row, uint16_t inked);

/* Returns the inks, a bit each, that have samples other than 0 in a row of
 * ink->in_bits. */
uint16_t ink_inked(const struct ink *ink, const void *row);

#endif
