/*
 * two_level.c - cuts a pixel at a threshold.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "page/bytes.h"
#include "page/black/two_level.h"

/* Puts the end of the dots of one ink at 43 %: such a gray, of L* 60, is as far
 * from the paper's 100 as from the 20 of solid black. */
#define MIDDLE 0.821 /* = log 0.5 / log 0.43 */

/* ---- Colors ------------------------------------------------------------- */

/* A color as its luma and how far red, green and blue are from that. */
struct seen_levels {
    double part[4];
};

static struct seen_levels seen(double red, double green, double blue)
{
    double luma = 0.30 * red + 0.59 * green + 0.11 * blue;

    return (struct seen_levels){{luma, red - luma, green - luma, blue - luma}};
}

static double distance(struct seen_levels a, struct seen_levels b)
{
    double sum = 0;

    for (int i = 0; i < 4; i++)
        sum += (a.part[i] - b.part[i]) * (a.part[i] - b.part[i]);
    return sum;
}

/* Returns those of C, M and Y, bits 0 to 2, that look most like a color when
 * they are solid. */
static unsigned nearest(struct seen_levels color)
{
    unsigned best = 0;
    double least = INFINITY;

    for (unsigned cmy = 0; cmy < 8; cmy++) {
        double d = distance(
            color, seen((cmy & 1) == 0, (cmy & 2) == 0, (cmy & 4) == 0));

        if (d < least) {
            least = d;
            best = cmy;
        }
    }
    return best;
}

/* Returns the inks of a page that print these of C, M and Y. */
static unsigned inks_of(unsigned cmy, uint32_t inks)
{
    if (inks == 3)
        return cmy;
    return cmy == 7 ? 1 : cmy << 1;
}

static double middle_of(unsigned step)
{
    return (step + 0.5) / TWO_LEVEL_STEPS;
}

void two_level_init(struct two_level *t, uint32_t inks, double gamma)
{
    const unsigned steps = TWO_LEVEL_STEPS;

    assert(inks == 1 || inks == 3 || inks == 4);
    t->inks = inks;
    for (unsigned v = 0; v < 256; v++)
        t->light[v] =
            (uint8_t)(255 * (1 - pow(v / 255.0, MIDDLE * gamma)) + 0.5);
    for (unsigned red = 0; red < steps; red++)
        for (unsigned green = 0; green < steps; green++)
            for (unsigned blue = 0; blue < steps; blue++)
                t->dots[red][green][blue] = (uint8_t)inks_of(
                    nearest(seen(middle_of(red), middle_of(green),
                                 middle_of(blue))),
                    inks);
}

/* ---- Rows --------------------------------------------------------------- */

/* The next functions are for rows of 8 and of 16 bits; callers give `bits` as a
 * constant, so that the compiler makes one of each. */
static inline void print_pixel(const struct two_level *t, void *row,
                               uint32_t width, uint32_t bits, size_t x)
{
    uint8_t sample[4] = {0};
    unsigned dots;

    for (uint32_t k = 0; k < t->inks; k++)
        sample[k] =
            bits == 8
                ? ((uint8_t *)row)[k * (size_t)width + x]
                : (uint8_t)(((uint16_t *)row)[k * (size_t)width + x] >> 8);
    dots = two_level_dots(t, sample);
    for (uint32_t k = 0; k < t->inks; k++, dots >>= 1) {
        size_t at = k * (size_t)width + x;

        if (bits == 8)
            ((uint8_t *)row)[at] = (dots & 1) != 0 ? UINT8_MAX : 0;
        else
            ((uint16_t *)row)[at] = (dots & 1) != 0 ? UINT16_MAX : 0;
    }
}

/* Whether the BYTES pixels from `x` are bare paper. */
static inline bool is_paper(const struct two_level *t, const uint8_t *row,
                            uint32_t width, size_t x)
{
    bytes any = {0};

    for (uint32_t k = 0; k < t->inks; k++)
        any |= load(row + k * (size_t)width + x);
    return !any_bit(any);
}

/* One ink: its samples from the least that is dark are dots. */
static void print_black(const struct two_level *t, uint8_t *row, uint32_t width)
{
    unsigned least = 0;
    size_t x = 0;

    while (least < UINT8_MAX && t->light[least] >= 128)
        least++;
    for (; x + BYTES <= width; x += BYTES) {
        bytes dots = (bytes)(load(row + x) >= (uint8_t)least);

        memcpy(row + x, &dots, sizeof dots);
    }
    for (; x < width; x++)
        row[x] = row[x] >= least ? UINT8_MAX : 0;
}

static void print_colors(const struct two_level *t, uint8_t *row,
                         uint32_t width)
{
    size_t x = 0;

    for (; x + BYTES <= width; x += BYTES)
        if (!is_paper(t, row, width, x))
            for (size_t i = 0; i < BYTES; i++)
                print_pixel(t, row, width, 8, x + i);
    for (; x < width; x++)
        print_pixel(t, row, width, 8, x);
}

void two_level_row(const struct two_level *t, void *row, uint32_t width,
                   uint32_t bits)
{
    if (bits == 16)
        for (size_t x = 0; x < width; x++)
            print_pixel(t, row, width, 16, x);
    else if (t->inks == 1)
        print_black(t, row, width);
    else
        print_colors(t, row, width);
}
