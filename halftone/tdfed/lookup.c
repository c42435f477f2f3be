/*
 * lookup.c - makes the parameters of pixels from a tone table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "halftone/simd/table.h"
#include "halftone/tdfed/lookup.h"

/* Puts the weight of a column of the next row, -HT_TDFED_REACH..+1 but not 0
 * and -3, into its field. */
static void put_weight(struct ht_tdfed_pixel *pixel, int column, int16_t weight)
{
    static const int field[] = {HT_TDFED_FAR, -1, HT_TDFED_M2,
                                HT_TDFED_M1,  -1, HT_TDFED_P1};

    assert(weight == 0 || (column >= -HT_TDFED_REACH && column <= 1));
    if (weight != 0)
        pixel->field[field[column + HT_TDFED_REACH]] =
            (int16_t)(column == -4 ? -weight : weight);
}

/* Return what a sample of 8 bits, or a level of 16, stands for. */
static uint32_t level_of(const uint16_t *curve, uint32_t sample)
{
    return curve != NULL ? (uint32_t)ht_level_of(curve[sample]) : sample;
}

static int16_t tone_of(const uint16_t *curve, uint32_t sample)
{
    return (int16_t)(curve != NULL ? ht_tone_of(curve[sample], 65535)
                                   : ht_tone_of(sample, 255));
}

/* Returns how fully an ink of this tone meets others. */
static int16_t nearness(const struct ht_table_rules *rules, int16_t tone)
{
    int32_t above = tone - rules->from;

    above = above > 0 ? above << (rules->steps + 1) : 0;
    return (int16_t)(above < INT16_MAX ? above : INT16_MAX);
}

int16_t ht_tdfed_span(const struct ht_sizes *sizes, uint8_t level,
                      const struct ht_span *span)
{
    uint32_t low = ht_size_of(sizes, span->low);
    uint32_t high = ht_size_of(sizes, span->high);
    uint32_t number = high - low == 1 ? low : 3 + low;

    if (!ht_toned(level)) {
        low = high = level == 0 ? 0 : sizes->levels - 1;
        number = HT_TDFED_SPAN_WHITE + (level > 0);
    }
    return (int16_t)(TABLE_AT(number) | low << HT_TDFED_SPAN_LOW |
                     high << HT_TDFED_SPAN_HIGH);
}

/* Returns the span of a sample; of 16 bits its level is l'. */
static struct ht_span span_of(const struct ht_tdfed_source *source,
                              uint32_t sample)
{
    uint8_t level = (uint8_t)level_of(source->curve, sample);

    if (source->bits == 16)
        return (struct ht_span){source->span.low, source->span.high, level};
    return ht_span_of(source->sizes, tone_of(source->curve, sample), level,
                      source->left_out);
}

static struct ht_tdfed_pixel pixel_of(const struct ht_tdfed_source *source,
                                      uint32_t sample, bool dot)
{
    const struct ht_span span = span_of(source, sample);
    const uint8_t level = span.level;
    const struct ht_weights *w = &source->table->level[level];
    struct ht_tdfed_pixel pixel = {{0}};

    pixel.field[HT_TDFED_RIGHT] = w->weight[0];
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        put_weight(&pixel, w->column[k], w->weight[k]);
    pixel.field[HT_TDFED_LIMIT] =
        (int16_t)((dot ? w->t_lower : w->t_upper) - 1 + 2 * w->feedback);
    if (w->feedback > 0)
        pixel.field[HT_TDFED_FAR] = (int16_t)(2 * w->feedback);
    if (source->bits == 8) {
        int16_t tone = tone_of(source->curve, sample);

        pixel.field[HT_TDFED_NEARNESS] =
            nearness(&source->table->meeting, tone);
        pixel.field[HT_TDFED_TONE] = tone;
    }
    if (!ht_toned(level)) {
        pixel.field[HT_TDFED_LIMIT] =
            level == 0 ? HT_TDFED_WHITE : HT_TDFED_SOLID;
        pixel.field[HT_TDFED_NEARNESS] = -1;
    }
    if (source->sizes->levels > 2)
        pixel.field[HT_TDFED_SPAN] = ht_tdfed_span(source->sizes, level, &span);
    return pixel;
}

/* Clears the weights that would leave the segment behind its first pixels,
 * `from_start` = 1..HT_TDFED_FIRSTS; 0 stands for the others. The first one has
 * no feedback.
 */
static void close_start(struct ht_tdfed_pixel *pixel, unsigned from_start)
{
    int16_t far = pixel->field[HT_TDFED_FAR];

    if (from_start == 1) {
        pixel->field[HT_TDFED_M1] = 0;
        pixel->field[HT_TDFED_LIMIT] -= far > 0 ? far : 0;
    }
    if (from_start == 1 || from_start == 2)
        pixel->field[HT_TDFED_M2] = 0;
    if (from_start == 1 || (from_start > 1 && far < 0))
        pixel->field[HT_TDFED_FAR] = 0;
}

/* Clears the weights that would leave the segment ahead of its last pixel,
 * which has a level, and raises its threshold; of inks alone this is held then,
 * of inks that meet after the push. */
static void close_end(struct ht_tdfed_pixel *pixel, uint32_t level, bool alone)
{
    int limit = pixel->field[HT_TDFED_LIMIT] + ht_raise((int)level);

    pixel->field[HT_TDFED_RIGHT] = pixel->field[HT_TDFED_P1] = 0;
    if (!ht_toned((uint8_t)level))
        return;
    if (alone)
        limit = limit < -1 ? -1 : limit > HT_ONE - 1 ? HT_ONE - 1 : limit;
    pixel->field[HT_TDFED_LIMIT] = (int16_t)limit;
}

void ht_tdfed_fill_pixels(const struct ht_tdfed_source *source,
                          struct ht_tdfed_pixel *pixels)
{
    const uint32_t variants = 2 * HT_LEVELS;

    for (uint32_t i = 0; i < variants; i++)
        pixels[i] = pixel_of(source, i % HT_LEVELS, i >= HT_LEVELS);
    for (unsigned from_start = 0; from_start <= HT_TDFED_FIRSTS; from_start++)
        for (unsigned last = 0; last < 3; last++) {
            struct ht_tdfed_pixel *placed =
                pixels + (3 * from_start + last) * variants;

            for (uint32_t i = 0; placed != pixels && i < variants; i++) {
                placed[i] = pixels[i];
                close_start(&placed[i], from_start);
                if (last)
                    close_end(&placed[i], span_of(source, i % HT_LEVELS).level,
                              last == 1);
            }
        }
    for (uint32_t i = 0; source->sizes->levels > 2 && i < HT_TDFED_PIXELS; i++)
        pixels[i].field[HT_TDFED_LIMIT] =
            (int16_t)~pixels[i].field[HT_TDFED_LIMIT]; /* -(t - 1 + 1) */
}

void ht_tdfed_fill_noise(const struct ht_tdfed_source *source, int16_t *noise)
{
    for (uint32_t v = 0; v < HT_LEVELS; v++)
        noise[v] = ht_noise_where_begins(source->sizes, source->table,
                                         (uint8_t)level_of(source->curve, v));
}

static bool reaches_far(const struct ht_weights *w)
{
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        if (w->column[k] == -4 && w->weight[k] != 0)
            return true;
    return false;
}

uint8_t ht_tdfed_near_extremity(const struct ht_tdfed_source *source)
{
    uint8_t nearest = HT_LEVELS - 1;

    for (unsigned v = 0; v < HT_LEVELS && source->sizes->levels == 2; v++) {
        uint8_t extremity = ht_tdfed_extremity((uint8_t)v);

        if (extremity <= nearest &&
            reaches_far(&source->table->level[level_of(source->curve, v)]))
            nearest = extremity - 1;
    }
    return nearest;
}

/* Returns the pattern's share of the indices of pixels in a row and column. */
static unsigned index_of(const struct ht_tdfed_source *source, unsigned copy,
                         uint32_t row, uint32_t x)
{
    const uint8_t *pattern = source->table->pattern;
    const uint8_t byte = pattern[row * (HT_PATTERN_SIZE / 8) + x / 8];
    const unsigned dot = byte >> (7 - x % 8) & 1;
    unsigned index = dot != copy ? HT_TDFED_PATTERN : 0;

    if (source->sizes->mixed > 0 &&
        ht_leaves_out(source->sizes, pattern, copy, row, x))
        index += HT_TDFED_LEAVES;
    return index;
}

void ht_tdfed_fill_pattern(const struct ht_tdfed_source *source,
                           uint16_t *pattern)
{
    const uint32_t again = 16; /* columns at a time */

    _Static_assert((HT_TDFED_PATTERN_ROW - HT_PATTERN_SIZE) % 16 == 0,
                   "a row ends with a whole copy");
    for (uint32_t i = 0; i < 2 * HT_PATTERN_SIZE; i++) {
        for (uint32_t x = 0; x < HT_PATTERN_SIZE; x++)
            pattern[x] = (uint16_t)index_of(source, i / HT_PATTERN_SIZE,
                                            i % HT_PATTERN_SIZE, x);
        for (uint32_t x = HT_PATTERN_SIZE; x < HT_TDFED_PATTERN_ROW; x += again)
            memcpy(pattern + x, pattern + x - HT_PATTERN_SIZE,
                   again * sizeof *pattern);
        pattern += HT_TDFED_PATTERN_ROW;
    }
}
