/*
 * together.h - inks as one picture: the company that each ink gets and the
 * light that they reflect are diffused beside the inks themselves,
 * doc/dev/halftone.md "Inks together". The letters are those of that page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TOGETHER_H
#define HT_TOGETHER_H

#include "halftone/definition.h"

/* A row of all inks in the making. Arrays have `width` elements; those of the
 * state are the caller's. */
struct ht_together {
    struct ht_meeting_rules rules;
    uint32_t inks, width;
    int16_t *company;   /* [inks-1][width] of inks 1, 2, .., state: V, and V'
                           where the row's ink has been */
    int16_t *light;     /* state: U */
    int16_t *next;      /* U' */
    int16_t *nearness;  /* O */
    int16_t *reflected; /* L */
    int16_t *wanted;    /* M */
    uint8_t *toned;     /* Q */
};

/* State of an ink at a pixel, before its dot is chosen. */
struct ht_encounter {
    int32_t tone; /* a, or a* */
    bool toned;   /* the ink is toned here; if not, only `absorbed` counts */
    int32_t absorbed; /* q */
    int32_t should;   /* A */
    int32_t welcome;  /* s */
    int32_t company;  /* v */
    int32_t push;     /* what the threshold rises by */
};

/* Allocates all but the state, which is put at `company` and `light`, for a
 * page of `inks` inks; false without memory. Free with ht_together_free()
 * either way. */
bool ht_together_init(struct ht_together *row,
                      const struct ht_meeting_rules *rules, uint32_t inks,
                      uint32_t width, int16_t *company, int16_t *light);
void ht_together_free(struct ht_together *row);

/* Begins a row before the first turn, and ends it after the last. */
void ht_together_begin(struct ht_together *row);
void ht_together_end(struct ht_together *row);

/* Returns the encounter of an ink at column x, a pixel of this level, whose
 * tone is its share of the choice, a* (of whole dots a); `left` is the company
 * that the row's last pixel has passed on (left_k). */
struct ht_encounter ht_together_meet(struct ht_together *row, uint32_t ink,
                                     uint32_t x, int32_t tone, uint8_t level,
                                     int32_t left);

/* Gives on what that leaves with the dot known (g), of several sizes whether it
 * is the larger one: to the pixel below, and, as the value returned (left_k),
 * to the next one of the row. */
int32_t ht_together_part(struct ht_together *row, uint32_t ink, uint32_t x,
                         bool dot, const struct ht_encounter *found);

/* Gives on the light of column x after the last turn, if at least two inks are
 * toned there: half of it to the column behind in the scan, or to none if the
 * pixel is the `first` of its segment. */
void ht_together_shine(struct ht_together *row, uint32_t x, uint32_t behind,
                       bool first);

#endif
