/*
 * shades.c - separates the tone of a dark ink into lighter ones and it.
 *
 * Each shade begins where the next lighter one covers all of the paper, and its
 * dots lie upon that: a background without dots of its own. It is left so until
 * darker dots cover most of it. A dot absorbs what its ink does, whatever is
 * below: with lighter inks that absorb B, the tone a needs a share d of dots,
 *
 *   a = d + B (1 - d)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "page/color/color.h"
#include "page/shades.h"

#define BEND 0.05  /* of the tone at which a lighter ink is solid */
#define FADES 0.75 /* tone of an ink beside which lighter ones fade */

/* ---- The shades of a color ----------------------------------------------- */

/* Puts an ink among those that are darker and lighter. */
static void put(struct shades *shades, double strength, unsigned ink)
{
    unsigned at = shades->count;

    if (at == SHADES_MOST)
        return;
    for (; at > 0 && shades->strength[at - 1] < strength; at--) {
        shades->strength[at] = shades->strength[at - 1];
        shades->ink[at] = shades->ink[at - 1];
    }
    shades->strength[at] = strength;
    shades->ink[at] = (uint8_t)ink;
    shades->count++;
}

void shades_of(const struct ink_set *set, struct shades shades[SHADES_COLORS])
{
    uint8_t order[HT_MAX_INKS];

    ink_set_order(set, order);
    for (unsigned color = 0; color < SHADES_COLORS; color++) {
        shades[color] = (struct shades){.count = 0};
        for (unsigned i = 0; i < set->count; i++)
            if (set->ink[order[i]].color == "KCMY"[color])
                put(&shades[color], set->ink[order[i]].strength, i);
    }
}

/* ---- Tones --------------------------------------------------------------- */

/* Returns x, held to 1 with a round bend. */
static double held(double x)
{
    const double over = fmax(x - (1 - BEND), 0);

    return over < 2 * BEND ? x - over * over / (4 * BEND) : 1;
}

/* Returns the share of lighter ink that is left beside the ink of a tone, which
 * falls from 1 to 0 in the dark ones. */
static double left_of(double tone)
{
    const double t = fmin((1 - tone) / (1 - FADES), 1);

    return t * t * (3 - 2 * t);
}

void shades_split(const struct shades *shades, double tone,
                  double ink[SHADES_MOST])
{
    for (unsigned i = 0; i < shades->count; i++) {
        const double strength = shades->strength[i];
        const double a = fmin(tone / strength, 1);
        double lighter = 0;

        if (i + 1 < shades->count) {
            const double most = shades->strength[i + 1] / strength;

            lighter = fmin(most * held(a / most) * left_of(a), a);
        }
        /* Less is an error of rounding, which would be a dot. */
        ink[i] = a - lighter > 1e-9 ? (a - lighter) / (1 - lighter) : 0;
        tone = lighter * strength;
    }
}

/* ---- Light --------------------------------------------------------------- */

double shades_light(unsigned color)
{
    return 1 - sqrt(color_primaries[1 << color][1] / color_primaries[0][1]);
}

double shades_absorb(const struct shades *shades, unsigned color, unsigned set)
{
    const double light = shades_light(color);
    double through = 1;

    for (unsigned i = 0; i < shades->count; i++)
        if ((set >> i & 1) != 0)
            through *= 1 - light * shades->strength[i];
    return (1 - through) / light;
}

/* ---- The limit ----------------------------------------------------------- */

/* A color of a pixel: its samples, and their sum; the light that all absorb,
 * and all but the dark one. */
struct color {
    uint16_t *at[SHADES_MOST];
    float sum, all, lighter;
};

static void take_color(const struct shades *shades, struct color *color,
                       uint16_t *pixel, size_t width)
{
    float light = 0;

    color->sum = 0;
    for (unsigned i = shades->count; i-- > 0;) {
        color->at[i] = pixel + shades->ink[i] * width;
        const float ink = (float)*color->at[i] / UINT16_MAX;

        color->lighter = light;
        light = (float)shades->strength[i] * ink + light * (1 - ink);
        color->sum += *color->at[i];
    }
    color->all = light;
}

/* Keeps a part of the lighter ink. Dark ink takes the place of the rest. */
static void darken(const struct shades *shades, struct color *color, float kept)
{
    float light = 0;

    color->sum = 0;
    for (unsigned i = shades->count; i-- > 1;) {
        *color->at[i] = (uint16_t)(kept * *color->at[i]);
        const float ink = (float)*color->at[i] / UINT16_MAX;

        light = (float)shades->strength[i] * ink + light * (1 - ink);
        color->sum += *color->at[i];
    }
    if (light < 1)
        *color->at[0] =
            (uint16_t)(UINT16_MAX *
                       fminf(fmaxf((color->all - light) / (1 - light), 0), 1));
    color->sum += *color->at[0];
}

static void limit_pixel(const struct shades shades[SHADES_COLORS],
                        uint32_t limit, uint16_t *pixel, size_t width)
{
    struct color color[SHADES_COLORS];
    float over = -(float)limit, gain = 0; /* with dark ink alone */

    for (unsigned c = 0; c < SHADES_COLORS; c++) {
        take_color(&shades[c], &color[c], pixel, width);
        over += color[c].sum;
        if (shades[c].count > 1)
            gain += color[c].sum - UINT16_MAX * color[c].all;
    }
    if (gain > 0) {
        const float kept = fmaxf(1 - over / gain, 0);

        /* The first ink that gives way is replaced by more than the last. */
        over = -(float)limit;
        for (unsigned c = 0; c < SHADES_COLORS; c++) {
            if (shades[c].count > 1)
                darken(&shades[c], &color[c], kept * (kept + 1) / 2);
            over += color[c].sum;
        }
    }
    if (over <= 0)
        return;

    const float colored = color[1].sum + color[2].sum + color[3].sum;
    const float part = fmaxf(1 - over / fmaxf(colored, 1), 0);

    for (unsigned c = 1; c < SHADES_COLORS; c++)
        for (unsigned i = 0; i < shades[c].count; i++)
            *color[c].at[i] = (uint16_t)(part * *color[c].at[i]);
}

void shades_limit(const struct shades shades[SHADES_COLORS], uint32_t inks,
                  uint32_t limit, uint16_t *row, uint32_t width)
{
    for (uint32_t x = 0; x < width; x++) {
        uint32_t sum = 0;

        for (uint32_t ink = 0; ink < inks; ink++)
            sum += row[(size_t)ink * width + x];
        if (sum > limit)
            limit_pixel(shades, limit, row + x, width);
    }
}
