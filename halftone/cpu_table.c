/*
 * cpu_table.c - what the fast CPU engine looks up for each pixel, from the
 * tone table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/cpu.h"

static struct ht_cpu_pixel pixel_of(const ht_table_t *table, uint32_t level,
                                    bool dot, uint32_t bits)
{
    static const int field[] = {HT_CPU_M3, HT_CPU_M2, HT_CPU_M1, -1,
                                HT_CPU_P1}; /* by column + 3 */
    const struct ht_weights *w = &table->level[level];
    struct ht_cpu_pixel pixel = {{0}};
    uint8_t sample = (uint8_t)level, same;
    int16_t tone;

    ht_tones_from_samples(&sample, 8, 1, &tone, &same);
    pixel.field[HT_CPU_RIGHT] = w->weight[0];
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        pixel.field[field[w->column[k] + HT_CPU_REACH]] = w->weight[k];
    if (level == 0 || level == HT_LEVELS - 1) {
        pixel.field[HT_CPU_MARGIN] = level == 0 ? HT_CPU_WHITE : -HT_ONE;
    } else {
        int t = dot ? HT_ONE - w->t_upper : w->t_upper;

        pixel.field[HT_CPU_MARGIN] = (int16_t)(t - 1);
        pixel.field[HT_CPU_AVOID] = w->avoid;
    }
    if (bits == 8) {
        pixel.field[HT_CPU_TONE] = tone;
        pixel.field[HT_CPU_MARGIN] =
            (int16_t)(pixel.field[HT_CPU_MARGIN] - tone);
    }
    return pixel;
}

/* The first pixels of a segment, `from_start` = 1.., have no neighbours to
 * the left, and its last none to the right. */
static void close_pixel(struct ht_cpu_pixel *pixel, unsigned from_start,
                        bool last)
{
    static const int to_the_left[] = {HT_CPU_M1, HT_CPU_M2, HT_CPU_M3};

    for (unsigned reach = from_start; from_start > 0 && reach <= HT_CPU_REACH;
         reach++)
        pixel->field[to_the_left[reach - 1]] = 0;
    if (last)
        pixel->field[HT_CPU_RIGHT] = pixel->field[HT_CPU_P1] = 0;
}

void ht_cpu_fill_pixels(const ht_table_t *table, uint32_t bits,
                        struct ht_cpu_pixel *pixels)
{
    for (unsigned from_start = 0; from_start <= HT_CPU_REACH; from_start++)
        for (unsigned last = 0; last < 2; last++)
            for (unsigned dot = 0; dot < 2; dot++)
                for (uint32_t level = 0; level < HT_LEVELS; level++) {
                    *pixels = pixel_of(table, level, dot, bits);
                    close_pixel(pixels++, from_start, last);
                }
}

void ht_cpu_fill_pattern(const ht_table_t *table, uint16_t *pattern)
{
    for (unsigned inverse = 0; inverse < 2; inverse++)
        for (uint32_t y = 0; y < HT_PATTERN_SIZE; y++)
            for (uint32_t x = 0; x < HT_CPU_PATTERN_ROW; x++) {
                uint32_t column = x % HT_PATTERN_SIZE;
                uint8_t byte =
                    table->pattern[y * (HT_PATTERN_SIZE / 8) + column / 8];

                *pattern++ = (byte >> (7 - column % 8) & 1) != inverse
                                 ? HT_CPU_PATTERN
                                 : 0;
            }
}
