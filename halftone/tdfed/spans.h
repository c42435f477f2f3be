/*
 * spans.h - drops of several sizes on pages of 16 bits: between which sizes a
 * tone has the choice. Spans of 8 bits lie in the table of pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_SPANS_H
#define HT_TDFED_SPANS_H

#include "halftone/tdfed/lookup.h"

/* An ink has up to five spans, each in a slot: from size 0, 1, .. 4 to the next
 * one; if sizes are mixed, slot 3 has the one over the size that it leaves out.
 */
#define HT_TDFED_SLOTS 5
#define HT_TDFED_SLOT_OVER 3

/* Maps an ink's tones, by the slot of their span, to levels. */
struct ht_tdfed_spans {
    /* [1..] tones from which pixels that leave nothing out have that slot; more
     * than there are if none has. */
    int16_t from[HT_TDFED_SLOTS];
    /* Slots of pixels that leave a size out: of light tones, and of tones from
     * `over` on. */
    uint32_t below, above;
    int16_t over;
    /*
     * For each slot, in tables of six: lo, D and a factor that makes D
     * 2^15..2^16-1. For a tone x above lo, with f = x * factor, (f * times) >>
     * 16 is at most 128 times 255 x / D, and at least that less 2.
     */
    int32_t low[6], wide[6], factor[6], times[6];
};

/* Returns the span of a slot of an ink that leaves that size out. */
struct ht_span ht_tdfed_slot(const struct ht_sizes *sizes, uint32_t left_out,
                             uint32_t slot);

/* Fills in the spans of an ink that leaves out a size. */
void ht_tdfed_fill_spans(const struct ht_sizes *sizes, uint32_t left_out,
                         struct ht_tdfed_spans *spans);

#endif
