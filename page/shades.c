/*
 * shades.c - separates the tone of a dark ink into lighter ones and it.
 *
 * Each shade begins where the next lighter one covers all of the paper, and its
 * dots lie upon that: a background without dots of its own. It is left so until
 * darker dots cover most of it. With lighter inks that absorb B and cover the
 * share c, dots of a darker one absorb 1 on paper and 1 + u upon lighter ink,
 * so that they have to cover d for the tone a:
 *
 *   a = d (1 + u c) + B (1 - d)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "page/color/color.h"
#include "page/shades.h"

#define GAIN 0.8 /* of dots, as ink_set.h has it */

/* Bends of tones. The first dots of dark ink are seen most: they come late, and
 * lighter ink stays longer. */
struct turn {
    double bend;  /* where lighter ink is solid, of its tone */
    double fades; /* the tone from which lighter ink fades */
};
static const struct turn of_dark = {0.12, 0.65}, of_lighter = {0.5, 0.75};

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

/* Fills how much more each shade absorbs upon a solid of the next lighter one.
 */
static void fill_upon(struct shades *shades, unsigned color)
{
    for (unsigned i = 0; i + 1 < shades->count; i++)
        shades->upon[i] = shades_absorb(shades, color, 3u << i) /
                              shades_absorb(shades, color, 1u << i) -
                          1;
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
        fill_upon(&shades[color], color);
    }
}

/* ---- Tones --------------------------------------------------------------- */

/* Returns x, held to 1 with a round bend: its second half is where the line
 * would have met 1. */
static double held(double x, double bend)
{
    const double over = fmax(x - (1 - 2 * bend / 3), 0);

    return over < bend ? x - over * over * over / (3 * bend * bend) : 1;
}

/* Returns the share of lighter ink that is left beside a tone. */
static double left_of(double tone, double fades)
{
    const double t = fmin((1 - tone) / (1 - fades), 1);

    return t * t * (3 - 2 * t);
}

/* Returns what dots of an ink cover, and the ink of dots that cover so much. */
static double cover_of(double ink)
{
    return ink + GAIN * ink * (1 - ink);
}

static double ink_of(double cover)
{
    const double b = 1 + GAIN;

    return (b - sqrt(fmax(b * b - 4 * GAIN * cover, 0))) / (2 * GAIN);
}

void shades_split(const struct shades *shades, double tone,
                  double ink[SHADES_MOST])
{
    double light = cover_of(tone);

    if (shades->count == 1 || tone >= 1) {
        memset(ink, 0, shades->count * sizeof *ink);
        ink[0] = tone;
        return;
    }
    for (unsigned i = 0; i < shades->count; i++) {
        const double strength = shades->strength[i];
        const double a = fmin(light / strength, 1);
        const struct turn *turn = i == 0 ? &of_dark : &of_lighter;
        double below = 0, cover = 0;

        if (i + 1 < shades->count) {
            const double most = shades->strength[i + 1] / strength;

            cover = fmin(held(a / most, turn->bend) * left_of(a, turn->fades),
                         a / most);
            below = most * cover;
        }
        /* Less is an error of rounding, which would be a dot. */
        ink[i] =
            a - below > 1e-9
                ? ink_of((a - below) / (1 - below + shades->upon[i] * cover))
                : 0;
        light = below * strength;
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

/* A color of a pixel: its samples, their sum, and the light that all absorb. */
struct inks_of_color {
    uint16_t *at[SHADES_MOST];
    float sum, all;
};

/* Returns the light that a shade absorbs together with lighter ones below. */
static float light_upon(const struct shades *shades, unsigned shade,
                        uint16_t sample, float below)
{
    const float cover = (float)cover_of(sample / (double)UINT16_MAX);

    return (float)shades->strength[shade] * cover + below * (1 - cover);
}

static void take_color(const struct shades *shades, struct inks_of_color *color,
                       uint16_t *pixel, size_t width)
{
    float light = 0;

    color->sum = 0;
    for (unsigned i = shades->count; i-- > 0;) {
        color->at[i] = pixel + shades->ink[i] * width;
        color->sum += *color->at[i];
        light = light_upon(shades, i, *color->at[i], light);
    }
    color->all = light;
}

/* Keeps a part of the lighter ink. Dark ink takes the place of the rest. */
static void darken(const struct shades *shades, struct inks_of_color *color,
                   float kept)
{
    float light = 0;

    color->sum = 0;
    for (unsigned i = shades->count; i-- > 1;) {
        *color->at[i] = (uint16_t)(kept * (float)*color->at[i]);
        color->sum += *color->at[i];
        light = light_upon(shades, i, *color->at[i], light);
    }
    if (light < 1)
        *color->at[0] =
            (uint16_t)(UINT16_MAX *
                       ink_of(fmax(color->all - light, 0) / (1 - light)));
    color->sum += *color->at[0];
}

static void limit_pixel(const struct shades shades[SHADES_COLORS],
                        uint32_t limit, uint16_t *pixel, size_t width)
{
    struct inks_of_color color[SHADES_COLORS];
    float over = -(float)limit, gain = 0; /* with dark ink alone */

    for (unsigned c = 0; c < SHADES_COLORS; c++) {
        take_color(&shades[c], &color[c], pixel, width);
        over += color[c].sum;
        if (shades[c].count > 1)
            gain += color[c].sum - UINT16_MAX * (float)ink_of(color[c].all);
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
