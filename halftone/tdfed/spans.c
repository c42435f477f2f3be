/*
 * spans.c - the spans of tones of 16 bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/tdfed/spans.h"

void ht_tdfed_fill_spans(const struct ht_tdfed_source *source,
                         struct ht_tdfed_spans *spans)
{
    const struct ht_sizes *sizes = source->sizes;
    const uint8_t toned = HT_LEVELS / 2;
    struct ht_span span;

    for (uint32_t out = 0; out < HT_MAX_LEVELS - 1; out++)
        for (int32_t tone = 0; tone <= HT_ONE; tone++) {
            span = ht_span_of(sizes, tone, toned, out);
            spans->of[out][tone].span = ht_tdfed_span(sizes, toned, &span);
            spans->of[out][tone].level =
                span.high - span.low < HT_ONE ? span.level : 0;
        }
    spans->white = ht_tdfed_span(sizes, 0, &span);
    spans->solid = ht_tdfed_span(sizes, HT_LEVELS - 1, &span);
    for (uint32_t copy = 0; copy < 2; copy++)
        for (uint32_t y = 0; y < HT_PATTERN_SIZE; y++)
            for (uint32_t x = 0; x < HT_PATTERN_SIZE; x++)
                spans->leaves[copy][y][x] =
                    ht_leaves_out(sizes, source->table->pattern, copy, y, x);
}

void ht_tdfed_lay_spans(const struct ht_tdfed_spans *spans,
                        const struct ht_tdfed_asked *asked, const int16_t *tone,
                        uint8_t *level, int16_t (*span_tone)[2])
{
    const uint32_t shifts = asked->copy / 2, count = asked->count;
    const uint32_t x = asked->x + shifts * HT_PATTERN_RIGHT;
    const bool *leaves =
        spans->leaves[asked->copy % 2][(asked->row + shifts * HT_PATTERN_DOWN) %
                                       HT_PATTERN_SIZE];

    for (uint32_t i = 0; i < count; i++) {
        int16_t *to = span_tone[asked->mirrored ? count - 1 - i : i];

        to[0] = level[i] == 0 ? spans->white : spans->solid;
        to[1] = tone[i];
        if (ht_toned(level[i])) {
            uint32_t out =
                leaves[(x + i) % HT_PATTERN_SIZE] ? asked->left_out : 0;
            uint8_t own = spans->of[out][tone[i]].level;

            to[0] = spans->of[out][tone[i]].span;
            level[i] = own != 0 ? own : level[i];
        }
    }
}

void ht_tdfed_lay_no_spans(const struct ht_tdfed_spans *spans,
                           int16_t (*span_tone)[2], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        span_tone[i][0] = spans->white;
        span_tone[i][1] = 0;
    }
}
