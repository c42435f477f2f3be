/*
 * two_level.h - cuts a pixel at a threshold: bare paper, or the solid inks that
 * look most like it (doc/user/color.md).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_TWO_LEVEL_H
#define PAGE_TWO_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#define TWO_LEVEL_STEPS 16u /* of red, of green and of blue */

/* For pages of the same inks and gamma. */
struct two_level {
    uint32_t inks;
    uint8_t light[256]; /* that a sample of an ink, its upper 8 bits, leaves */
    /* The inks, a bit each, for what red, green and blue are left. */
    uint8_t dots[TWO_LEVEL_STEPS][TWO_LEVEL_STEPS][TWO_LEVEL_STEPS];
};

/*
 * Prepares pages of 1 ink, K; 3, C, M and Y; or 4, K, C, M and Y. With the tone
 * a of each ink, 0..1, and
 *
 *   red = (1 - c) (1 - k)    c, k = a ^ (0.821 gamma)
 *
 * green with m and blue with y likewise, each in the middle of its sixteenth, a
 * pixel gets the dots of the nearest of white, black, cyan, magenta, yellow,
 * red, green and blue. Y = 0.30 red + 0.59 green + 0.11 blue; the square of the
 * distance is that of Y and those of red - Y, green - Y and blue - Y. Black is
 * K, without K all inks.
 */
void two_level_init(struct two_level *two_level, uint32_t inks, double gamma);

/* Returns the inks that a pixel gets, a bit each. `sample` are the upper 8 bits
 * of its samples; [two_level->inks]. */
static inline unsigned two_level_dots(const struct two_level *t,
                                      const uint8_t sample[4])
{
    const uint32_t step = 256 / TWO_LEVEL_STEPS;
    const uint8_t *light = t->light;
    uint32_t k = t->inks == 3 ? 255 : light[sample[0]];
    const uint8_t *color = sample + (t->inks == 4);

    if (t->inks == 1)
        return k < 128;
    return t->dots[light[color[0]] * k / 255 / step]
                  [light[color[1]] * k / 255 / step]
                  [light[color[2]] * k / 255 / step];
}

/* Makes each sample of a row 0 or solid. `row` is [inks][width] samples of
 * `bits`, 8 or 16. */
void two_level_row(const struct two_level *two_level, void *row, uint32_t width,
                   uint32_t bits);

#endif
