/*
 * spans.h - drops of several sizes on pages of 16 bits: between which sizes a
 * tone has the choice, looked up as it comes. Those of 8 bits lie in the table
 * of pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TDFED_SPANS_H
#define HT_TDFED_SPANS_H

#include "halftone/tdfed/rows.h"

struct ht_tdfed_spans {
    /* Of toned pixels, by the size that they leave out, 0 none, and their
     * tone. */
    struct {
        int16_t span;  /* HT_TDFED_SPAN */
        uint8_t level; /* l'; 0: their own level */
    } of[HT_MAX_LEVELS - 1][HT_ONE + 1];
    int16_t white, solid; /* HT_TDFED_SPAN */
    /* ht_leaves_out() of the copies 0, 2, .. and 1, 3, .. */
    bool leaves[2][HT_PATTERN_SIZE][HT_PATTERN_SIZE];
};

void ht_tdfed_fill_spans(const struct ht_tdfed_source *source,
                         struct ht_tdfed_spans *spans);

/* Columns of a row whose spans are asked for. */
struct ht_tdfed_asked {
    uint32_t copy;     /* ht_copy_of_ink() of the ink */
    uint32_t left_out; /* ht_size_left_out() of it */
    uint64_t row;      /* r */
    uint32_t x, count; /* x..x+count-1 */
    bool mirrored;     /* laid from right to left */
};

/* Turns the levels of some columns into l', and lays their spans and tones. */
void ht_tdfed_lay_spans(const struct ht_tdfed_spans *spans,
                        const struct ht_tdfed_asked *asked, const int16_t *tone,
                        uint8_t *level, int16_t (*span_tone)[2]);

/* Lays those of `count` white pixels. */
void ht_tdfed_lay_no_spans(const struct ht_tdfed_spans *spans,
                           int16_t (*span_tone)[2], uint32_t count);

#endif
