/*
 * together.h - inks as one picture: how much they overlap and how much light
 * they reflect is diffused beside the inks themselves, doc/dev/halftone.md
 * "Inks together". The letters are those of that page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TOGETHER_H
#define HT_TOGETHER_H

#include "halftone/definition.h"

/* A row of all inks in the making. Arrays have `width` elements; those of the
 * state are the caller's. */
struct ht_together {
    const struct ht_meeting_rules *rules;
    uint32_t inks, width;
    uint8_t pair[HT_MAX_INKS][HT_MAX_INKS]; /* p of two inks, or HT_NO_PAIR */
    int16_t *overlap;                       /* [pairs][width], state: V */
    int16_t *overlap_below;                 /* V' */
    int16_t *light;                         /* state: U */
    int16_t *light_below;                   /* U' */
    int16_t *nearness;                      /* O */
    int16_t *reflected;                     /* L */
    int16_t *wanted;                        /* M */
    int16_t *tone;        /* [inks][width] of the inks that had their turns */
    uint8_t *toned, *dot; /* [inks][width], the same */
    uint32_t had[HT_MAX_INKS], turns; /* these inks, in their order */
};

/* What an ink finds at a pixel. */
struct ht_encounter {
    uint32_t partners;
    struct ht_partner {
        uint32_t ink;    /* j */
        uint32_t pair;   /* p */
        bool toned;      /* both are */
        int32_t overlap; /* v */
        int32_t welcome; /* s */
    } with[HT_PARTNERS];
    int32_t absorbed; /* q */
    int32_t push;     /* what the threshold rises by */
};

/* Allocates all but the state, which is put at `overlap` and `light`, for a
 * page of `inks` inks; false without memory. Free with ht_together_free()
 * either way. */
bool ht_together_init(struct ht_together *row,
                      const struct ht_meeting_rules *rules, uint32_t inks,
                      uint32_t width, int16_t *overlap, int16_t *light);
void ht_together_free(struct ht_together *row);

/* Begins a row before the first turn, and ends it after the last. */
void ht_together_begin(struct ht_together *row);
void ht_together_end(struct ht_together *row);

/* Begins the turn of an ink, with its tones and levels [width]. */
void ht_together_turn(struct ht_together *row, uint32_t ink,
                      const int16_t *tone, const uint8_t *level);

/* Looks at column x, for the ink whose turn it is. left [inks] has what the
 * pixel before in the row gave on for each pair with that ink (left_p). */
struct ht_encounter ht_together_meet(struct ht_together *row, uint32_t x,
                                     const int32_t *left);

/* Gives on what that leaves with the dot known: to `left`, unless the pixel is
 * the `last` of its segment, and to the one below. */
void ht_together_part(struct ht_together *row, uint32_t x, bool last, bool dot,
                      const struct ht_encounter *found, int32_t *left);

/* Gives on the light of column x after the last turn, if at least two inks are
 * toned there, which `before` counts: half of it to the column behind in the
 * scan, unless the pixel is the `first` of its segment. */
void ht_together_shine(struct ht_together *row, uint32_t x, uint32_t behind,
                       bool first, uint8_t before);

#endif
