/*
 * lookup.c - makes the parameters of pixels from a tone table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "halftone/tdfed/lookup.h"

/* Puts the weight of a column of the next row, -HT_TDFED_REACH..+1 but not 0,
 * into its field. */
static void put_weight(struct ht_tdfed_pixel *pixel, int column, int16_t weight)
{
    static const int field[] = {HT_TDFED_FAR, HT_TDFED_FAR, HT_TDFED_M2,
                                HT_TDFED_M1,  -1,           HT_TDFED_P1};

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
static int16_t nearness(const struct ht_meeting_rules *rules, int16_t tone)
{
    int32_t above = tone - rules->from;

    above = above > 0 ? above << (rules->steps + 1) : 0;
    return (int16_t)(above < INT16_MAX ? above : INT16_MAX);
}

static struct ht_tdfed_pixel pixel_of(const ht_table_t *table, uint32_t level,
                                      int16_t tone, bool dot, uint32_t bits)
{
    const struct ht_weights *w = &table->level[level];
    struct ht_tdfed_pixel pixel = {{0}};

    pixel.field[HT_TDFED_RIGHT] = w->weight[0];
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        put_weight(&pixel, w->column[k], w->weight[k]);
    pixel.field[HT_TDFED_LIMIT] =
        (int16_t)((dot ? w->t_lower : w->t_upper) - 1);
    if (bits == 8) {
        pixel.field[HT_TDFED_NEARNESS] = nearness(&table->meeting, tone);
        pixel.field[HT_TDFED_TONE] = tone;
    }
    if (!ht_toned((uint8_t)level)) {
        pixel.field[HT_TDFED_LIMIT] =
            level == 0 ? HT_TDFED_WHITE : HT_TDFED_SOLID;
        pixel.field[HT_TDFED_NEARNESS] = -1;
    }
    return pixel;
}

/* Clears the weights that would leave the segment behind its first pixels,
 * `from_start` = 1..; 0 stands for the others. */
static void close_start(struct ht_tdfed_pixel *pixel, unsigned from_start)
{
    if (from_start == 1)
        pixel->field[HT_TDFED_M1] = 0;
    if (from_start == 1 || from_start == 2)
        pixel->field[HT_TDFED_M2] = 0;
    if ((from_start >= 1 && from_start <= 3) ||
        (from_start == 4 && pixel->field[HT_TDFED_FAR] < 0))
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

void ht_tdfed_fill_pixels(const ht_table_t *table, uint32_t bits,
                          const uint16_t *curve, struct ht_tdfed_pixel *pixels)
{
    const uint32_t variants = 2 * HT_LEVELS;

    for (uint32_t i = 0; i < variants; i++)
        pixels[i] =
            pixel_of(table, level_of(curve, i % HT_LEVELS),
                     tone_of(curve, i % HT_LEVELS), i >= HT_LEVELS, bits);
    for (unsigned from_start = 0; from_start <= HT_TDFED_REACH; from_start++)
        for (unsigned last = 0; last < 3; last++) {
            struct ht_tdfed_pixel *placed =
                pixels + (3 * from_start + last) * variants;

            for (uint32_t i = 0; placed != pixels && i < variants; i++) {
                placed[i] = pixels[i];
                close_start(&placed[i], from_start);
                if (last)
                    close_end(&placed[i], level_of(curve, i % HT_LEVELS),
                              last == 1);
            }
        }
}

void ht_tdfed_fill_noise(const ht_table_t *table, const uint16_t *curve,
                         int16_t *noise)
{
    for (uint32_t v = 0; v < HT_LEVELS; v++)
        noise[v] = table->level[level_of(curve, v)].noise;
}

static bool reaches_far(const struct ht_weights *w)
{
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        if (w->column[k] <= -3 && w->weight[k] != 0)
            return true;
    return false;
}

uint8_t ht_tdfed_near_extremity(const ht_table_t *table, const uint16_t *curve)
{
    uint8_t nearest = HT_LEVELS - 1;

    for (unsigned v = 0; v < HT_LEVELS; v++) {
        uint8_t extremity = ht_tdfed_extremity((uint8_t)v);

        if (extremity <= nearest &&
            reaches_far(&table->level[level_of(curve, v)]))
            nearest = extremity - 1;
    }
    return nearest;
}

void ht_tdfed_fill_pattern(const ht_table_t *table, uint16_t *pattern)
{
    const uint32_t again = 16; /* columns at a time */

    _Static_assert((HT_TDFED_PATTERN_ROW - HT_PATTERN_SIZE) % 16 == 0,
                   "a row ends with a whole copy");
    for (uint32_t i = 0; i < 2 * HT_PATTERN_SIZE; i++) {
        unsigned inverse = i / HT_PATTERN_SIZE;
        const uint8_t *row =
            table->pattern + i % HT_PATTERN_SIZE * (HT_PATTERN_SIZE / 8);

        for (uint32_t x = 0; x < HT_PATTERN_SIZE; x++) {
            unsigned dot = row[x / 8] >> (7 - x % 8) & 1;
            pattern[x] = dot != inverse ? HT_TDFED_PATTERN : 0;
        }
        for (uint32_t x = HT_PATTERN_SIZE; x < HT_TDFED_PATTERN_ROW; x += again)
            memcpy(pattern + x, pattern + x - HT_PATTERN_SIZE,
                   again * sizeof *pattern);
        pattern += HT_TDFED_PATTERN_ROW;
    }
}
