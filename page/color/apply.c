/*
 * apply.c - colors between those of a table.
 *
 * Six tetrahedra make up the cube of a table's colors around a color; all have
 * the edge from its darkest to its lightest corner, so that grays are between
 * grays (Kasson, Nin, Plouffe, Hafner 1995).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/color/apply.h"
#include "page/color/table.h"

/* ---- 8 bits -------------------------------------------------------------- */

/* The share of the next color, in 1/256, and the cells before, of a sample. */
static inline unsigned split(unsigned sample, unsigned *cell)
{
    const unsigned at = sample * CELLS;

    *cell = at / 255 < CELLS ? at / 255 : CELLS - 1;
    const unsigned rest = at - 255 * *cell;

    return rest + (rest >> 7);
}

/* Sorts shares of at most 16 bits, each above its step, from the largest. */
static inline void sort(uint32_t way[3])
{
    const uint32_t a = way[0], b = way[1], c = way[2];
    const uint32_t high = a > b ? a : b, low = a > b ? b : a;

    way[0] = high > c ? high : c;
    way[2] = low < c ? low : c;
    way[1] = a + b + c - way[0] - way[2];
}

/* A share of the color at a corner, ink by ink. */
typedef int32_t four __attribute__((vector_size(16)));
typedef int16_t four_short __attribute__((vector_size(8)));

static inline four part(const struct color_table *table, uint32_t at,
                        uint32_t share)
{
    four_short node;

    memcpy(&node, table->node[at], sizeof node);
    return __builtin_convertvector(node, four) * (int32_t)share;
}

static inline void separate(const struct color_table *table,
                            const uint8_t light[3], uint8_t inks[4])
{
    unsigned red, green, blue;
    uint32_t way[3] = {split(light[0], &red) << 16 | STEP_RED,
                       split(light[1], &green) << 16 | STEP_GREEN,
                       split(light[2], &blue) << 16 | STEP_BLUE};
    const uint32_t at = red * STEP_RED + green * STEP_GREEN + blue;

    sort(way);
    const uint32_t most = way[0] >> 16, middle = way[1] >> 16,
                   least = way[2] >> 16;
    const four bias = {BIAS, BIAS, BIAS, BIAS};
    const four sum =
        bias + part(table, at, 256 - most) +
        part(table, at + (way[0] & 0xffff), most - middle) +
        part(table, at + STEP_ALL - (way[2] & 0xffff), middle - least) +
        part(table, at + STEP_ALL, least);

    for (int i = 0; i < 4; i++)
        inks[i] = (uint8_t)(sum[i] >> 16);
}

/* Neighbors are often equal. */
void color_table_line_plain(const struct color_table *table,
                            const uint8_t *light, uint32_t width, uint8_t *inks)
{
    for (uint32_t x = 0; x < width; x++, light += 3, inks += 4)
        if (x > 0 && memcmp(light, light - 3, 3) == 0)
            memcpy(inks, inks - 4, 4);
        else
            separate(table, light, inks);
}

void color_table_black(const struct color_table *table, uint8_t cmyk[4])
{
    static const uint8_t black[3];
    uint8_t inks[4];

    separate(table, black, inks);
    for (int i = 0; i < 4; i++)
        cmyk[i] = inks[(i + 1) % 4];
}

/* ---- 16 bits ------------------------------------------------------------- */

static void separate_16(const struct color_table *table,
                        const uint16_t light[3], uint16_t inks[4])
{
    static const uint32_t step[3] = {STEP_RED, STEP_GREEN, STEP_BLUE};
    uint32_t at = 0, left = UINT16_MAX;
    uint32_t way[3], sort_key[3];
    uint64_t sum[4] = {0, 0, 0, 0};

    for (int i = 0; i < 3; i++) {
        const uint32_t along = light[i] * CELLS;
        const uint32_t cell =
            along / UINT16_MAX < CELLS ? along / UINT16_MAX : CELLS - 1;

        way[i] = along - UINT16_MAX * cell;
        sort_key[i] = way[i] << 11 | step[i];
        at += cell * step[i];
    }
    sort(sort_key);
    for (int corner = 0; corner < 4; corner++) {
        const uint32_t rest = corner < 3 ? sort_key[corner] >> 11 : 0;

        for (int i = 0; i < 4; i++)
            sum[i] += (uint64_t)(left - rest) *
                      (uint32_t)(table->node[at][i] + 32768);
        left = rest;
        at += corner < 3 ? sort_key[corner] & 2047 : 0;
    }
    for (int i = 0; i < 4; i++)
        inks[i] = (uint16_t)((sum[i] + COLOR_FULL / 2) / COLOR_FULL);
}

void color_table_line_16(const struct color_table *table, const uint16_t *light,
                         uint32_t width, uint16_t *inks)
{
    for (uint32_t x = 0; x < width; x++)
        separate_16(table, light + 3 * x, inks + 4 * x);
}
