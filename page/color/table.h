/*
 * table.h - the separation of light into inks by profiles, as a table of 33 x
 * 33 x 33 colors: lcms2 makes it, and lines of pixels go through it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef COLOR_TABLE_H
#define COLOR_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "page/color/profile.h"

#ifndef COLOR_POINTS     /* fewer in test/fuzz/ */
#define COLOR_POINTS 33u /* a side; CELLS * 255 fits in 16 bits */
#endif
#define COLOR_FULL 65280u  /* a sample of the table that is solid ink */
#define COLOR_TABLE_INKS 4 /* K, C, M, Y */

/* Treatment of colors that the printer cannot print. */
enum color_intent {
    COLOR_RELATIVE_BLACK, /* relative, with black point compensation */
    COLOR_RELATIVE,       /* nearest ones; white is paper */
    COLOR_PERCEPTUAL,     /* as the profile's maker thinks it pleases */
    COLOR_ABSOLUTE        /* nearest ones; a white that is no paper's has ink */
};

/* Meaning of samples of red, green and blue. */
enum color_space { COLOR_SRGB, COLOR_ADOBE_RGB, COLOR_BY_PROFILE };

struct color_table {
    /* K, C, M and Y of each color, 0..COLOR_FULL less 32768; blue goes on
     * first, then green. The last, white, is bare paper with every intent. */
    int16_t node[COLOR_POINTS * COLOR_POINTS * COLOR_POINTS][COLOR_TABLE_INKS];
};

/*
 * Makes a table from a color space, of COLOR_BY_PROFILE the RGB profile `from`,
 * to the output profile `to`. RGB printers get C, M and Y as complements, of
 * which K takes what is common. Free with free(). NULL with the reason in `why`
 * [PROFILE_WHY].
 */
struct color_table *color_table_make(enum color_space space,
                                     const struct profile *from,
                                     const struct profile *to,
                                     enum color_intent intent,
                                     char why[PROFILE_WHY]);

/*
 * Separates a line of light [width][3] into inks [width][4], K, C, M, Y, by
 * tetrahedral interpolation. With samples of n bits, 8 or 16, all are exact at
 * the table's colors. White is bare paper.
 */
void color_table_line(const struct color_table *table, const uint8_t *light,
                      uint32_t width, uint8_t *inks);
void color_table_line_16(const struct color_table *table, const uint16_t *light,
                         uint32_t width, uint16_t *inks);

/* The first on any processor, and on one with AVX2. */
void color_table_line_plain(const struct color_table *table,
                            const uint8_t *light, uint32_t width,
                            uint8_t *inks);
void color_table_line_avx2(const struct color_table *table,
                           const uint8_t *light, uint32_t width, uint8_t *inks);

/* C, M, Y and K of black light, in 1/255. */
void color_table_black(const struct color_table *table, uint8_t cmyk[4]);

#endif
